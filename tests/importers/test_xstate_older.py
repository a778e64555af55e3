"""Where version 4 goes another way than the import, a note says so, with its place."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice.importers.xstate import from_xstate
from fsmvoice.machine.actor import create_fsm_actor

PLAIN: dict[str, Any] = {"id": "m", "initial": "a", "states": {"a": {"on": {"GO": "b"}}, "b": {}}}
NESTED: dict[str, Any] = {"initial": "p", "states": {"p": {}}}
REGIONS: dict[str, Any] = {"type": "parallel", "states": {"r": {}, "s": {"initial": "x", "states": {"x": {}, "y": {}}}}}


def notes(document: Any) -> list[str]:
    found = from_xstate(document, version=4).notes
    return [note for note in found if "version 4" in note and not note.startswith("$: read as")]


def test_what_is_the_same_in_both_versions_has_no_note() -> None:
    assert notes(PLAIN) == []


@pytest.mark.parametrize(
    ("states", "note"),
    [
        (
            {"a": {"on": {"x.*": "b"}}},
            "$.states.a.on: 'x.*' stands for all that begin so; in version 4 only for itself",
        ),
        (
            {"a": {"on": {"*": "b"}, "after": {"10": "b"}}},
            "$.states.a.on: '*' takes what no other does; in version 4 this state's timers, too",
        ),
        (
            {"a": {**REGIONS, "on": {"GO": [".r", ".s.y"]}}},
            "$.states.a.on.GO[0]: the other regions of 'a' start again; version 4 leaves them as they are",
        ),
        (
            {"a": {"initial": "x", "states": {"x": {"entry": "ring", **NESTED}, "y": {}}, "on": {"GO": ".x"}}},
            "$.states.a.on.GO: leaves and enters what is active already; version 4 does not",
        ),
        (
            {
                "a": {
                    "initial": "x",
                    "states": {"x": {"on": {"GO": "h"}}, "h": {"type": "history"}},
                }
            },
            "$.states.a.states.x.on.GO: leads to what 'a' was when it was left; in version 4 to what it is",
        ),
        (
            {
                "a": {
                    "type": "parallel",
                    "states": {"r": {"on": {"GO": "#m.b"}}, "s": {"on": {"GO": {"actions": "ring"}}}},
                }
            },
            "$.states.a.states.r.on: the first of the regions' arcs is taken; version 4 takes all for one event",
        ),
    ],
)
def test_what_is_not_has_one(states: dict[str, Any], note: str) -> None:
    assert notes({"id": "m", "initial": "a", "states": {"b": {}, **states}}) == [note]


def test_an_arc_into_one_region_stands_in_that_region_so_that_the_others_stay_as_they_are() -> None:
    states = {"a": {**REGIONS, "on": {"GO": ".s.y", "BACK": ".s.x", "REST": {"actions": "ring"}}}}
    imported = from_xstate({"id": "m", "initial": "a", "states": states}, version=4)
    a = imported.config.to_dict()["states"]["a"]
    assert a["on"] == {"REST": {"actions": "ring"}}
    assert a["states"]["s"]["on"] == {"GO": "#m.a.s.y", "BACK": "#m.a.s.x"}
    note = "$.states.a.on.GO: stands in the region 'a.s', so that the others stay as they are"
    assert note in imported.notes


def test_a_state_is_not_left_and_entered_while_it_is_active() -> None:
    entered: list[str] = []
    states = {"x": {"entry": "ring"}, "y": {}}
    document = {"id": "m", "initial": "y", "states": states, "on": {"GO": {"target": ".x", "cond": "ok"}, "AWAY": ".y"}}
    actor = create_fsm_actor(
        from_xstate(document), actions={"ring": lambda: entered.append("x")}, guards={"ok": lambda: True}
    )
    for event in ("GO", "GO", "AWAY", "GO"):
        actor.send_sync(event)
    assert entered == ["x", "x"]


def test_a_region_that_does_nothing_on_entry_starts_again_alone() -> None:
    states = {
        "r": {**NESTED, "on": {"GO": "r"}},
        "s": {"initial": "x", "states": {"x": {"on": {"NEXT": "y"}}, "y": {}}},
    }
    actor = create_fsm_actor(from_xstate({"id": "m", "type": "parallel", "states": states}, version=4))
    for event in ("NEXT", "GO"):
        actor.send_sync(event)
    assert actor.snapshot.value == {"r": "p", "s": "y"}
