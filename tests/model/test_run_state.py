"""Where a run stands, stored as JSON and read back."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.errors import RestoreError
from fsmvoice.model.behaviour import Behaviour
from fsmvoice.model.chart import compile_chart
from fsmvoice.model.context import context_type_for
from fsmvoice.model.parse import parse_config
from fsmvoice.model.private import Private
from fsmvoice.model.run_state import RunState, Service
from tests.engine.making import actor_of, chart_of

PLAYER: dict[str, Any] = {
    "id": "player",
    "version": "2",
    "initial": "off",
    "context": {"n": 1},
    "states": {
        "off": {"on": {"ON": "on", "BACK": "on.last"}},
        "on": {
            "initial": "low",
            "after": {"1000": "off"},
            "on": {"OFF": "off"},
            "states": {"low": {"on": {"UP": "high"}}, "high": {}, "last": {"type": "history"}},
        },
    },
}


class Card(BaseModel):
    drink: str = "latte"
    card: Annotated[str | None, Private] = None


def stored(*events: str) -> dict[str, Any]:
    actor = actor_of(PLAYER, clock=SimulatedClock(50))
    for event in events:
        actor.send_sync(event)
    data: dict[str, Any] = json.loads(json.dumps(actor.snapshot.persist()))
    return data


def test_json_and_back_is_the_same_run_state() -> None:
    actor = actor_of(PLAYER, clock=SimulatedClock(50))
    for event in ("ON", "UP", "OFF", "BACK"):
        actor.send_sync(event)
    data = json.loads(json.dumps(actor.run_state.dump(actor.chart)))
    assert RunState.load(chart_of(PLAYER), data) == actor.run_state


def test_the_json_names_states_by_path_and_holds_history_and_timers() -> None:
    data = stored("ON", "UP", "OFF", "BACK")
    assert data["machine"] == "player"
    assert data["version"] == "2"
    assert data["states"] == ["on.high"]
    assert data["history"] == {"on.last": ["on.high"]}
    event = "xstate.after.1000.player.on"
    assert data["timers"] == [{"id": event, "event": event, "due": 1050.0, "delay": 1000.0}]
    assert (data["status"], data["output"], data["seq"]) == ("active", None, 4)


def test_private_fields_are_stored() -> None:
    actor = actor_of({"initial": "a", "states": {"a": {}}}, context=context_type_for(Card))
    actor.context.card = "4111"
    data = json.loads(json.dumps(actor.snapshot.persist()))
    assert RunState.load(actor.chart, data).context == Card(card="4111")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"machine": "coffee"}, "is of machine 'coffee'; this is machine 'player'"),
        ({"states": ["off", "on.low"]}, "'player' needs 1|a compound state needs 1"),
        ({"states": ["on.low", "on.high"]}, "a compound state needs 1"),
        ({"version": 2}, "'version' is int"),
        ({"definition": ["x"]}, "'definition' is list"),
        ({"seq": -1}, "'seq' is not a count"),
        ({"seq": 10**400}, "'seq' is not a count"),
        ({"history": {"on.last": ["off"]}}, "remembers 'off'; that is not one of its own"),
        ({"history": {"on.last": []}}, "remembers nothing"),
        ({"history": {"on.last": ["on.low", "on.high"]}}, "it should be one state"),
        ({"timers": ["soon"]}, "a timer is str"),
        ({"timers": [{"id": 1, "event": "xstate.after.1000.player.on", "due": 1, "delay": 1}]}, "a timer is"),
        ({"timers": [{"id": "x", "event": "xstate.after.1000.player.on", "due": 10**400, "delay": 1}]}, "a timer is"),
        ({"timers": [{"id": "x", "event": "xstate.after.1000.player.on", "due": float("nan"), "delay": 1}]}, "timer"),
        ({"states": ["on.lov"]}, r"names the state 'on.lov'; did you mean 'on.low'\?"),
        ({"states": "off"}, "'states' is str; it should be list"),
        ({"context": []}, "'context' is list"),
        ({"status": "asleep"}, "the status 'asleep'"),
        ({"seq": "1"}, "'seq' is str"),
        ({"history": {"off": ["on.low"]}}, "history remembers something for 'off'"),
        ({"timers": [{"id": "x"}]}, "should have id, event, due and delay"),
        ({"timers": [{"id": "x", "event": "x", "due": 1, "delay": 1}]}, "a timer sends 'x'"),
        ({"states": ["off", "on.low"], "definition": "older"}, "'player'"),
        ({"states": ["on"], "definition": "older"}, "it stands in no state of 'on'"),
        ({"version": "1", "states": ["gone"]}, r"stored by version '1', this is '2'"),
    ],
)
def test_what_does_not_fit_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(RestoreError, match=message):
        RunState.load(chart_of(PLAYER), {**stored(), **change})


def test_a_missing_part_is_named() -> None:
    data = stored()
    del data["timers"]
    with pytest.raises(RestoreError, match="'timers' is missing"):
        RunState.load(chart_of(PLAYER), data)


def test_another_definition_in_which_everything_still_stands_somewhere_is_taken() -> None:
    data = stored("ON")
    newer: dict[str, Any] = {**PLAYER, "states": {**PLAYER["states"], "extra": {}}}
    state = RunState.load(chart_of(newer), data)
    assert state.leaves == (chart_of(newer).by_path["on.low"].index,)


def test_a_context_that_no_longer_fits_is_named() -> None:
    kind = context_type_for(Card)
    actor = actor_of({"initial": "a", "states": {"a": {}}}, context=kind)
    data = actor.snapshot.persist()
    data["context"]["drink"] = 7
    with pytest.raises(RestoreError, match="'drink'"):
        RunState.load(actor.chart, data)


def test_keys_with_dots_that_make_two_paths_alike_are_told_apart() -> None:
    config = {
        "id": "m",
        "initial": "a.b",
        "states": {
            "a": {"initial": "b", "states": {"b": {"id": "inner"}}},
            "a.b": {"id": "outer", "on": {"GO": "a"}},
        },
    }
    actor = actor_of(config)
    for _ in range(2):
        state = actor.run_state
        assert RunState.load(actor.chart, actor.snapshot.persist()) == state
        actor.send_sync("GO")


SERVED: dict[str, Any] = {"id": "s", "initial": "a", "states": {"a": {"invoke": {"src": "serve", "id": "it"}}}}


@pytest.mark.parametrize(
    "service",
    [
        "it",
        {"id": "it"},
        {"id": "it", "key": {}, "generation": 1},
        {"id": "it", "key": "k", "generation": 10**400},
        {"id": "it", "key": "k", "generation": float("inf")},
        {"id": "it", "key": "k", "generation": True},
    ],
)
def test_a_damaged_service_is_named(service: Any) -> None:
    chart = compile_chart(parse_config(SERVED), Behaviour(services={"serve": lambda: None}))
    data = RunState((1,), {}, services=(Service("it", "k"),)).dump(chart)
    assert RunState.load(chart, data).services == (Service("it", "k"),)
    with pytest.raises(RestoreError, match="a service is"):
        RunState.load(chart, {**data, "services": [service]})
    with pytest.raises(RestoreError, match="the service 'it' runs twice"):
        RunState.load(chart, {**data, "services": data["services"] * 2})


def test_a_machine_that_was_led_into_two_states_of_one_is_restored_all_the_same() -> None:
    states = {"a": {"on": {"GO": {"target": ["#m.b", "#m.c"]}}}, "b": {}, "c": {}}
    actor = actor_of({"id": "m", "initial": "a", "states": states})
    actor.send_sync("GO")
    stored = json.loads(json.dumps(actor.run_state.dump(actor.chart)))
    assert RunState.load(actor.chart, stored) == actor.run_state
