"""Delayed transitions: timers are data, stepped before anything else, and fired by a loop where one runs."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# The lambdas are a config's functions; what they are called with has no type.

from __future__ import annotations

import asyncio
import gc
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.errors import ActionFailed, RunawayError
from fsmvoice.model.run_state import RunState
from tests.engine.making import Log, actor_of, chart_of

LAMP: Mapping[str, Any] = {
    "id": "lamp",
    "initial": "off",
    "states": {
        "off": {"on": {"ON": "on"}},
        "on": {"after": {"1000": "off"}, "on": {"TICK": {"actions": "tick"}, "DIM": {"target": "dim"}}},
        "dim": {"after": {"500": "off"}},
    },
}


def lamp(clock: SimulatedClock) -> FsmActor[Any]:
    return actor_of(LAMP, clock=clock, actions={"tick": lambda: None})


def test_a_timer_that_is_due_is_stepped_before_the_event() -> None:
    clock = SimulatedClock()
    actor = lamp(clock)
    actor.send_sync("ON")
    clock.advance(1000)
    outcome = actor.send_sync("DIM")
    assert (outcome.ok, outcome.reason, outcome.state) == (False, "no-transition", "off")
    assert outcome.changed
    assert outcome.snapshot.revision == 2


def test_can_steps_due_timers_and_the_snapshot_reads_what_was_committed() -> None:
    clock = SimulatedClock()
    actor = lamp(clock)
    actor.send_sync("ON")
    clock.advance(1000)
    assert actor.snapshot.value == "on"
    assert not actor.can("DIM")
    assert actor.snapshot.value == "off"


def test_an_internal_transition_leaves_the_timer_running() -> None:
    clock = SimulatedClock()
    actor = lamp(clock)
    actor.send_sync("ON")
    clock.advance(999)
    actor.send_sync("TICK")
    clock.advance(1)
    assert actor.catch_up()
    assert actor.snapshot.value == "off"


def test_leaving_the_state_stops_its_timer() -> None:
    clock = SimulatedClock()
    actor = lamp(clock)
    actor.send_sync("ON")
    clock.advance(900)
    actor.send_sync("DIM")
    assert [timer.due for timer in actor.run_state.timers] == [1400]
    clock.advance(499)
    assert not actor.catch_up()


def test_timers_are_stepped_by_due_time() -> None:
    log = Log()
    clock = SimulatedClock()
    actor = actor_of(
        {
            "initial": "a",
            "states": {
                "a": {"after": {"300": {"actions": "late"}, "100": {"actions": "early"}, "200": {"actions": "mid"}}}
            },
        },
        clock=clock,
        actions=log.actions("late", "early", "mid"),
    )
    clock.advance(1000)
    actor.catch_up()
    assert log == ["early", "mid", "late"]


def test_a_stored_timer_goes_on_where_it_was() -> None:
    actor = lamp(SimulatedClock())
    actor.send_sync("ON")
    chart, stored = actor.chart, actor.snapshot.persist()
    later = FsmActor[Any](chart, run_state=RunState.load(chart, stored), clock=SimulatedClock(5000))
    assert later.snapshot.value == "on"
    assert later.send_sync("ON").state == "on"
    assert later.snapshot.revision == 3


def test_a_delay_can_be_a_function_of_the_context_or_a_timedelta() -> None:
    clock = SimulatedClock()
    actor = actor_of(
        {
            "initial": "a",
            "context": {"wait": 20},
            "states": {"a": {"after": {"own": "b"}}, "b": {"after": {"day": "a"}}},
        },
        clock=clock,
        delays={"own": lambda context: context["wait"], "day": timedelta(days=1)},
    )
    clock.advance(20)
    actor.catch_up()
    assert actor.snapshot.value == "b"
    assert actor.run_state.timers[0].delay == 86_400_000


def test_a_delay_that_gives_no_time_is_an_error_that_names_it() -> None:
    with pytest.raises(ActionFailed, match="the delay 'own' returned neither"):
        actor_of({"initial": "a", "states": {"a": {"after": {"own": "a"}}}}, delays={"own": lambda: "soon"})


def test_a_timer_whose_step_fails_stays_due() -> None:
    clock = SimulatedClock()
    broken = True

    def ring() -> None:
        if broken:
            raise OSError("no bell")

    actor = actor_of(
        {"initial": "a", "states": {"a": {"after": {"10": {"target": "b", "actions": "ring"}}}, "b": {}}},
        clock=clock,
        actions={"ring": ring},
    )
    clock.advance(10)
    for _ in range(2):
        with pytest.raises(ActionFailed):
            actor.send_sync("ANY")
    assert actor.snapshot.value == "a"
    broken = False
    actor.catch_up()
    assert actor.snapshot.value == "b"


def test_timers_that_fall_due_without_end_are_bounded() -> None:
    actor = actor_of(
        {"initial": "a", "states": {"a": {"after": {"0": {"target": "a", "reenter": True}}}}}, clock=SimulatedClock()
    )
    with pytest.raises(RunawayError, match="fall due without end"):
        actor.catch_up()


async def test_with_a_running_loop_timers_fire_by_themselves() -> None:
    rung = asyncio.Event()
    actor = actor_of(
        {"initial": "a", "states": {"a": {"after": {"1": {"target": "b", "actions": "ring"}}}, "b": {}}},
        actions={"ring": rung.set},
    )
    await asyncio.wait_for(rung.wait(), 5)
    assert actor.snapshot.value == "b"


async def test_a_closed_actor_fires_no_timer() -> None:
    actor = actor_of({"initial": "a", "states": {"a": {"after": {"0": "b"}}, "b": {}}})
    await actor.aclose()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert actor.snapshot.value == "a"


async def test_a_timer_does_not_keep_an_actor_alive() -> None:
    log = Log()
    chart = chart_of(
        {"initial": "a", "states": {"a": {"after": {"0": {"actions": "ring"}}}}}, actions=log.actions("ring")
    )
    FsmActor[Any](chart)
    gc.collect()
    for _ in range(3):
        await asyncio.sleep(0)
    assert log == []


def test_a_clock_is_moved_by_milliseconds_or_a_timedelta() -> None:
    clock = SimulatedClock()
    clock.advance(500)
    clock.advance(timedelta(minutes=1))
    assert clock.now() == 60_500


def test_a_clock_does_not_go_back() -> None:
    with pytest.raises(ValueError, match="can't go back"):
        SimulatedClock().advance(-1)
