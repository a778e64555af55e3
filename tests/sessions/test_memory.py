"""The store in memory keeps every promise of a store, and some of its own."""

from __future__ import annotations

import time

import pytest

from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.store import Limits, SessionStore, StoreFull
from tests.sessions.store_conformance.bench import Bench, commit
from tests.sessions.store_conformance.suite import StoreConformance


class MemoryBench(Bench):
    shared = False

    def __init__(self) -> None:
        self.clock = SimulatedClock(time.time() * 1000)
        self.store = MemoryStore(clock=self.clock)

    async def another(self) -> SessionStore:
        return self.store

    async def with_limits(self, limits: Limits) -> SessionStore:
        self.store = MemoryStore(limits=limits, clock=self.clock)
        return self.store

    def advance(self, seconds: float) -> None:
        self.clock.advance(seconds * 1000)


@pytest.fixture
def bench() -> MemoryBench:
    return MemoryBench()


class TestConformance(StoreConformance):
    """All of it."""


async def test_a_full_store_takes_no_new_session_and_keeps_the_old_ones_going() -> None:
    clock = SimulatedClock()
    store = MemoryStore(limit=1, ttl=10, clock=clock)
    await store.commit(commit("a", 0, None))

    with pytest.raises(StoreFull):
        await store.commit(commit("b", 0, None))
    assert await store.commit(commit("a", 1, 0)) == "committed"
    clock.advance(11_000)
    assert await store.commit(commit("b", 0, None)) == "committed"
    assert len(store) == 1
