"""Services of sessions: they start after the commit, and what they give is told at once, or as news."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from typing import Any

import pytest

from fsmvoice.engine.services import MOST_LETTERS
from fsmvoice.machine.actor import compile_config
from fsmvoice.sessions.committing import SERVICE_LEASE
from fsmvoice.sessions.keys import CallContext, session_key
from fsmvoice.sessions.store import Overdue, StoreUnavailable
from fsmvoice.sessions.turn import Sessions
from fsmvoice.sessions.workers import CROWDED
from tests.sessions.benches import LOCAL, Stores, fire, shared_stores, stores, until, value

__all__ = ["shared_stores", "stores"]

CONFIG: dict[str, Any] = {
    "id": "m",
    "initial": "idle",
    "context": {"found": None},
    "states": {
        "idle": {"on": {"ASK": "asking", "WATCH": "watching", "BARE": "bare"}},
        "asking": {
            "invoke": {
                "src": "look",
                "id": "look",
                "onDone": {"target": "there", "actions": "keep", "meta": {"says": "It is in stock."}},
                "onError": {"target": "broken", "meta": {"says": "I could not find out."}},
            },
            "on": {"LEAVE": "idle"},
        },
        "there": {"on": {"LEAVE": "idle"}},
        "broken": {"on": {"LEAVE": "idle"}},
        "watching": {"invoke": {"src": "watch", "id": "watch"}, "on": {"TICK": {"actions": "count"}, "LEAVE": "idle"}},
        "bare": {"invoke": {"src": "look", "id": "bare"}, "on": {"LEAVE": "idle"}},
    },
}


class World:
    """What services do and met."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.cancelled = 0
        self.result: Any = 5
        self.gate = asyncio.Event()
        self.gate.set()
        self.send: Callable[[str], None] | None = None
        self.stopped = 0
        config = {**CONFIG}
        self.chart = compile_config(
            config,
            actions={"keep": self.keep, "count": self.count},
            services={"look": self.look, "watch": self.watch},
        )

    async def look(self, context: dict[str, Any]) -> Any:
        self.started.append(str(context))
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if isinstance(self.result, Exception):
            raise self.result
        return self.result

    def watch(self, send: Callable[[str], None]) -> Callable[[], None]:
        self.send = send

        def stop() -> None:
            self.stopped += 1

        return stop

    @staticmethod
    def keep(event: dict[str, Any]) -> dict[str, Any]:
        return {"found": event["output"]}

    @staticmethod
    def count(context: dict[str, Any]) -> dict[str, Any]:
        return {"found": (context["found"] or 0) + 1}


@pytest.fixture
def world() -> World:
    return World()


async def test_a_fast_service_is_answered_in_the_same_reply(stores: Stores, world: World) -> None:
    sessions = stores.sessions(world.chart, settle=5)

    turn = await fire(sessions, "ASK", "r")

    assert turn.outcome is not None
    assert (turn.outcome.snapshot.value, turn.outcome.context) == ("there", {"found": 5})
    assert "It is in stock." in turn.outcome.say
    assert turn.said == "there {'found': 5}"
    assert (await fire(sessions, "ASK", "r")).replayed == turn.said
    assert len(world.started) == 1
    names = [past.event.name for past in await sessions.store.history(LOCAL.storage)]
    assert names == ["xstate.init", "ASK", "xstate.done.actor.look"]
    assert (await fire(sessions, "LEAVE")).news == ()


async def test_a_slow_service_is_news_for_the_next_reply(stores: Stores, world: World) -> None:
    sessions = stores.sessions(world.chart, settle=0.02)
    world.gate.clear()

    turn = await fire(sessions, "ASK")
    assert turn.outcome is not None
    assert turn.outcome.snapshot.value == "asking"
    world.gate.set()
    async with asyncio.timeout(10):
        while await value(sessions) != "there":  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.005)

    later = await fire(sessions, "LEAVE", "r")
    assert later.news == ("It is in stock.",)
    assert later.said == "It is in stock. idle {'found': 5}"


async def test_a_service_that_fails_is_answered_too(stores: Stores, world: World) -> None:
    world.result = OSError("no network")
    turn = await fire(stores.sessions(world.chart, settle=5), "ASK")
    assert turn.outcome is not None
    assert turn.outcome.snapshot.value == "broken"
    assert "I could not find out." in turn.outcome.say


async def test_a_service_whose_result_leads_nowhere_is_over(
    stores: Stores, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    sessions = stores.sessions(world.chart, settle=5)
    turn = await fire(sessions, "BARE")
    assert turn.outcome is not None
    standing = await sessions.stands(LOCAL.storage)
    assert standing is not None
    assert (standing.state.services, standing.state.seq) == ((), 2)
    history = await sessions.store.history(LOCAL.storage)
    assert [past.event.seq for past in history] == [0, 1, 2]


async def test_a_service_is_cancelled_when_its_state_is_left(stores: Stores, world: World) -> None:
    sessions = stores.sessions(world.chart, settle=0.01)
    world.gate.clear()
    await fire(sessions, "ASK")
    await fire(sessions, "LEAVE")
    await until(lambda: world.cancelled == 1)
    world.gate.set()
    assert await value(sessions) == "idle"


async def test_a_service_sends_events_as_long_as_its_state_lasts(stores: Stores, world: World) -> None:
    sessions = stores.sessions(world.chart, settle=0.01)
    await fire(sessions, "WATCH")
    assert world.send is not None
    world.send("TICK")
    world.send("TICK")
    async with asyncio.timeout(10):
        while (await sessions.look(LOCAL)).context != {"found": 2}:  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.005)
    await fire(sessions, "LEAVE")
    await until(lambda: world.stopped == 1)


async def test_a_service_that_sends_faster_than_its_session_is_stored_is_told_so_and_fails(
    stores: Stores, caplog: pytest.LogCaptureFixture
) -> None:
    config = {
        "id": "m",
        "initial": "idle",
        "context": {"found": 0},
        "states": {
            "idle": {"on": {"WATCH": "watching"}},
            "watching": {
                "invoke": {"src": "spam", "id": "spam", "onError": "broken"},
                "on": {"TICK": {"actions": "count"}},
            },
            "broken": {},
        },
    }

    async def spam(send: Callable[[str], None]) -> None:
        while True:
            send("TICK")

    chart = compile_config(config, actions={"count": World.count}, services={"spam": spam})
    sessions = stores.sessions(chart, settle=0.01)
    await fire(sessions, "WATCH")
    async with asyncio.timeout(30):
        while await value(sessions) != "broken":  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.02)
    assert (await sessions.look(LOCAL)).context["found"] == MOST_LETTERS


async def test_two_sessions_have_services_of_their_own(stores: Stores, world: World) -> None:
    sessions = stores.sessions(world.chart, settle=0.01)
    world.gate.clear()
    keys = [session_key(CallContext(principal=name), "m") for name in ("ann", "bob")]
    for key in keys:
        await fire(sessions, "ASK", key=key)
    await fire(sessions, "LEAVE", key=keys[0])
    world.gate.set()
    async with asyncio.timeout(10):
        while await value(sessions, keys[1]) != "there":  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.005)
    assert await value(sessions, keys[0]) == "idle"


async def killed(sessions: Sessions) -> None:
    """End a process as a kill does: nothing of it is given up or told."""
    await sessions._tending._scheduler.aclose()  # pyright: ignore[reportPrivateUsage] - nobody else can kill it
    await sessions._tending._workers.aclose()  # pyright: ignore[reportPrivateUsage] - nobody else can kill it


async def test_a_service_whose_process_died_is_run_again_once_by_another(shared_stores: Stores, world: World) -> None:
    first, others = (
        shared_stores.sessions(world.chart, settle=0.01),
        [shared_stores.sessions(world.chart) for _ in range(2)],
    )
    world.gate.clear()
    await fire(first, "ASK")
    await killed(first)
    world.gate.set()

    shared_stores.advance(40)
    for sessions in others:
        sessions.begin()
    async with asyncio.timeout(10):
        while await value(others[0]) != "there":  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.01)
    assert len(world.started) == 2


async def test_a_process_that_slept_stops_a_service_that_another_has_taken_over(
    shared_stores: Stores, world: World
) -> None:
    slept = shared_stores.sessions(world.chart, settle=0.01)
    world.gate.clear()
    await fire(slept, "ASK")
    standing = await slept.stands(LOCAL.storage)
    assert standing is not None
    (service,) = standing.state.services
    times = None
    while times is None:  # it may be awake, and renew its lease, in this very moment
        shared_stores.advance(SERVICE_LEASE + 1)
        times = await slept.store.claim_service(LOCAL.storage, service.key, "another", 1000)

    await slept._tending._renew(math.inf)  # pyright: ignore[reportPrivateUsage] - it would do so within a few seconds

    await until(lambda: world.cancelled == 1)
    assert await value(slept) == "asking"


async def test_after_an_outage_services_are_left_to_those_who_could_not_renew_their_leases(
    shared_stores: Stores, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, other = shared_stores.sessions(world.chart, settle=0.01), shared_stores.sessions(world.chart)
    world.gate.clear()
    await fire(first, "ASK")
    look = other._tending._look  # pyright: ignore[reportPrivateUsage] - as a process does each second

    async def away(*_: object) -> Overdue:
        raise StoreUnavailable("it is away")

    with monkeypatch.context() as patched:
        patched.setattr(other.store, "overdue", away)
        with pytest.raises(StoreUnavailable):
            await look()
    await first._tending._scheduler.aclose()  # pyright: ignore[reportPrivateUsage] - that it does not renew by chance
    shared_stores.advance(SERVICE_LEASE + 1)
    await look()
    await asyncio.gather(*other._tending._tasks.values())  # pyright: ignore[reportPrivateUsage] - what it looks after
    assert len(world.started) == 1
    await first._tending._renew(math.inf)  # pyright: ignore[reportPrivateUsage] - it would do so within a few seconds
    world.gate.set()
    async with asyncio.timeout(10):
        while await value(first) != "there":  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.01)
    assert len(world.started) == 1


async def test_a_service_that_may_not_be_repeated_is_told_to_have_failed(
    shared_stores: Stores, caplog: pytest.LogCaptureFixture
) -> None:
    world = World()
    asking = {**CONFIG["states"]["asking"], "invoke": {**CONFIG["states"]["asking"]["invoke"], "onRestart": "error"}}
    chart = compile_config(
        {**CONFIG, "states": {**CONFIG["states"], "asking": asking}},
        actions={"keep": lambda: None, "count": lambda: None},
        services={"look": world.look, "watch": world.watch},
    )
    first, other = shared_stores.sessions(chart, settle=0.01), shared_stores.sessions(chart)
    world.gate.clear()
    await fire(first, "ASK")
    await killed(first)
    shared_stores.advance(40)
    other.begin()
    async with asyncio.timeout(10):
        while await value(other) != "broken":  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.01)
    assert len(world.started) == 1


async def test_a_process_that_ends_in_peace_leaves_its_services_to_others_at_once(
    shared_stores: Stores, world: World
) -> None:
    first, other = shared_stores.sessions(world.chart, settle=0.01), shared_stores.sessions(world.chart)
    world.gate.clear()
    await fire(first, "ASK")
    await first.aclose(grace=0.01)
    assert world.cancelled == 1
    world.gate.set()
    other.begin()
    async with asyncio.timeout(10):
        while await value(other) != "there":  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.01)


async def test_a_result_is_not_lost_where_the_session_is_busy(
    stores: Stores, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    sessions = stores.sessions(world.chart, settle=0.01, timeout=0.02)
    world.gate.clear()
    await fire(sessions, "ASK")
    with caplog.at_level(logging.CRITICAL, "fsmvoice"):
        async with sessions._queues.turn(LOCAL.storage, 1):  # pyright: ignore[reportPrivateUsage] - a call that hangs
            world.gate.set()
            await asyncio.sleep(0.1)
        async with asyncio.timeout(10):
            while await value(sessions) != "there":  # noqa: ASYNC110 - the store tells nobody
                await asyncio.sleep(0.01)


async def test_a_service_of_a_session_that_is_gone_is_stopped_when_it_sends(stores: Stores, world: World) -> None:
    sessions = stores.sessions(world.chart, settle=0.01)
    await fire(sessions, "WATCH")
    await sessions.store.delete(LOCAL.storage)
    assert world.send is not None
    world.send("TICK")
    await until(lambda: world.stopped == 1)


async def test_nothing_is_kept_of_sessions_whose_services_are_over(
    stores: Stores, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    sessions = stores.sessions(world.chart, settle=5)
    for number in range(2 * CROWDED):
        await fire(sessions, "ASK", key=session_key(CallContext(principal=str(number)), "m"))
    assert len(sessions._tending._workers) <= CROWDED  # pyright: ignore[reportPrivateUsage] - memory that only the class sees


@pytest.mark.parametrize("result", [object(), "\ud800", "x" * 300_000])
async def test_a_result_that_can_not_be_stored_is_a_failure_of_the_service(
    stores: Stores, world: World, result: object, caplog: pytest.LogCaptureFixture
) -> None:
    world.result = result
    turn = await fire(stores.sessions(world.chart, settle=5), "ASK")
    assert turn.outcome is not None
    assert (turn.outcome.snapshot.value, turn.outcome.snapshot.run_state.services) == ("broken", ())


async def test_a_service_is_over_even_if_neither_its_result_nor_its_failure_can_be_stored(
    stores: Stores, caplog: pytest.LogCaptureFixture
) -> None:
    config = {
        "id": "m",
        "initial": "a",
        "context": {"found": None},
        "states": {
            "a": {"on": {"ASK": "b"}},
            "b": {
                "invoke": {"src": "look", "id": "look", "onDone": {"actions": "keep"}, "onError": {"actions": "keep"}}
            },
        },
    }

    def look() -> None:
        raise OSError("no network")

    chart = compile_config(config, actions={"keep": lambda: {"found": object()}}, services={"look": look})
    sessions = stores.sessions(chart, settle=5)
    turn = await fire(sessions, "ASK")
    assert turn.outcome is not None
    standing = await sessions.stands(LOCAL.storage)
    assert standing is not None
    assert (standing.state.services, standing.state.context) == ((), {"found": None})
