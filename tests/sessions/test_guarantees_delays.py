"""Clause C7 of docs/guarantees.md, on every store."""

from __future__ import annotations

import asyncio

from fsmvoice.sessions.keys import CallContext, session_key
from tests.sessions.benches import LOCAL, Stores, delivered, fire, stores, value
from tests.sessions.till import Till, fresh

__all__ = ["fresh", "stores"]


async def test_c7_delays_are_stepped_before_any_later_event(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    await fire(sessions, "PAY")
    stores.advance(61)

    turn = await fire(sessions, "DONE")

    assert (turn.reason, turn.changed, turn.news) == ("no-transition", True, ("You took too long.",))
    assert await value(sessions) == "idle"


async def test_c7_delays_never_fire_early(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    await fire(sessions, "PAY")
    await delivered(sessions.store)
    for _ in range(2):
        stores.advance(29)
        assert (await sessions.look(LOCAL)).value == "paying"
        assert list((await sessions.store.overdue("m", 10, 10)).keys) == []


async def test_c7_delays_fire_once_in_any_process_that_lives(stores: Stores) -> None:
    first = stores.sessions(Till.chart)
    for number in range(20):
        await fire(first, "PAY", key=session_key(CallContext(principal=str(number)), "m"))
    await first.aclose(grace=0)
    stores.advance(61)

    processes = [stores.sessions(Till.chart), stores.sessions(Till.chart)]
    for sessions in processes:
        sessions.begin()

    infos = await processes[0].store.list()
    async with asyncio.timeout(10):
        while any(info.wake_at for info in await processes[0].store.list()):  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.02)
    assert len(infos) == 20
    for info in infos:
        names = [past.event.name for past in await processes[0].store.history(info.key)]
        assert names == ["xstate.init", "PAY", "xstate.after.60000.m.paying"]


async def test_c7_delays_that_were_cancelled_never_fire(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    await fire(sessions, "PAY")
    await fire(sessions, "DONE")
    await delivered(sessions.store)
    stores.advance(1000)
    assert (await sessions.look(LOCAL)).value == "paid"
    assert list((await sessions.store.overdue("m", 10, 10)).keys) == []


async def test_c7_what_a_timer_said_is_told_to_the_next_who_asks(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    await fire(sessions, "PAY")
    stores.advance(61)
    assert (await sessions.look(LOCAL)).value == "idle"

    turn = await fire(sessions, "QUICK", "r")

    assert turn.news == ("You took too long.",)
    assert (turn.said or "").startswith("You took too long. ")
    assert (await fire(sessions, "QUICK")).news == ()
    assert await sessions.hear(LOCAL) == ()
