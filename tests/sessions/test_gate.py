"""The lease of a turn: nobody else commits meanwhile, and nothing is left of it, whatever becomes of the turn."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel

from fsmvoice import State, VoiceMachine, transition
from fsmvoice.errors import Refuse
from fsmvoice.sessions.keys import CallContext, session_key
from fsmvoice.sessions.store import Lease, SessionStore
from tests.sessions.benches import LOCAL, Stores, fire, shared_stores, stores

__all__ = ["shared_stores", "stores"]


class Count(BaseModel):
    n: int = 0


class Counter(VoiceMachine[Count], id="m"):
    here = State(initial=True)

    running: asyncio.Event
    gate: asyncio.Event
    keys: list[str]

    @transition("GO", source=here)
    async def go(self, how: str = "") -> None:
        Counter.keys.append(self.idempotency_key)
        Counter.running.set()
        if how == "wait":
            await Counter.gate.wait()
        if how == "refuse":
            raise Refuse("Not now.")
        self.context.n += 1


@pytest.fixture(autouse=True)
def fresh() -> None:
    Counter.running, Counter.gate, Counter.keys = asyncio.Event(), asyncio.Event(), []


async def is_leased(store: SessionStore) -> bool:
    stored = await store.load(LOCAL.storage)
    assert stored is not None
    return stored.leased_until > stored.now


async def test_a_call_that_is_cancelled_while_it_takes_the_lease_leaves_none(
    shared_stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = shared_stores.sessions(Counter.chart)
    await fire(sessions, "GO")
    taken, told, lease = asyncio.Event(), asyncio.Event(), sessions.store.lease

    async def slow(*given: Any) -> Lease | None:
        found = await lease(*given)
        taken.set()
        await told.wait()
        return found

    monkeypatch.setattr(sessions.store, "lease", slow)
    call = asyncio.create_task(fire(sessions, "GO"))
    await taken.wait()
    assert await is_leased(sessions.store)
    call.cancel()
    told.set()
    with pytest.raises(asyncio.CancelledError):
        await call

    assert not await is_leased(sessions.store)
    assert len(Counter.keys) == 1


@pytest.mark.parametrize("how", ["", "refuse"])
async def test_no_lease_is_left_of_a_call_or_its_repetition(shared_stores: Stores, how: str) -> None:
    one, two = shared_stores.sessions(Counter.chart), shared_stores.sessions(Counter.chart, timeout=1)
    for sessions in (one, two, one):
        await fire(sessions, "GO", "r", how=how)
        assert not await is_leased(sessions.store)
    assert (await fire(two, "GO")).reason is None


async def test_c5_step_code_that_waits_holds_up_no_other_session(stores: Stores) -> None:
    sessions = stores.sessions(Counter.chart, timeout=5)
    await fire(sessions, "GO")
    Counter.running.clear()
    waiting = asyncio.create_task(fire(sessions, "GO", how="wait"))
    await Counter.running.wait()

    other = session_key(CallContext(principal="ann"), "m")
    assert (await fire(stores.sessions(Counter.chart), "GO", key=other)).reason is None

    Counter.gate.set()
    assert (await waiting).reason is None


async def test_c5_step_code_that_runs_again_has_the_same_key(shared_stores: Stores) -> None:
    first, second = shared_stores.sessions(Counter.chart), shared_stores.sessions(Counter.chart)
    crashed = asyncio.create_task(fire(first, "GO", "r", how="wait"))
    await Counter.running.wait()
    crashed.cancel()
    await asyncio.wait((crashed,))
    await fire(second, "GO", "r", how="refuse")
    assert (await fire(second, "GO", "r")).reason is None

    assert len(Counter.keys) == 3
    assert len(set(Counter.keys)) == 1
