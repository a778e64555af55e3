"""Clause C10 of docs/guarantees.md, on every store."""

from __future__ import annotations

import asyncio
import logging

import pytest

from fsmvoice.machine.actor import compile_config
from fsmvoice.sessions.keys import CallContext, handle_key, new_handle, session_key
from fsmvoice.sessions.store import Limits
from tests.sessions.benches import LOCAL, Stores, fire, stores
from tests.sessions.till import Till, fresh

__all__ = ["fresh", "stores"]


async def test_c10_expiry_a_session_that_expired_begins_anew_and_a_handle_says_so(stores: Stores) -> None:
    store = stores.open(Limits(ttl=100))
    sessions = stores.sessions(Till.chart, store)
    handle = handle_key(CallContext(), "m", new_handle())
    await sessions.open(handle)
    await fire(sessions, "PAY")
    stores.advance(200)

    assert (await fire(sessions, "QUICK", key=handle)).reason == "session-expired"
    assert (await sessions.look(LOCAL)).value == "idle"


@pytest.mark.parametrize("end", ["expires", "is deleted"])
async def test_c10_expiry_a_session_that_ends_while_its_turn_runs_begins_anew(stores: Stores, end: str) -> None:
    started, go = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        started.set()
        await go.wait()

    config = {"id": "m", "initial": "a", "states": {"a": {"on": {"GO": {"target": "b", "actions": "wait"}}}, "b": {}}}
    store = stores.open(Limits(ttl=10))
    sessions = stores.sessions(compile_config(config, actions={"wait": wait}), store)
    await sessions.look(LOCAL)
    call = asyncio.create_task(fire(sessions, "GO"))
    await started.wait()
    if end == "expires":
        stores.advance(11)
    else:
        assert await store.delete(LOCAL.storage)
    go.set()
    assert (await call).reason is None
    stored = await store.load(LOCAL.storage)
    assert stored is not None
    assert (stored.revision, stored.leased_until <= stored.now) == (1, True)


async def test_c10_expiry_caps_are_refused_and_change_nothing(stores: Stores, caplog: pytest.LogCaptureFixture) -> None:
    store = stores.open(Limits(context=120, sessions_per_caller=2, timers=0))
    sessions = stores.sessions(Till.chart, store)
    with caplog.at_level(logging.CRITICAL, "fsmvoice"):
        assert (await fire(sessions, "PAY")).reason == "limit-exceeded"
        assert (await fire(sessions, "QUICK")).reason is None
        assert (await fire(sessions, "QUICK")).reason is None
        assert (await fire(sessions, "QUICK")).reason == "limit-exceeded"
        assert (await sessions.look(LOCAL)).context.paid == 2
        ann = CallContext(principal="ann")
        for _ in range(2):
            await sessions.open(handle_key(ann, "m", new_handle()))
        turns = [await fire(sessions, "QUICK", key=session_key(ann, "m"))]
    assert [turn.reason for turn in turns] == ["limit-exceeded"]
