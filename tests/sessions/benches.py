"""The stores that the tests of sessions run on, with a clock that a test moves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.engine.outcome import Outcome
from fsmvoice.model.chart import Chart
from fsmvoice.sessions.keys import CallContext, SessionKey, session_key
from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.postgres import PostgresStore
from fsmvoice.sessions.request import Request
from fsmvoice.sessions.sqlite import SqliteStore
from fsmvoice.sessions.store import Limits, SessionStore
from fsmvoice.sessions.turn import Sessions, Turn
from tests.sessions.postgres_database import CLOCK, database, execute, execute_now

LOCAL = session_key(CallContext(), "m")


class Stores:
    """One set of data, and as many processes on it as a test wants."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self._folder = kind, folder
        self.clock = SimulatedClock(time.time() * 1000)
        self._memory: MemoryStore | None = None
        self._opened: list[SessionStore] = []
        self._sessions: list[Sessions] = []
        self._database = ""
        self._connected: list[PostgresStore] = []

    async def connect(self, database: str) -> None:
        """Open what a test may want of a PostgreSQL, which takes an `await`."""
        self._database = database
        self._connected.append(await PostgresStore.open(database))
        await execute(database, CLOCK)
        self._connected += [await PostgresStore.open(database) for _ in range(3)]
        self._opened += self._connected

    @property
    def shared(self) -> bool:
        return self.kind != "memory"

    def open(self, limits: Limits | None = None) -> SessionStore:
        if self.kind == "memory":
            if self._memory is None or limits is not None:
                self._memory = MemoryStore(clock=self.clock, limits=limits)
            return self._memory
        if self.kind == "postgres":
            connected = self._connected.pop()
            connected.limits = limits or Limits()
            return connected
        path = self._folder / "sessions.db"
        store = SqliteStore(path, limits=limits, synchronous="NORMAL", clock=self.clock)
        self._opened.append(store)
        return store

    def sessions(self, chart: Chart, store: SessionStore | None = None, **options: Any) -> Sessions:
        """Another process that serves the machine."""
        made = Sessions(chart, store or self.open(), **options)
        self._sessions.append(made)
        return made

    def advance(self, seconds: float) -> None:
        self.clock.advance(seconds * 1000)
        if self._database:
            execute_now(self._database, f"UPDATE test_clock SET ms = ms + {seconds * 1000}")

    async def aclose(self) -> None:
        for sessions in self._sessions:
            await sessions.aclose(grace=0.0)
        for store in self._opened:
            await store.aclose()


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    async for made in _made(request, tmp_path):
        yield made


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
async def shared_stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    """Those that outlive a process, and that several processes may use."""
    async for made in _made(request, tmp_path):
        yield made


async def _made(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    made = Stores(request.param, tmp_path)
    if made.kind != "postgres":
        yield made
        await made.aclose()
        return
    async with database() as url:
        await made.connect(url)
        yield made
        await made.aclose()


async def fire(
    sessions: Sessions, event: str, request_id: str | None = None, key: SessionKey = LOCAL, **payload: Any
) -> Turn:
    """A call that fires an event."""

    async def work(actor: FsmActor[Any]) -> Outcome[Any]:
        return await actor.fire(event, payload)

    return await sessions.take_turn(key, work, Request(id=request_id, sent=event, say=said))


def said(outcome: Outcome[Any], *, news: tuple[str, ...] = ()) -> str:
    return " ".join([*news, f"{outcome.snapshot.value} {outcome.snapshot.context}"])


async def until(happened: Callable[[], object], seconds: float = 10) -> None:
    """Let everything else run until it is so."""
    async with asyncio.timeout(seconds):
        while not happened():  # noqa: ASYNC110 - whatever it is, it tells nobody
            await asyncio.sleep(0.005)


async def value(sessions: Sessions, key: SessionKey = LOCAL) -> Any:
    snapshot = await sessions.peek(key)
    return None if snapshot is None else snapshot.value


async def delivered(store: SessionStore, seconds: float = 10) -> None:
    """Let everything else run until no effect is left to be done."""
    async with asyncio.timeout(seconds):
        while any(info.outgoing for info in await store.list()):  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.005)
