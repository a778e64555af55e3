"""Services send events to their machine, from threads too, and not without end."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.engine.services import MOST_LETTERS
from fsmvoice.errors import RunawayError, Suspended
from fsmvoice.model.service import Send
from tests.engine.loading import loading
from tests.engine.making import actor_of


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


async def test_sending_from_another_thread_gives_a_future() -> None:
    actor = loading(lambda: 3)
    future = await asyncio.to_thread(actor.send_threadsafe, "LOAD")
    outcome = await asyncio.wrap_future(future)
    assert outcome.ok


def test_sending_from_another_thread_needs_a_loop() -> None:
    with pytest.raises(Suspended, match="no event loop has run it yet"):
        loading(lambda: 3).send_threadsafe("LOAD")


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
