"""Transitions of an XState document lead where XState leads."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice.errors import DefinitionError
from fsmvoice.importers.xstate import from_xstate
from fsmvoice.machine.actor import create_fsm_actor

NESTED: dict[str, Any] = {"initial": "x", "states": {"x": {}, "y": {}}}


def arc(raw: Any, *, version: Any = None) -> Any:
    document = {"id": "m", "initial": "a", "states": {"a": {**NESTED, "on": {"E": raw}}, "b": {}}}
    return from_xstate(document, version=version).config.to_dict()["states"]["a"]["on"]["E"]


@pytest.mark.parametrize("raw", ["b", {"target": "b"}, [{"target": "b"}], {"target": ["b"]}])
def test_the_ways_to_write_a_target(raw: Any) -> None:
    assert arc(raw) == "b"


def test_null_takes_the_event_and_an_empty_list_does_not() -> None:
    assert arc(None) == {}
    assert arc([]) == []


def test_a_transition_that_is_a_function_leads_nobody_knows_where() -> None:
    with pytest.raises(DefinitionError, match=r"\$\.states\.a\.on\.E: is a function; where it leads is not in the doc"):
        arc({"__fn": "next"})


def test_version_4_leaves_a_state_that_it_targets_itself() -> None:
    assert arc("a", version=4) == {"target": "a", "reenter": True}
    assert arc(".y", version=4) == ".y"
    assert arc({"target": "a.y", "internal": True}) == "a.y"
    assert arc({"target": ".y", "internal": False}) == {"target": ".y", "reenter": True}
    assert arc("b", version=4) == "b"
    assert arc("a") == "a"


def test_version_4s_root_reaches_its_states_by_name() -> None:
    document: Any = {"initial": "a", "on": {"E": {"target": "b", "cond": "ok"}}, "states": {"a": {}, "b": {}}}
    assert from_xstate(document).config.to_dict()["on"] == {"E": {"target": ".b", "guard": "ok", "reenter": True}}


def test_version_4s_empty_event_is_always() -> None:
    document = {"initial": "a", "states": {"a": {"on": {"": [{"target": "b", "cond": "ok"}]}}, "b": {}}}
    assert from_xstate(document).config.to_dict()["states"]["a"] == {"always": {"target": "b", "guard": "ok"}}


def test_version_4s_list_of_events() -> None:
    document = {"initial": "a", "states": {"a": {"on": [{"event": "E", "target": "b"}, {"event": "E"}]}, "b": {}}}
    assert from_xstate(document).config.to_dict()["states"]["a"]["on"] == {"E": ["b", {}]}
    with pytest.raises(DefinitionError, match=r"\$\.states\.a\.on\[0\]: has no event"):
        from_xstate({"initial": "a", "states": {"a": {"on": [{"target": "a"}]}}})


def test_version_4s_delimiter_becomes_a_dot() -> None:
    document = {"initial": "b", "delimiter": "_", "states": {"a": NESTED, "b": {"on": {"E": "a_y"}}}}
    assert create_fsm_actor(from_xstate(document)).send_sync("E").state == {"a": "y"}


def test_a_dot_in_a_key_may_have_a_backslash() -> None:
    document = {"initial": "a", "states": {"a": {"on": {"E": "b\\.c"}}, "b.c": {}}}
    assert create_fsm_actor(from_xstate(document)).send_sync("E").state == "b.c"


def test_a_state_may_target_itself_with_a_dot() -> None:
    document = {"initial": "a", "states": {"a": {**NESTED, "on": {"Y": ".y", "E": {"target": "."}}}}}
    actor = create_fsm_actor(from_xstate(document))
    actor.send_sync("Y")
    assert actor.send_sync("E").state == {"a": "x"}


@pytest.mark.parametrize("state", ["#m.light.on", "light.on", {"light": "on"}])
def test_in_holds_while_a_state_is_active(state: Any) -> None:
    light = {"initial": "off", "states": {"off": {"on": {"FLIP": "on"}}, "on": {}}}
    door = {"initial": "shut", "states": {"shut": {"on": {"OPEN": {"target": "open", "in": state}}}, "open": {}}}
    actor = create_fsm_actor(from_xstate({"id": "m", "type": "parallel", "states": {"light": light, "door": door}}))
    assert not actor.can("OPEN")
    actor.send_sync("FLIP")
    assert actor.can("OPEN")


@pytest.mark.parametrize("ok", [True, False])
def test_in_and_a_guard_must_both_hold(ok: bool) -> None:
    states = {"a": {"on": {"E": {"target": "b", "in": "#m.a", "cond": {"type": "ok", "given": ok}}}}, "b": {}}
    imported = from_xstate({"id": "m", "initial": "a", "states": states})

    def given(params: Any) -> bool:
        return bool(params["given"])

    actor = create_fsm_actor(imported, guards={"ok": given})
    assert actor.can("E") is ok


def test_in_that_names_several_states_is_refused() -> None:
    with pytest.raises(DefinitionError, match=r"\$\.states\.a\.on\.E\.in: names no state, or several"):
        arc({"target": "b", "in": {"x": "1", "y": "2"}})


def test_an_unknown_key_of_a_transition_is_kept() -> None:
    assert arc({"target": "b", "colour": "red"}) == {"target": "b", "meta": {"xstate": {"colour": "red"}}}
