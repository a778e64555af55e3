"""Where a machine can stand is found without running it: guards may say anything, and nothing else is there."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice.check import check
from fsmvoice.check.ways import MAX_STANDINGS, Ways
from fsmvoice.model.parse import parse_config
from fsmvoice.model.unbound import unbound_chart


def standings(states: dict[str, Any], initial: str = "a", **more: Any) -> list[object]:
    chart = unbound_chart(parse_config({"id": "m", "initial": initial, "states": states, **more}))
    return [standing.value for standing in Ways(chart).standings]


def test_a_state_that_is_left_at_once_is_not_a_place_to_wait() -> None:
    assert standings({"a": {"on": {"GO": "b"}}, "b": {"always": "c"}, "c": {}}) == ["a", "c"]


def test_a_guard_may_hold_it_there() -> None:
    assert standings({"a": {"on": {"GO": "b"}}, "b": {"always": {"target": "c", "guard": "g"}}, "c": {}}) == [
        "a",
        "b",
        "c",
    ]


def test_regions_that_one_event_moves_go_together() -> None:
    region = {"initial": "x", "states": {"x": {"on": {"GO": "y"}}, "y": {}}}
    found = standings({"a": {"type": "parallel", "states": {"l": region, "r": region}}})
    assert found == [{"a": {"l": "x", "r": "x"}}, {"a": {"l": "y", "r": "y"}}]


def test_a_state_that_is_done_leads_on() -> None:
    inner = {"initial": "x", "states": {"x": {"on": {"GO": "y"}}, "y": {"type": "final"}}, "onDone": "b"}
    assert standings({"a": inner, "b": {}}) == [{"a": "x"}, "b"]


def test_timers_and_services_lead_on() -> None:
    found = standings(
        {"a": {"after": {"10": "b"}, "invoke": {"src": "s", "onDone": "c", "onError": "d"}}, "b": {}, "c": {}, "d": {}}
    )
    assert found == ["a", "b", "c", "d"]


def ring(name: str) -> dict[str, Any]:
    """Six states in a ring, each with an event of its own to the next."""
    states = {str(n): {"on": {f"GO_{name}_{n}": str((n + 1) % 6)}} for n in range(6)}
    return {"initial": "0", "states": states}


def many_regions() -> dict[str, Any]:
    regions = {f"r{number}": ring(f"r{number}") for number in range(6)}
    return {"id": "m", "initial": "a", "states": {"a": {"type": "parallel", "states": regions}}}


def test_there_is_an_end_to_what_is_looked_at() -> None:
    ways = Ways(unbound_chart(parse_config(many_regions())))
    assert not ways.complete
    assert len(ways.standings) <= MAX_STANDINGS


def test_every_state_is_looked_at_before_all_mixtures_of_them() -> None:
    chart = unbound_chart(parse_config(many_regions()))
    assert {node for node in chart.nodes if node.is_leaf} <= Ways(chart).active()


def test_a_machine_of_a_thousand_states_is_looked_at_whole() -> None:
    states: dict[str, Any] = {str(n): {"on": {"NEXT": str((n + 1) % 1000)}} for n in range(1000)}
    ways = Ways(unbound_chart(parse_config({"id": "m", "initial": "0", "states": states})))
    assert ways.complete
    assert len(ways.standings) == 1000


def test_what_was_left_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fsmvoice.check.ways.MAX_STANDINGS", 40)
    checked = check(parse_config(many_regions()))
    assert checked.notes[0].endswith("combinations of active states were checked, and there are more")
    assert check(parse_config({"id": "m", "initial": "a", "states": {"a": {}}})).notes == ()
