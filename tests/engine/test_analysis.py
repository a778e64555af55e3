"""What is seen of a chart without running it."""

from typing import Any

from fsmvoice.engine.analysis import analyse
from tests.engine.making import chart_of


def found(states: dict[str, Any], **root: Any) -> list[tuple[str, str]]:
    guards = {"g": lambda: True}
    chart = chart_of({"id": "m", "initial": next(iter(states)), "states": states, **root}, guards=guards)
    return [(finding.kind, finding.where) for finding in analyse(chart)]


def test_a_machine_in_order_has_no_findings() -> None:
    assert (
        found({"a": {"on": {"GO": "b"}}, "b": {"on": {"BACK": {"target": "a", "guard": "g"}}, "after": {"10": "a"}}})
        == []
    )


def test_a_state_that_nothing_leads_to_is_reported_at_its_top() -> None:
    island = {"initial": "x", "states": {"x": {"on": {"GO": "#m.a"}}, "y": {}}}
    assert found({"a": {"on": {"GO": "b"}}, "b": {"on": {"GO": "a"}}, "island": island}) == [
        ("unreachable-state", "$.states.island")
    ]


def test_a_history_leads_to_where_it_has_been() -> None:
    on = {"initial": "x", "states": {"x": {"on": {"GO": "y"}}, "y": {}, "h": {"history": "deep"}}}
    assert found({"off": {"on": {"POWER": "on.h"}}, "on": {**on, "on": {"POWER": "off"}}}) == []


def test_a_state_without_a_way_out_is_a_trap_unless_it_is_final() -> None:
    assert found({"a": {"on": {"GO": "b", "END": "z"}}, "b": {}, "z": {"final": True}}) == [("trap", "$.states.b")]


def test_a_region_that_rests_is_not_a_trap_while_another_leads_out() -> None:
    one = {"initial": "x", "states": {"x": {"on": {"GO": "y"}}, "y": {}}}
    other: dict[str, Any] = {"initial": "x", "states": {"x": {"on": {"OFF": "#m.off"}}}}
    on: dict[str, Any] = {"type": "parallel", "states": {"one": one, "other": other}}
    assert found({"off": {"on": {"ON": "on"}}, "on": on}) == []
    other["states"]["x"] = {"on": {"GO": "x"}}
    assert found({"off": {"on": {"ON": "on"}}, "on": on}) == [("trap", "$.states.on.states.one.states.y")]


def test_a_transition_behind_one_without_a_guard_is_never_taken() -> None:
    assert found({"a": {"on": {"GO": [{"target": "b", "guard": "g"}, "b", "a"]}}, "b": {"on": {"GO": "a"}}}) == [
        ("transition-never-taken", "$.states.a.on.GO[2]")
    ]


def test_a_transition_that_every_state_below_takes_first_is_never_taken() -> None:
    below: dict[str, Any] = {"a": {"on": {"GO": "b"}}, "b": {"on": {"*": "a"}}}
    assert found(below, on={"GO": ".b"}) == [("transition-never-taken", "$.on.GO")]
    below["b"] = {"on": {"GO": {"target": "a", "guard": "g"}}}
    assert found(below, on={"GO": ".b"}) == []


def test_in_a_parallel_state_one_region_that_always_takes_it_is_enough() -> None:
    regions: dict[str, Any] = {
        "one": {"initial": "x", "states": {"x": {"on": {"GO": "x"}}}},
        "two": {"initial": "x", "states": {"x": {}}},
    }
    on: dict[str, Any] = {"type": "parallel", "states": regions, "on": {"GO": "off", "OFF": "off"}}
    assert found({"off": {"on": {"ON": "on"}}, "on": on}) == [("transition-never-taken", "$.states.on.on.GO")]


def test_an_event_whose_transitions_are_all_out_of_reach_is_dead() -> None:
    assert found({"a": {"on": {"GO": "b"}}, "b": {"on": {"GO": "a"}}, "c": {"on": {"FLY": "a"}}}) == [
        ("unreachable-state", "$.states.c"),
        ("dead-event", "$.states.c.on.FLY"),
    ]


def test_always_that_goes_round_without_a_guard_is_reported_once() -> None:
    states = {"a": {"on": {"GO": "b"}}, "b": {"always": "c"}, "c": {"always": "d"}, "d": {"always": "b"}}
    assert found(states) == [("eventless-cycle", "$.states.b")]
    assert found({**states, "d": {"always": {"target": "b", "guard": "g"}}}) == []


def test_always_that_leads_to_its_own_state_comes_to_rest() -> None:
    assert found({"a": {"always": {"target": "a", "reenter": True}, "on": {"GO": "b"}}, "b": {"on": {"GO": "a"}}}) == []
