"""Where version 4 goes another way than the import, a note says so, with its place."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice.importers.xstate import from_xstate

PLAIN: dict[str, Any] = {"id": "m", "initial": "a", "states": {"a": {"on": {"GO": "b"}}, "b": {}}}
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
            {"a": {**REGIONS, "on": {"GO": ".r"}}},
            "$.states.a.on.GO: the other regions of 'a' start again; version 4 leaves them as they are",
        ),
        (
            {"a": {"initial": "x", "states": {"x": {"entry": "ring"}, "y": {}}, "on": {"GO": ".x"}}},
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
