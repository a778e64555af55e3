"""Services: started after the commit, cancelled when their state is left, and heard of as events."""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.engine.drive import drive_sync
from fsmvoice.engine.kernel import StartService, StopService, start, step
from fsmvoice.errors import DefinitionError, ServiceFailed
from fsmvoice.model.run_state import RunState, Service
from fsmvoice.model.service import Send
from tests.engine.loading import ACTIONS, LOADING, Gate, loading
from tests.engine.making import actor_of, chart_of


async def test_a_service_starts_after_the_commit_and_its_result_is_an_event() -> None:
    gate = Gate()
    actor = loading(gate.load)
    outcome = await actor.send("LOAD")
    assert (outcome.state, gate.log) == ("loading", [])
    gate.open.set()
    await actor.settled()
    assert (actor.snapshot.value, actor.context, actor.run_state.services) == ("ready", {"n": 7}, ())


async def test_a_service_sees_a_copy_of_the_committed_context_and_its_input() -> None:
    seen: list[Any] = []

    async def load(context: dict[str, Any], input: Any) -> int:
        context["n"] = 99
        seen.append(input)
        return 1

    config = {"initial": "a", "context": {"n": 0}, "states": {"a": {"invoke": {"src": "load", "input": {"id": 5}}}}}
    actor = actor_of(config, services={"load": load})
    await actor.settled()
    assert (seen, actor.context) == ([{"id": 5}], {"n": 0})


async def test_a_failure_is_an_event() -> None:
    async def load() -> int:
        raise OSError("offline")

    actor = loading(load)
    await actor.send("LOAD")
    await actor.settled()
    assert actor.snapshot.value == "broken"


async def cancelled_within() -> None:
    task = asyncio.ensure_future(asyncio.sleep(10))
    task.cancel()
    await task


async def exits() -> None:
    raise SystemExit(2)


def cancelled_at_once() -> None:
    raise asyncio.CancelledError


@pytest.mark.parametrize("load", [cancelled_within, exits, cancelled_at_once])
async def test_what_is_not_an_exception_elsewhere_is_a_failure_of_a_service_too(load: Callable[[], Any]) -> None:
    actor = loading(load)
    await actor.send("LOAD")
    await actor.settled()
    assert (actor.snapshot.value, actor.run_state.services) == ("broken", ())


async def test_a_failure_that_nothing_takes_is_told_to_who_waits_and_to_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def load() -> int:
        raise OSError("offline")

    actor = actor_of({"id": "m", "initial": "a", "states": {"a": {"invoke": {"src": "load"}}}}, services={"load": load})
    with pytest.raises(ServiceFailed, match="failed with OSError: offline; no transition handles its error in 'a'"):
        await actor.settled()
    assert "offline" in caplog.text
    await actor.settled()
    assert (actor.snapshot.value, actor.run_state.services) == ("a", ())


async def test_a_service_is_cancelled_when_its_state_is_left() -> None:
    gate = Gate()
    actor = loading(gate.load)
    await actor.send("LOAD")
    await asyncio.sleep(0)
    await actor.send("SKIP")
    await actor.settled()
    assert (gate.log, actor.run_state.services) == (["started", "cancelled"], ())


async def test_a_result_that_comes_late_is_dropped_with_a_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    stubborn = asyncio.Event()

    async def load() -> int:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await stubborn.wait()
        return 1

    actor = loading(load)
    await actor.send("LOAD")
    await asyncio.sleep(0)
    await actor.send("SKIP")
    await actor.send("LOAD")
    stubborn.set()
    with caplog.at_level(logging.INFO, "fsmvoice"):
        for _ in range(5):
            await asyncio.sleep(0)
    assert "was dropped: its state was exited" in caplog.text
    assert (actor.snapshot.value, actor.run_state.services) == ("loading", (Service("0.m.loading", "0.m.loading:3"),))
    await actor.aclose()


async def test_an_event_that_stays_in_the_state_leaves_its_service_alone() -> None:
    gate = Gate()
    actor = loading(gate.load)
    await actor.send("LOAD")
    await actor.send("TICK")
    gate.open.set()
    await actor.settled()
    assert gate.log == ["started", "ended"]


async def test_a_state_that_is_left_within_the_macrostep_starts_nothing() -> None:
    calls: list[str] = []
    actor = actor_of(
        {
            "initial": "a",
            "states": {"a": {"on": {"GO": "b"}}, "b": {"invoke": {"src": "load"}, "always": "c"}, "c": {}},
        },
        services={"load": lambda: calls.append("load")},
    )
    await actor.send("GO")
    assert (actor.snapshot.value, calls) == ("c", [])


async def test_a_machine_that_is_done_has_cancelled_its_services() -> None:
    gate = Gate()
    config = {"initial": "a", "invoke": {"src": "load"}, "states": {"a": {"on": {"END": "z"}}, "z": {"final": True}}}
    actor = actor_of(config, services={"load": gate.load})
    await asyncio.sleep(0)
    await actor.send("END")
    await actor.settled()
    assert gate.log == ["started", "cancelled"]


async def test_starting_over_cancels_services_and_starts_new_ones() -> None:
    gate = Gate()
    actor = actor_of({"initial": "a", "states": {"a": {"invoke": {"src": "load"}}}}, services={"load": gate.load})
    await asyncio.sleep(0)
    await actor.reset_async()
    await asyncio.sleep(0)
    assert gate.log == ["started", "cancelled", "started"]
    await actor.aclose()


def test_a_run_state_names_its_services_and_a_restore_starts_none() -> None:
    calls: list[int] = []

    def load(send: Send) -> None:
        calls.append(1)

    actor = loading(load)
    actor.send_sync("LOAD")
    stored = json.loads(json.dumps(actor.snapshot.persist()))
    assert stored["services"] == [{"id": "0.m.loading", "key": "0.m.loading:1", "generation": 1}]
    state = RunState.load(actor.chart, stored)
    again = FsmActor[Any](actor.chart, run_state=state)
    assert (state, calls) == (actor.run_state, [1])
    assert again.snapshot.persist() == stored


async def test_resuming_starts_the_services_of_a_restored_machine_again() -> None:
    gate = Gate()
    gate.open.set()
    actor = loading(gate.load)
    await actor.send("LOAD")
    again = FsmActor[Any](actor.chart, run_state=actor.run_state)
    await actor.aclose()
    async with again:
        assert again.run_state.services == (Service("0.m.loading", "0.m.loading:1", 2),)
        await again.resume()
        await again.settled()
    assert (again.snapshot.value, gate.log) == ("ready", ["started", "ended"])


async def test_a_service_that_must_not_run_twice_fails_when_it_is_resumed() -> None:
    config = json.loads(json.dumps(LOADING))
    config["states"]["loading"]["invoke"]["onRestart"] = "error"
    chart = chart_of(config, actions=ACTIONS, services={"load": lambda: 1})
    placed = FsmActor[Any](chart, run_state=RunState((2,), {"n": 0}, services=(Service("0.m.loading", "k"),)))
    assert placed.snapshot.value == "loading"
    await placed.resume()
    assert placed.snapshot.value == "broken"


async def test_closing_cancels_services_and_waits_for_them() -> None:
    gate = Gate()
    async with loading(gate.load) as actor:
        await actor.send("LOAD")
        await asyncio.sleep(0)
    assert gate.log == ["started", "cancelled"]
    assert len(actor.run_state.services) == 1


async def test_a_timer_that_is_due_comes_before_a_result() -> None:
    clock = SimulatedClock()
    gate = Gate()
    config = json.loads(json.dumps(LOADING))
    config["states"]["loading"]["after"] = {"1000": "broken"}
    actor = actor_of(config, actions=ACTIONS, services={"load": gate.load}, clock=clock)
    await actor.send("LOAD")
    clock.advance(1000)
    gate.open.set()
    await actor.settled()
    assert actor.snapshot.value == "broken"


def test_the_kernel_tells_what_to_start_and_to_stop() -> None:
    chart = chart_of(LOADING, actions=ACTIONS, services={"load": lambda: 1})
    state, effects = drive_sync(step(chart, drive_sync(start(chart)), "LOAD"))
    service = Service("0.m.loading", "0.m.loading:1")
    assert effects == (StartService(service),)
    assert drive_sync(step(chart, state, "SKIP"))[1] == (StopService(service),)


def speeding(speed: int) -> int:
    return speed


MACHINE: dict[str, Any] = {"initial": "a", "states": {"a": {}}}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (MACHINE, "is a machine; a machine can't be invoked by another yet"),
        (3, "is int; it should be a function"),
        (speeding, "takes 'speed'; a service may take context, input, send"),
    ],
)
def test_what_is_not_a_service_is_refused_with_its_place(given: Any, problem: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        loading(given)
    (found,) = caught.value.problems
    assert found.where == "$.states.loading.invoke.src"
    assert problem in found.message
