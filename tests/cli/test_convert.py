"""`fsmvoice convert` writes a machine in another format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.conftest import COFFEE, Run

V4 = {"initial": "a", "states": {"a": {"on": {"GO": {"target": "b", "cond": "ok"}}}, "b": {"type": "final"}}}


def test_a_class_becomes_a_machine_for_xstate(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    result = run("convert", "coffee.py", "--to", "xstate")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["id"] == "coffee"


def test_an_xstate_file_becomes_a_diagram_in_a_file(folder: Path, run: Run) -> None:
    (folder / "machine.json").write_text(json.dumps(V4))
    result = run("convert", "machine.json", "--to", "mermaid", "-o", "machine.mmd")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "a --> b : GO [ok]" in (folder / "machine.mmd").read_text()
    assert result.stderr == "Note: machine.json: $: read as XState version 4\n"


def test_an_xstate_file_can_be_shown(folder: Path, run: Run) -> None:
    (folder / "machine.json").write_text(json.dumps(V4))
    assert "a --> b : GO [ok]" in run("show", "machine.json").stdout


def test_an_unknown_format_is_told_with_those_there_are(folder: Path, run: Run) -> None:
    result = run("convert", "machine.json", "--to", "visio")
    assert result.exit_code == 2
    assert "'mermaid'" in result.stderr
    assert "'xstate'" in result.stderr


def test_what_a_format_can_not_express_is_told(folder: Path, run: Run) -> None:
    inner: dict[str, Any] = {"initial": "x", "states": {"x": {}, "y": {}}}
    (folder / "deep.json").write_text(json.dumps({"initial": "a.y", "states": {"a": inner}}))
    result = run("convert", "deep.json", "--to", "xstate")
    assert result.exit_code == 2
    assert "$.initial: XState starts a state in one of its own states" in result.stderr


def test_a_place_that_can_not_be_written_is_told(folder: Path, run: Run) -> None:
    (folder / "machine.json").write_text(json.dumps(V4))
    result = run("convert", "machine.json", "--to", "xstate", "-o", "nowhere/machine.json")
    assert result.exit_code == 2
    assert "can't write nowhere/machine.json" in result.stderr
