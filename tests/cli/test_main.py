"""`fsmvoice` itself."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Run


def test_help_has_examples_the_forms_of_a_target_and_the_exit_codes(run: Run) -> None:
    told = run("--help").stdout
    for words in (
        "fsmvoice serve examples/coffee.py",
        "shop.coffee:Coffee",
        "coffee.json",
        "Exit codes: 0",
        "2 ",
        "3 ",
    ):
        assert words in told


@pytest.mark.parametrize("name", ["serve", "show"])
def test_each_command_has_a_help_with_examples(run: Run, name: str) -> None:
    told = run(name, "--help").stdout
    assert f"fsmvoice {name} coffee.py" in told


def test_a_misspelt_command_is_reported_with_the_nearest(run: Run) -> None:
    result = run("sevre", "coffee.py")
    assert result.exit_code == 2
    assert "Did you mean 'serve'?" in result.stderr


def test_the_version(run: Run) -> None:
    assert run("--version").stdout.startswith("fsmvoice ")
