"""The store in PostgreSQL keeps every promise of a store, on a real server, and some of its own."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from fsmvoice.sessions.postgres import PostgresStore
from fsmvoice.sessions.store import Limits, SessionStore
from tests.sessions.postgres_database import CLOCK, database, execute, execute_now
from tests.sessions.store_conformance.bench import Bench
from tests.sessions.store_conformance.suite import StoreConformance


class PostgresBench(Bench):
    def __init__(self, url: str, store: PostgresStore) -> None:
        self.url = url
        self.store = store
        self.made: list[SessionStore] = [store]

    async def another(self) -> SessionStore:
        return await self.with_limits(self.store.limits)

    async def with_limits(self, limits: Limits) -> SessionStore:
        self.made.append(await PostgresStore.open(self.url, limits=limits))
        return self.made[-1]

    def advance(self, seconds: float) -> None:
        execute_now(self.url, f"UPDATE test_clock SET ms = ms + {seconds * 1000}")


@pytest.fixture
async def bench() -> AsyncGenerator[PostgresBench]:
    async with database() as url:
        store = await PostgresStore.open(url)
        await execute(url, CLOCK)
        bench = PostgresBench(url, store)
        yield bench
        for made in bench.made:
            await made.aclose()


class TestConformance(StoreConformance):
    """All of it."""
