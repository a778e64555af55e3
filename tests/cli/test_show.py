"""`fsmvoice show`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import COFFEE, Run


def test_it_prints_the_picture_and_nothing_else(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    result = run("show", "coffee.py")
    assert result.exit_code == 0
    assert result.stdout.startswith("stateDiagram-v2\n    [*] --> idle\n")
    assert result.stderr == ""


def test_it_needs_no_functions_to_show_a_config(folder: Path, run: Run) -> None:
    (folder / "tea.json").write_text('{"initial": "a", "states": {"a": {"entry": "boil"}}}')
    assert "a : entry / boil" in run("show", "tea.json").stdout


def test_a_state_can_be_lit_up(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    assert run("show", "coffee.py", "--state", "idle").stdout.endswith("class idle active\n")
    wrong = run("show", "coffee.py", "--state", "idel")
    assert wrong.exit_code == 2
    assert "did you mean 'idle'?" in wrong.stderr


def test_it_takes_the_functions_that_serve_takes(folder: Path, run: Run) -> None:
    (folder / "tea.json").write_text('{"initial": "a", "states": {"a": {"entry": "boil"}}}')
    (folder / "tea.py").write_text("actions = {'boil': print}\n")
    assert "a : entry / boil" in run("show", "tea.json", "--behaviour", "tea.py").stdout
