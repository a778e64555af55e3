"""The store in memory: compare-and-set, expiry, a cap."""

from __future__ import annotations

import pytest

from fsmvoice.model.run_state import RunState
from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.store import StoreFull


def state(seq: int) -> RunState:
    return RunState((1,), {}, seq=seq)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_what_was_committed_is_loaded() -> None:
    store = MemoryStore()

    assert await store.load("a") is None
    assert await store.commit("a", state(0), expected=None)
    loaded = await store.load("a")

    assert loaded is not None
    assert loaded.state == state(0)


@pytest.mark.parametrize("expected", [None, 0, 2])
async def test_a_commit_on_another_revision_than_the_stored_one_does_nothing(expected: int | None) -> None:
    store = MemoryStore()
    await store.commit("a", state(1), expected=None)

    assert not await store.commit("a", state(9), expected=expected)
    loaded = await store.load("a")
    assert loaded is not None
    assert loaded.state.seq == 1


async def test_a_commit_sets_the_attempts_back() -> None:
    store = MemoryStore()
    await store.commit("a", state(0), expected=None)
    await store.note("a", 2)
    await store.note("nobody", 5)

    noted = await store.load("a")
    await store.commit("a", state(1), expected=0)
    after = await store.load("a")

    assert noted is not None
    assert noted.attempts == 2
    assert after is not None
    assert after.attempts == 0
    assert len(store) == 1


async def test_an_unused_session_expires_and_a_used_one_lives_on() -> None:
    clock = Clock()
    store = MemoryStore(ttl=10, clock=clock)
    await store.commit("used", state(0), expected=None)
    await store.commit("unused", state(0), expected=None)

    clock.now = 9
    await store.load("used")
    clock.now = 12

    assert await store.load("unused") is None
    assert await store.load("used") is not None
    assert len(store) == 1


async def test_a_full_store_takes_no_new_session_and_keeps_the_old_ones_going() -> None:
    clock = Clock()
    store = MemoryStore(limit=1, ttl=10, clock=clock)
    await store.commit("a", state(0), expected=None)

    with pytest.raises(StoreFull):
        await store.commit("b", state(0), expected=None)
    assert await store.commit("a", state(1), expected=0)
    clock.now = 11
    assert await store.commit("b", state(0), expected=None)


async def test_a_deleted_session_is_gone() -> None:
    store = MemoryStore()
    await store.commit("a", state(0), expected=None)

    await store.delete("a")
    await store.delete("a")

    assert await store.load("a") is None
