"""Code that a document could not hold is a name, with a note; what is data comes along as a function."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice.errors import DefinitionError
from fsmvoice.importers.xstate import from_xstate
from fsmvoice.machine.actor import create_fsm_actor
from fsmvoice.model.imported import Imported


def with_actions(actions: Any, **rest: Any) -> Imported:
    arc = {"target": "b", "actions": actions, **rest}
    return from_xstate({"id": "m", "initial": "a", "states": {"a": {"on": {"GO": arc}}, "b": {"on": {"ON": "a"}}}})


def arc_of(imported: Imported) -> Any:
    return imported.config.to_dict()["states"]["a"]["on"]["GO"]


@pytest.mark.parametrize("function", [{"__fn": ""}, {"type": ""}, {}])
def test_a_function_without_a_name_is_given_one_and_told(function: Any) -> None:
    imported = with_actions([function, function])
    assert arc_of(imported)["actions"] == ["action_a_go", "action_a_go_2"]
    assert imported.notes[0] == (
        "$.states.a.on.GO.actions[0]: a function without a name; give it as the action 'action_a_go'"
    )


def test_null_in_a_list_is_a_function_that_json_could_not_hold() -> None:
    assert arc_of(with_actions([None, "x"]))["actions"] == ["action_a_go", "x"]
    assert arc_of(with_actions(None)) == {"target": "b", "actions": []}


def test_a_function_with_a_name_keeps_it() -> None:
    imported = with_actions({"__fn": "pour"}, guard={"__fn": "ready"})
    assert arc_of(imported) == {"target": "b", "guard": "ready", "actions": "pour"}
    assert len(imported.notes) == 2


def test_a_made_up_name_is_none_that_the_document_uses() -> None:
    assert arc_of(with_actions(["action_a_go", {"__fn": ""}]))["actions"] == ["action_a_go", "action_a_go_2"]


def test_params_stay_and_version_4s_stand_beside_the_name() -> None:
    assert arc_of(with_actions({"type": "x", "params": {"n": 1}}))["actions"] == {"type": "x", "params": {"n": 1}}
    assert arc_of(with_actions({"type": "x", "n": 1}))["actions"] == {"type": "x", "params": {"n": 1}}
    assert arc_of(with_actions({"type": "x", "params": 5}))["actions"] == {"type": "x", "params": {"value": 5}}


def test_params_that_a_function_works_out_are_reported() -> None:
    imported = with_actions({"type": "x", "params": {"__fn": ""}})
    assert arc_of(imported)["actions"] == "x"
    assert "worked out by a function" in imported.notes[0]


def test_an_assign_of_data_comes_along() -> None:
    imported = with_actions({"type": "xstate.assign", "args": [{"cups": 2}]})
    actor = create_fsm_actor(imported)
    actor.send_sync("GO")
    assert actor.context == {"cups": 2}


def test_a_raise_comes_along() -> None:
    imported = with_actions([{"type": "xstate.raise", "args": [{"type": "ON"}]}])
    assert create_fsm_actor(imported).send_sync("GO").state == "a"


def test_version_4s_send_to_itself_is_raised_and_told() -> None:
    imported = with_actions({"type": "xstate.send", "event": "ON"}, cond="ok")
    assert create_fsm_actor(imported, guards={"ok": lambda: True}).send_sync("GO").state == "a"
    assert "$.states.a.on.GO.actions: sends 'ON' to the machine itself; it is raised instead" in imported.notes


def test_a_log_comes_along(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "fsmvoice"):
        create_fsm_actor(with_actions({"type": "xstate.log", "args": ["poured"]})).send_sync("GO")
    assert "poured" in caplog.text


@pytest.mark.parametrize(
    ("action", "name"),
    [
        ({"type": "xstate.assign", "args": [{"cups": {"__fn": ""}}]}, "assign_cups_a_go"),
        ({"type": "xstate.raise"}, "raise_a_go"),
        ({"type": "xstate.raise", "args": [{"type": "ON"}, {"delay": 10}]}, "raise_on_a_go"),
        ({"type": "xstate.sendTo", "args": ["printer", {"type": "PRINT"}]}, "send_to_printer_a_go"),
        ({"type": "xstate.sendParent", "args": ["DONE"]}, "send_parent_done_a_go"),
    ],
)
def test_what_xstate_makes_and_json_does_not_hold_is_a_name(action: Any, name: str) -> None:
    imported = with_actions(action)
    assert arc_of(imported)["actions"] == name
    assert imported.notes[0].endswith(f"give it as the action {name!r}")


@pytest.mark.parametrize(
    ("guard", "name"),
    [
        ({"type": "ok", "n": 1}, {"type": "ok", "params": {"n": 1}}),
        ({"type": "xstate.guard", "name": "ok", "predicate": {"__fn": ""}}, "ok"),
        ({"type": "xstate.and", "args": [["one", {"__fn": "two"}]]}, "one and two"),
        ({"type": "xstate.not", "args": ["one"]}, "not one"),
        ({"type": "xstate.or", "args": [["one", {"__fn": ""}]]}, "guard_or_a_go"),
        ({"type": "xstate.stateIn", "args": ["#m.a"]}, "in:#m.a"),
    ],
)
def test_the_forms_of_a_guard(guard: Any, name: Any) -> None:
    assert arc_of(with_actions(None, guard=guard))["guard"] == name


def test_what_is_not_a_name_is_refused_with_its_place() -> None:
    with pytest.raises(DefinitionError) as caught:
        with_actions([5, [], ""], guard=True)
    assert [problem.where.rpartition(".")[2] for problem in caught.value.problems] == [
        "guard",
        "actions[0]",
        "actions[1]",
        "actions[2]",
    ]
