"""The project's own examples are clean, for Alexa too."""

import importlib
from pathlib import Path

import pytest

from fsmvoice.check import check
from fsmvoice.cli.target import candidates

EXAMPLES = Path(__file__).parents[2] / "examples"
MODULES = [path.stem for path in sorted(EXAMPLES.glob("*.py"))]


@pytest.mark.parametrize("name", MODULES)
def test_an_example_is_clean(name: str) -> None:
    (machine,) = candidates(importlib.import_module(f"examples.{name}")).values()
    assert [str(finding) for finding in check(machine, alexa=True).findings] == []
