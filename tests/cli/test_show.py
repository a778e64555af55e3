"""`fsmvoice show`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

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


def test_the_format_is_what_the_file_ends_in(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    assert run("show", "coffee.py", "-o", "coffee.dot").stdout == ""
    assert (folder / "coffee.dot").read_text().startswith("digraph")
    run("show", "coffee.py", "-o", "coffee.dot", "--format", "mermaid")
    assert (folder / "coffee.dot").read_text().startswith("stateDiagram-v2")


def test_a_file_that_ends_in_no_format_is_not_written(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    result = run("show", "coffee.py", "-o", "coffee.pdf")
    assert result.exit_code == 2
    assert "use .svg, .dot or .mmd" in result.stderr
    assert not (folder / "coffee.pdf").exists()


def test_a_picture_can_be_drawn_with_a_state_lit_up(folder: Path, run: Run) -> None:
    if shutil.which("dot") is None:
        pytest.skip("dot is not installed: apt install graphviz")
    (folder / "coffee.py").write_text(COFFEE)
    assert run("show", "coffee.py", "--state", "idle", "-o", "coffee.svg").exit_code == 0
    assert 'class="node state atomic active"' in (folder / "coffee.svg").read_text()


def test_without_graphviz_the_error_says_what_to_do(folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    (folder / "coffee.svg").write_text("as it was")
    monkeypatch.setenv("PATH", "/nowhere")
    result = run("show", "coffee.py", "-o", "coffee.svg")
    assert result.exit_code == 2
    assert "apt install graphviz" in result.stderr
    assert "--format mermaid" in result.stderr
    assert (folder / "coffee.svg").read_text() == "as it was"


def test_a_file_that_can_not_be_written_is_reported(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    result = run("show", "coffee.py", "-o", "nowhere/coffee.mmd")
    assert result.exit_code == 2
    assert "can't write nowhere/coffee.mmd: No such file or directory" in result.stderr


def test_an_unknown_format_is_reported_with_those_there_are(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    result = run("show", "coffee.py", "--format", "png")
    assert result.exit_code == 2
    assert "'dot', 'mermaid', 'svg'" in result.stderr
