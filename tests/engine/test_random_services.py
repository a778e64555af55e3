"""On random machines with services: whatever fails, and wherever, the machine stands somewhere and takes what comes."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.engine.configuration import configuration_of
from fsmvoice.errors import ActionFailed, RunawayError, ServiceFailed
from fsmvoice.model.chart import Chart
from tests.engine.machines import check_configuration, configs, events, functions
from tests.engine.making import chart_of

HARD = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
TOLD = (ActionFailed, ServiceFailed)
"""How a failure is told to whoever sent the event."""
MOST = 40
"""Calls of services after which they do nothing more: some machines start them again without end."""


def served(config: dict[str, Any], names: Iterator[str], *, heard: bool) -> dict[str, Any]:
    """The config with a service in each atomic state; its failure has a transition, or has not."""
    inner = {key: served(child, names, heard=heard) for key, child in config.get("states", {}).items()}
    if inner:
        return {**config, "states": inner}
    if config.get("type") == "final" or "history" in config:
        return config
    invoke: dict[str, Any] = {"src": "work", "id": next(names), "onDone": {"actions": "inc"}}
    if heard:
        invoke["onError"] = {"actions": "set"}
    return {**config, "invoke": invoke}


def chart_with(
    config: dict[str, Any], work: Callable[..., Any], *, heard: bool, called: Callable[[str], None] = lambda _: None
) -> Chart:
    ids = (f"w{number}" for number in itertools.count())
    return chart_of(served(config, ids, heard=heard), **functions(called), services={"work": work})


def check(actor: FsmActor[Any]) -> None:
    """It stands in a valid configuration, and each service it counts is of a state that is active."""
    state = actor.run_state
    check_configuration(actor.chart, state)
    configuration = configuration_of(actor.chart, state.leaves)
    for service in state.services:
        assert configuration.invocation(service.id) is not None
    assert not actor.busy


class Calls:
    """Counts the calls of all step code and services, and fails the one that it is told."""

    def __init__(self) -> None:
        self.count = self.works = 0
        self.fails_at = -1
        self.failed = ""

    def begin(self, fails_at: int) -> None:
        self.count, self.works, self.fails_at, self.failed = 0, 0, fails_at, ""

    def __call__(self, name: str) -> None:
        self.count += 1
        if self.count == self.fails_at:
            self.failed = name
            raise OSError(name)

    def work(self) -> int:
        self.works += 1
        self("work")
        return 1


@HARD
@given(configs(), events(), st.booleans())
def test_a_plain_service_or_its_step_that_fails_leaves_a_machine_that_works(
    config: dict[str, Any], names: list[str], heard: bool
) -> None:
    calls = Calls()
    chart = chart_with(config, calls.work, heard=heard, called=calls)
    try:
        actor = FsmActor[Any](chart, clock=SimulatedClock())
        for name in [name for name in names if name != "tick"][:3]:
            before = actor.run_state
            calls.begin(-1)
            actor.send_sync(name)
            after, whole = actor.run_state, calls.count
            assume(whole < MOST)
            for failing in range(1, whole + 1):
                again = FsmActor[Any](chart, run_state=before, clock=SimulatedClock())
                calls.begin(failing)
                try:
                    again.send_sync(name)
                except TOLD:
                    if not calls.works:  # the step of the event itself: it never was
                        assert again.run_state is before
                else:
                    assert calls.works, "the exception was swallowed"
                check(again)
                assert again.run_state.services == ()
                calls.begin(-1)
                twin = FsmActor[Any](chart, run_state=again.run_state, clock=SimulatedClock())
                again.send_sync(name)
                twin.send_sync(name)
                assert again.run_state == twin.run_state
                if calls.failed and not calls.works:
                    assert again.run_state == after
    except RunawayError:
        assume(False)


@HARD
@given(configs(), events(), st.integers(1, 10), st.booleans())
def test_callbacks_run_as_long_as_their_states_whichever_fails(
    config: dict[str, Any], names: list[str], fails_at: int, heard: bool
) -> None:
    begun = running = 0

    def work(send: Any) -> Callable[[], None]:
        nonlocal begun, running
        begun += 1
        if begun < MOST:
            send("A")
        if begun == fails_at:
            raise OSError
        running += 1

        def stop() -> None:
            nonlocal running
            running -= 1

        return stop

    try:
        with suppress(*TOLD):
            actor = FsmActor[Any](chart_with(config, work, heard=heard), clock=SimulatedClock())
            for name in names:
                with suppress(*TOLD):
                    actor.send_sync(name)
                check(actor)
                assert running == len(actor.run_state.services)
            actor.close()
            assert running == 0
    except RunawayError:
        assume(False)


class Work:
    """A service that waits until the test lets it go on."""

    def __init__(self) -> None:
        self.waiting: list[asyncio.Future[int]] = []
        self.running = 0

    async def __call__(self) -> int:
        self.running += 1
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.waiting.append(future)
        try:
            return await future
        finally:
            self.running -= 1


async def idle() -> None:
    """Let what is ready run."""
    for _ in range(4):
        await asyncio.sleep(0)


@HARD
@given(configs(), st.lists(st.sampled_from(["A", "B", "C", "x.y", "done", "fail"]), max_size=12), st.booleans())
def test_coroutines_run_as_long_as_their_states_and_late_results_are_dropped(
    config: dict[str, Any], names: list[str], heard: bool
) -> None:
    work = Work()

    async def coroutine() -> int:
        return await work()

    async def run() -> None:
        actor = await FsmActor[Any].started(chart_with(config, coroutine, heard=heard), clock=SimulatedClock())
        for name in names:
            await idle()
            if name not in ("done", "fail"):
                await actor.send(name)
            elif live := [future for future in work.waiting if not future.done()]:
                if name == "done":
                    live[0].set_result(1)
                else:
                    live[0].set_exception(OSError())
            await idle()
            check(actor)
            assert work.running == len(actor.run_state.services)
        # What comes in the moment its state is left was decided before: it is dropped.
        for future in work.waiting:
            if not future.done():
                future.set_result(1)
        actor.close()
        stood = actor.run_state
        await idle()
        assert actor.run_state is stood
        await actor.aclose()
        assert work.running == 0

    try:
        asyncio.run(run())
    except RunawayError:
        assume(False)


@HARD
@given(configs(), st.integers(1, 6))
def test_a_call_cancelled_while_services_run_changes_nothing(config: dict[str, Any], awaits: int) -> None:
    work = Work()

    async def coroutine() -> int:
        return await work()

    async def run() -> None:
        actor = await FsmActor[Any].started(chart_with(config, coroutine, heard=True), clock=SimulatedClock())
        await idle()
        task = asyncio.create_task(actor.send("A"))
        for _ in range(awaits):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await idle()
        check(actor)
        assert work.running == len(actor.run_state.services)
        await actor.send("B")
        await actor.aclose()

    try:
        asyncio.run(run())
    except RunawayError:
        assume(False)


def test_a_wildcard_takes_the_failure_of_a_service_as_xstate_has_it() -> None:
    def work() -> None:
        raise OSError

    config = {
        "initial": "a",
        "states": {"a": {"on": {"GO": "b"}}, "b": {"invoke": {"src": "work"}}, "c": {}},
        "on": {"*": ".c"},
    }
    actor = FsmActor[Any](chart_of(config, services={"work": work}))
    actor.send_sync("GO")
    assert actor.snapshot.value == "c"
    del config["on"]
    actor = FsmActor[Any](chart_of(config, services={"work": work}))
    with pytest.raises(ServiceFailed):
        actor.send_sync("GO")
    assert (actor.snapshot.value, actor.run_state.services) == ("b", ())
