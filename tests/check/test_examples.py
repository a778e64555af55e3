"""The project's own examples are clean, for Alexa too."""

from pathlib import Path

import pytest

from fsmvoice.check import check
from fsmvoice.cli.target import load_target

EXAMPLES = Path(__file__).parents[2] / "examples"
MACHINES = [path.name for path in sorted(EXAMPLES.glob("*.py"))]


@pytest.mark.parametrize("name", MACHINES)
def test_an_example_is_clean(name: str) -> None:
    machine = load_target(str(EXAMPLES / name)).machine
    assert [str(finding) for finding in check(machine, alexa=True).findings] == []
