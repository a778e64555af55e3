"""A history state brings back what was active when its parent was left."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.making import Log, actor_of


@pytest.mark.parametrize(("kind", "inner"), [("shallow", "off"), ("deep", "on")])
def test_history_brings_back_the_child_or_all_the_way_down(kind: str, inner: str) -> None:
    actor = actor_of(
        {
            "initial": "work",
            "states": {
                "work": {
                    "initial": "first",
                    "on": {"PAUSE": "paused"},
                    "states": {
                        "first": {"on": {"NEXT": "second"}},
                        "second": {"initial": "off", "states": {"off": {"on": {"LIGHT": "on"}}, "on": {}}},
                        "back": {"history": kind},
                    },
                },
                "paused": {"on": {"RESUME": "work.back"}},
            },
        }
    )
    for event in ("NEXT", "LIGHT", "PAUSE", "RESUME"):
        outcome = actor.send_sync(event)
    assert outcome.state == {"work": {"second": inner}}


@pytest.mark.parametrize(("target", "expected"), [({}, "a"), ({"target": "b"}, "b")])
def test_history_without_a_visit_goes_to_its_target_else_to_the_start(target: dict[str, str], expected: str) -> None:
    actor = actor_of(
        {
            "initial": "out",
            "states": {
                "out": {"on": {"BACK": "in.last"}},
                "in": {"initial": "a", "states": {"a": {}, "b": {}, "last": {"type": "history", **target}}},
            },
        }
    )
    assert actor.send_sync("BACK").state == {"in": expected}


def test_history_of_a_parallel_state_without_a_visit_starts_all_regions() -> None:
    region: dict[str, Any] = {"initial": "a", "states": {"a": {}, "b": {}}}
    actor = actor_of(
        {
            "initial": "out",
            "states": {
                "out": {"on": {"BACK": "on.last"}},
                "on": {"type": "parallel", "states": {"r1": region, "r2": region, "last": {"type": "history"}}},
            },
        }
    )
    assert actor.send_sync("BACK").state == {"on": {"r1": "a", "r2": "a"}}


def test_a_state_that_is_left_for_its_own_history_is_entered_again() -> None:
    log = Log()
    region = {"initial": "a", "states": {"a": {"on": {"BACK": "#last"}}}}
    actor = actor_of(
        {
            "initial": "on",
            "states": {
                "on": {
                    "type": "parallel",
                    "entry": "enter",
                    "exit": "leave",
                    "states": {"r1": region, "r2": {}, "last": {"id": "last", "type": "history"}},
                }
            },
        },
        actions=log.actions("enter", "leave"),
    )
    actor.send_sync("BACK")
    assert log == ["enter", "leave", "enter"]
    assert [node.path for node in actor.snapshot.nodes] == ["", "on", "on.r1", "on.r1.a", "on.r2"]


def test_an_arc_that_stays_beside_one_that_leads_out_of_its_region_enters_nothing_there() -> None:
    busy = {
        "type": "parallel",
        "states": {"r": {"on": {"GO": "#m.free"}}, "s": {"on": {"GO": "h"}}, "h": {"type": "history", "target": "s"}},
    }
    actor = actor_of({"id": "m", "initial": "busy", "states": {"busy": busy, "free": {}}})
    actor.send_sync("GO")
    assert ([str(node) for node in actor.snapshot.nodes], actor.snapshot.value) == (["m", "free"], "free")


def test_an_arc_back_into_its_source_by_a_history_is_not_taken_beside_one_that_leaves_that_source() -> None:
    log = Log()
    busy = {
        "type": "parallel",
        "states": {
            "r": {"on": {"GO": {"target": "#m.free", "actions": "leave"}}},
            "s": {"on": {"GO": {"target": "h", "actions": "come back"}}},
            "h": {"type": "history", "target": "s"},
        },
    }
    states = {"busy": busy, "free": {}}
    actor = actor_of({"id": "m", "initial": "busy", "states": states}, actions=log.actions("leave", "come back"))
    actor.send_sync("GO")
    assert log == ["leave"]


def test_regions_that_one_arc_leaves_are_all_entered_again_though_another_arc_stays_in_one() -> None:
    inner = {
        "type": "parallel",
        "states": {
            "x": {"initial": "p", "states": {"p": {"on": {"GO": "h"}}, "h": {"type": "history", "target": "p"}}},
            "y": {"initial": "q", "states": {"q": {"on": {"GO": "#m.other"}}}},
        },
    }
    actor = actor_of({"id": "m", "type": "parallel", "states": {"one": inner, "other": {}}})
    actor.send_sync("GO")
    assert actor.snapshot.value == {"one": {"x": "p", "y": "q"}, "other": {}}
