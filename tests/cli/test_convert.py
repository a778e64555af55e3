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


def test_an_unknown_format_is_reported_with_those_there_are(folder: Path, run: Run) -> None:
    result = run("convert", "machine.json", "--to", "visio")
    assert result.exit_code == 2
    assert "'mermaid'" in result.stderr
    assert "'xstate'" in result.stderr


def test_what_a_format_can_not_express_is_reported(folder: Path, run: Run) -> None:
    inner: dict[str, Any] = {"initial": "x", "states": {"x": {}, "y": {}}}
    (folder / "deep.json").write_text(json.dumps({"initial": "a.y", "states": {"a": inner}}))
    result = run("convert", "deep.json", "--to", "xstate")
    assert result.exit_code == 2
    assert "$.initial: in XState, initial has to be a child of the state" in result.stderr


def test_the_screens_of_all_states_are_keyed_by_state(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    screens = json.loads(run("convert", "coffee.py", "--to", "screen").stdout)
    assert list(screens) == ["idle", "done"]
    assert [action["event"] for action in screens["idle"]["actions"] if action["enabled"]] == ["ORDER"]
    assert screens["done"]["final"] is True


def test_forms_for_react_are_keyed_by_state_and_event(folder: Path, run: Run) -> None:
    (folder / "coffee.py").write_text(COFFEE)
    forms = json.loads(run("convert", "coffee.py", "--to", "rjsf").stdout)
    assert forms["idle"]["ORDER"].keys() == {"schema", "uiSchema"}


def test_screens_ask_guards_so_a_config_needs_its_functions(folder: Path, run: Run) -> None:
    on = {"GO": {"target": "b", "guard": "ok"}}
    (folder / "m.json").write_text(json.dumps({"initial": "a", "states": {"a": {"on": on}, "b": {"type": "final"}}}))
    (folder / "functions.py").write_text("guards = {'ok': lambda context: False}\n")
    result = run("convert", "m.json", "--to", "screen")
    assert result.exit_code == 2
    assert "--behaviour" in result.stderr
    screens = json.loads(run("convert", "m.json", "--to", "screen", "--behaviour", "functions.py").stdout)
    assert screens["a"]["actions"][0]["enabled"] is False


def test_a_place_that_can_not_be_written_is_reported(folder: Path, run: Run) -> None:
    (folder / "machine.json").write_text(json.dumps(V4))
    result = run("convert", "machine.json", "--to", "xstate", "-o", "nowhere/machine.json")
    assert result.exit_code == 2
    assert "can't write nowhere/machine.json" in result.stderr
