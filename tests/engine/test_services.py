"""Services: started after the commit, cancelled when their state is left, and heard of as events."""

import asyncio
import json
import logging
import threading
from collections.abc import Callable
from typing import Any

import pytest

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.engine.drive import drive_sync
from fsmvoice.engine.kernel import StartService, StopService, start, step
from fsmvoice.engine.services import MOST_LETTERS
from fsmvoice.errors import ActionFailed, DefinitionError, RunawayError, ServiceFailed, Suspended
from fsmvoice.model.run_state import RunState, Service
from fsmvoice.model.service import Send
from tests.engine.making import Actor, actor_of, chart_of

LOADING: dict[str, Any] = {
    "id": "m",
    "initial": "idle",
    "context": {"n": 0},
    "states": {
        "idle": {"on": {"LOAD": "loading"}},
        "loading": {
            "invoke": {"src": "load", "onDone": {"target": "ready", "actions": "keep"}, "onError": "broken"},
            "on": {"SKIP": "idle", "TICK": {"actions": "count"}},
        },
        "ready": {},
        "broken": {},
    },
}


def keep(event: dict[str, Any]) -> dict[str, Any]:
    return {"n": event["output"]}


def count(context: dict[str, Any]) -> dict[str, Any]:
    return {"n": context["n"] + 1}


def divide(event: dict[str, Any]) -> None:
    event["share"] = 1 / event["output"]


ACTIONS: dict[str, Callable[..., Any]] = {"keep": keep, "count": count}


class Gate:
    """A coroutine service that waits until it is opened, and tells what became of it."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.log: list[str] = []

    async def load(self) -> int:
        self.log.append("started")
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.log.append("cancelled")
            raise
        self.log.append("ended")
        return 7


def loading(load: Callable[..., Any], **options: Any) -> Actor:
    return actor_of(LOADING, actions=ACTIONS, services={"load": load}, **options)


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
async def test_what_is_no_exception_elsewhere_is_a_failure_of_a_service_too(load: Callable[[], Any]) -> None:
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


def test_a_plain_function_runs_in_the_call_after_the_commit() -> None:
    actor = loading(lambda: 3)
    outcome = actor.send_sync("LOAD")
    assert outcome.state == "loading"
    assert (actor.snapshot.value, actor.context) == ("ready", {"n": 3})


async def test_a_plain_function_is_the_same_in_an_awaited_call() -> None:
    actor = loading(lambda: 3)
    outcome = await actor.send("LOAD")
    assert outcome.state == "loading"
    assert (actor.snapshot.value, actor.context) == ("ready", {"n": 3})


def test_a_plain_function_that_fails_unheard_is_told_to_the_caller() -> None:
    def load() -> None:
        raise OSError("offline")

    actor = actor_of(
        {"initial": "a", "states": {"a": {"on": {"GO": "b"}}, "b": {"invoke": {"src": "load"}, "on": {"GO": "a"}}}},
        services={"load": load},
    )
    with pytest.raises(ServiceFailed, match="offline"):
        actor.send_sync("GO")
    assert actor.snapshot.value == "b"
    assert actor.send_sync("GO").state == "a"


def test_a_result_that_can_not_be_applied_is_a_failure_of_the_service() -> None:
    actor = actor_of(
        {
            "initial": "a",
            "states": {"a": {"invoke": {"src": "load", "onDone": {"actions": "keep"}, "onError": "b"}}, "b": {}},
        },
        actions={"keep": divide},
        services={"load": lambda: 0},
    )
    assert actor.snapshot.value == "b"


def test_a_failing_step_of_a_failure_changes_nothing_and_the_machine_lives() -> None:
    def load() -> None:
        raise OSError("offline")

    actor = actor_of(
        {
            "initial": "a",
            "states": {
                "a": {"on": {"GO": "b"}},
                "b": {"invoke": {"src": "load", "onError": {"target": "a", "actions": "bad"}}, "on": {"GO": "a"}},
            },
        },
        actions={"bad": lambda: 1 / 0},
        services={"load": load},
    )
    with pytest.raises(ActionFailed, match="'bad' raised ZeroDivisionError"):
        actor.send_sync("GO")
    assert actor.snapshot.value == "b"
    assert actor.send_sync("GO").state == "a"


def test_a_coroutine_service_without_a_loop_is_refused_and_nothing_changes() -> None:
    async def load() -> int:
        return 1

    actor = loading(load)
    with pytest.raises(Suspended, match=r"the service '0\.m\.loading' of machine 'm' is async"):
        actor.send_sync("LOAD")
    assert (actor.snapshot.value, actor.snapshot.revision, actor.run_state.services) == ("idle", 0, ())


def test_a_start_with_a_coroutine_service_needs_a_loop() -> None:
    async def load() -> int:
        return 1

    with pytest.raises(Suspended, match=r"await FsmActor\.started"):
        actor_of({"initial": "a", "states": {"a": {"invoke": {"src": "load"}}}}, services={"load": load})


def test_a_callback_sends_events_and_is_stopped_when_its_state_is_left() -> None:
    log: list[str] = []
    sends: list[Send] = []

    def load(send: Send) -> Callable[[], None]:
        sends.append(send)
        send("TICK")
        send({"type": "TICK"})
        return lambda: log.append("stopped")

    actor = loading(load)
    actor.send_sync("LOAD")
    assert (actor.snapshot.value, actor.context) == ("loading", {"n": 2})
    sends[0]("TICK")
    assert actor.context == {"n": 3}
    actor.send_sync("SKIP")
    assert log == ["stopped"]
    sends[0]("LOAD")
    assert actor.snapshot.value == "idle"


def test_a_callback_that_leads_out_of_its_own_state_while_it_starts_is_stopped() -> None:
    log: list[str] = []

    def load(send: Send) -> Callable[[], None]:
        send("SKIP")
        return lambda: log.append("stopped")

    actor = loading(load)
    actor.send_sync("LOAD")
    assert (actor.snapshot.value, log, actor.run_state.services) == ("idle", ["stopped"], ())


async def test_a_callback_may_send_from_another_thread() -> None:
    def load(send: Send) -> None:
        threading.Thread(target=send, args=("TICK",)).start()

    actor = loading(load)
    await actor.send("LOAD")
    for _ in range(1000):
        if actor.context["n"]:
            break
        await asyncio.sleep(0.001)
    assert actor.context == {"n": 1}


async def test_a_coroutine_may_send_on_its_way() -> None:
    async def load(send: Send) -> int:
        send("TICK")
        return 5

    actor = loading(load)
    await actor.send("LOAD")
    await actor.settled()
    assert (actor.snapshot.value, actor.context, actor.snapshot.revision) == ("ready", {"n": 5}, 3)


async def test_a_service_may_send_to_its_own_machine_and_is_cancelled_by_it() -> None:
    async def load() -> int:
        await actor.send("SKIP")
        await asyncio.sleep(0)
        return 1

    actor = loading(load)
    await actor.send("LOAD")
    await actor.settled()
    assert actor.snapshot.value == "idle"


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
def test_what_is_no_service_is_refused_with_its_place(given: Any, problem: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        loading(given)
    (found,) = caught.value.problems
    assert found.where == "$.states.loading.invoke.src"
    assert problem in found.message


async def test_sending_from_another_thread_gives_a_future() -> None:
    actor = loading(lambda: 3)
    future = await asyncio.to_thread(actor.send_threadsafe, "LOAD")
    outcome = await asyncio.wrap_future(future)
    assert outcome.ok


def test_sending_from_another_thread_needs_a_loop() -> None:
    with pytest.raises(Suspended, match="no event loop has run it yet"):
        loading(lambda: 3).send_threadsafe("LOAD")


def test_a_service_that_starts_itself_again_without_end_is_stopped() -> None:
    config = {
        "initial": "a",
        "states": {
            "a": {"on": {"GO": "b"}},
            "b": {"invoke": {"src": "load", "onDone": {"target": "b", "reenter": True}}},
        },
    }
    actor = actor_of(config, services={"load": lambda: 1})
    with pytest.raises(RunawayError, match="send events without end"):
        actor.send_sync("GO")
    assert actor.snapshot.value == "b"


async def test_a_service_that_sends_without_a_pause_is_told_so_and_fails() -> None:
    sent = 0

    async def load(send: Send) -> None:
        nonlocal sent
        while True:
            send("TICK")
            sent += 1

    actor = loading(load)
    await actor.send("LOAD")
    await actor.settled()
    assert sent == MOST_LETTERS
    assert (actor.snapshot.value, actor.context["n"]) == ("broken", MOST_LETTERS)


async def test_a_thread_that_sends_without_a_pause_is_told_so() -> None:
    told: list[Exception] = []

    def spam(send: Send) -> None:
        try:
            while True:
                send("TICK")
        except RunawayError as error:
            told.append(error)

    def load(send: Send) -> None:
        thread = threading.Thread(target=spam, args=(send,))
        thread.start()
        thread.join()  # so that nothing is handled meanwhile

    actor = loading(load)
    await actor.send("LOAD")
    async with asyncio.timeout(10):
        while actor.context["n"] < MOST_LETTERS:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0)
    assert "sends faster than its events are handled: 500 of them wait" in str(told[0])


def test_what_a_service_has_sent_in_time_is_handled_though_its_state_was_left_meanwhile() -> None:
    def twice(send: Send) -> None:
        send("PING")
        send("PING")

    on = {"invoke": {"src": "twice"}, "on": {"PING": "next"}}
    states = {"off": {"on": {"GO": "on"}}, "on": on, "next": {"on": {"PING": "last"}}, "last": {}}
    actor = actor_of({"id": "m", "initial": "off", "states": states}, services={"twice": twice})
    actor.send_sync("GO")
    assert actor.snapshot.value == "last"


def test_what_a_service_sends_at_one_due_timer_is_handled_before_the_next() -> None:
    clock = SimulatedClock()

    def ping(send: Send) -> None:
        send("PING")

    config = {
        "id": "m",
        "initial": "a",
        "after": {"20": {"target": ".late"}},
        "states": {
            "a": {"after": {"10": "b"}},
            "b": {"invoke": {"src": "ping"}, "on": {"PING": "in_time"}},
            "in_time": {"tags": ["pinged"], "exit": "note"},
            "late": {},
        },
    }
    seen: list[str] = []
    actor = actor_of(config, services={"ping": ping}, actions={"note": lambda: seen.append("in time")}, clock=clock)
    clock.advance(50)
    actor.catch_up()
    assert (seen, actor.snapshot.value) == (["in time"], "late")
