"""On random machines: valid configurations only; three ways of running agree; what fails changes nothing."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.engine.configuration import Configuration
from fsmvoice.engine.drive import drive_sync
from fsmvoice.engine.kernel import start, step
from fsmvoice.engine.open_step import Nobody
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.engine.timers import next_due
from fsmvoice.engine.verdicts import Look
from fsmvoice.errors import ActionFailed, RunawayError
from fsmvoice.model.behaviour import Behaviour, StepCode
from fsmvoice.model.chart import Chart, compile_chart
from fsmvoice.model.parse import parse_config
from fsmvoice.model.run_state import RunState
from tests.engine.machines import check_configuration, configs, events, functions
from tests.engine.making import chart_of

HARD = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
TICK = 15


def waiting(chart: Chart) -> Chart:
    """The same chart with actions that are coroutines and wait."""

    def slow(code: StepCode) -> StepCode:
        async def call(step: Any, params: Any) -> Any:
            await asyncio.sleep(0)
            return code.call(step, params)

        return StepCode(code.name, call, is_async=True)

    behaviour = chart.behaviour
    actions = {name: slow(code) for name, code in behaviour.actions.items()}
    return compile_chart(chart.config, Behaviour(actions=actions, guards=behaviour.guards))


def run_sync(chart: Chart, names: list[str]) -> list[RunState | None]:
    """The run state after each event; None where the machine would not come to rest."""
    clock = SimulatedClock()
    actor = FsmActor[Any](chart, clock=clock)
    states: list[RunState | None] = [actor.run_state]
    for name in names:
        try:
            if name == "tick":
                clock.advance(TICK)
                actor.catch_up()
            else:
                actor.send_sync(name)
        except RunawayError:
            states.append(None)
            break
        states.append(actor.run_state)
    return states


async def run_async(chart: Chart, names: list[str]) -> list[RunState | None]:
    clock = SimulatedClock()
    actor = await FsmActor[Any].started(chart, clock=clock)
    states: list[RunState | None] = [actor.run_state]
    for name in names:
        try:
            if name == "tick":
                clock.advance(TICK)
                await actor.catch_up_async()
            else:
                await actor.send(name)
        except RunawayError:
            states.append(None)
            break
        states.append(actor.run_state)
    return states


def run_pure(chart: Chart, names: list[str]) -> list[RunState | None]:
    now = 0.0
    state = drive_sync(start(chart))
    states: list[RunState | None] = [state]
    for name in names:
        try:
            now += TICK if name == "tick" else 0
            while (fired := next_due(state, now)) is not None:
                state = drive_sync(step(chart, fired[1], fired[0].event, now=now))[0]
            if name != "tick":
                state = drive_sync(step(chart, state, name, now=now))[0]
        except RunawayError:
            states.append(None)
            break
        state = RunState.load(chart, json.loads(json.dumps(state.dump(chart))))
        states.append(state)
    return states


def starts(chart: Chart) -> bool:
    try:
        FsmActor[Any](chart, clock=SimulatedClock())
    except RunawayError:
        return False
    return True


@HARD
@given(configs(), events())
def test_sync_async_and_pure_agree_and_every_configuration_is_valid(config: dict[str, Any], names: list[str]) -> None:
    chart = chart_of(parse_config(config).to_dict(), **functions())
    assume(starts(chart))
    states = run_sync(chart, names)
    for state in states:
        if state is not None:
            check_configuration(chart, state)
    assert run_pure(chart, names) == states
    assert asyncio.run(run_async(waiting(chart), names)) == states


@HARD
@given(configs(), events())
def test_what_is_kept_of_a_configuration_says_what_working_it_out_anew_says(
    config: dict[str, Any], names: list[str]
) -> None:
    chart = chart_of(config, **functions())
    assume(starts(chart))
    for _ in range(2):  # the second time everything is kept
        for state in run_sync(chart, names):
            if state is not None:
                look = Look(Configuration(chart, state.leaves), state, Nobody())
                assert Snapshot[Any](chart, state).verdicts == look.verdicts()


@HARD
@given(configs(), events())
def test_an_exception_in_any_callback_changes_nothing_and_the_next_event_works(
    config: dict[str, Any], names: list[str]
) -> None:
    calls = 0
    fail_at = 0

    def called(name: str) -> None:
        nonlocal calls
        calls += 1
        if calls == fail_at:
            raise OSError(name)

    chart = chart_of(config, **functions(called))
    assume(starts(chart))
    names = [name for name in names if name != "tick"]
    whole = run_sync(chart, names)
    for number, name in enumerate(names[: len(whole) - 1]):
        before, after = whole[number], whole[number + 1]
        if before is None or after is None:
            break
        actor = FsmActor[Any](chart, run_state=before, clock=SimulatedClock())
        calls, fail_at = 0, -1
        actor.send_sync(name)
        for failing in range(1, calls + 1):
            actor = FsmActor[Any](chart, run_state=before, clock=SimulatedClock())
            calls, fail_at = 0, failing
            with suppress(ActionFailed):
                actor.send_sync(name)
                pytest.fail("the exception was swallowed")
            assert actor.run_state is before
            fail_at = -1
            actor.send_sync(name)
            assert actor.run_state == after


@HARD
@given(configs(), events())
def test_a_cancellation_at_any_await_changes_nothing_and_the_next_event_works(
    config: dict[str, Any], names: list[str]
) -> None:
    chart = waiting(chart_of(config, **functions()))

    async def cancelled_at(actor: FsmActor[Any], name: str, awaits: int) -> bool:
        """Whether the event was still under way after so many awaits, and so was cancelled."""
        task = asyncio.create_task(actor.send(name))
        for _ in range(awaits):
            await asyncio.sleep(0)
        if task.done():
            return False
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return True

    async def run() -> None:
        actor = await FsmActor[Any].started(chart, clock=SimulatedClock())
        for name in names[:3]:
            before, awaits = actor.run_state, 1
            twin = FsmActor[Any](chart, run_state=before, clock=SimulatedClock())
            await twin.send(name)
            while await cancelled_at(actor, name, awaits):
                assert actor.run_state is before
                awaits += 1
            assert actor.run_state == twin.run_state

    try:
        asyncio.run(run())
    except RunawayError:
        assume(False)


def served(config: dict[str, Any], names: Iterator[str]) -> dict[str, Any]:
    """The config with a service in each atomic state, whose result counts and sets off nothing more."""
    inner = {key: served(child, names) for key, child in config.get("states", {}).items()}
    if inner:
        return {**config, "states": inner}
    if config.get("type") == "final" or "history" in config:
        return config
    return {**config, "invoke": {"src": "work", "id": next(names), "onDone": {"actions": "inc"}}}


@HARD
@given(configs(), events())
def test_sync_and_async_agree_on_services(config: dict[str, Any], names: list[str]) -> None:
    given_ids = (f"w{number}" for number in itertools.count())
    chart = chart_of(served(config, given_ids), **functions(), services={"work": lambda: 1})
    assume(starts(chart))
    assert asyncio.run(run_async(chart, names)) == run_sync(chart, names)
