"""A real PostgreSQL that all simulated processes share, one statement at a time, and the store of one of them.

What is run is the shipped store, and its functions in the database. What is asked of the database takes no time there;
on the way it may be late, be lost, or be done without an answer.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Coroutine, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import pytest

from fsmvoice.engine.clock import Clock
from fsmvoice.sessions.postgres import PostgresStore
from fsmvoice.sessions.postgres_changes import Changes
from fsmvoice.sessions.postgres_pool import Away, Lost, Pool
from fsmvoice.sessions.postgres_text import escaped
from fsmvoice.sessions.store import Commit, Committed, SessionStore, StoreUnavailable
from tests.sessions.postgres_database import EMPTY, Watch, told_database
from tests.sessions.simulation.disk import Before, Faulty, Seen

BEFORE = """
SELECT s.document, coalesce(l.fence, 0), coalesce(l.until, 0), coalesce(s.revision, -1)
FROM (SELECT $1::text) k (key) LEFT JOIN fsmvoice_sessions s USING (key) LEFT JOIN fsmvoice_leases l USING (key)
"""
COMMIT: ContextVar[Commit | None] = ContextVar("commit", default=None)
"""What is being committed in this task."""


class Server:
    """A connection whose statements are waited for without an event loop: to the simulation they take no time."""

    def __init__(self, url: str, watch: Watch) -> None:
        self._watch = watch
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncpg = pytest.importorskip("asyncpg", reason="install fsmvoice[postgres] to test the store in PostgreSQL")
        # What is told to be durable is, as far as anyone here can see.
        self._connection: Any = self._done(asyncpg.connect(url, server_settings={"synchronous_commit": "off"}))

    def execute(self, now: float, query: str, *values: Any) -> Sequence[Any]:
        """Rows of a statement, at that time."""
        self._watch.show(now)
        rows: Sequence[Any] = self._done(self._connection.fetch(query, *values))
        return rows

    def empty(self) -> None:
        """Forget all sessions."""
        self._done(self._connection.execute(EMPTY))

    def close(self) -> None:
        self._done(self._connection.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _done(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)


class SimulatedDatabase(Faulty):
    """The database, emptied."""

    def __init__(self, server: Server, chance: random.Random) -> None:
        super().__init__(chance)
        server.empty()
        self._server = server
        self._seen: Seen | None = None
        self._stamps: set[Any] = set()

    def store(self, clock: Clock, sleeps: Callable[[], bool] = lambda: False) -> SessionStore:
        """The store of one more process."""
        return SimulatedPostgres(self, clock, sleeps)

    @contextmanager
    def watched(self, seen: Seen) -> Generator[None]:
        """Have each commit be seen as it is written."""
        self._seen = seen
        yield
        self._seen = None

    def execute(self, now: float, query: str, *values: Any) -> Sequence[Any]:
        """Rows of a statement. A commit that is sent again is seen once."""
        commit = COMMIT.get()
        if commit is None or self._seen is None or not query.startswith("SELECT fsmvoice_commit"):
            return self._server.execute(now, query, *values)
        (before,) = self._server.execute(now, BEFORE, escaped(commit.key))
        rows = self._server.execute(now, query, *values)
        stamp = values[0]
        if stamp not in self._stamps:
            self._seen(commit, rows[0][0], Before(*before))
            if rows[0][0] == "committed":
                self._stamps.add(stamp)
        return rows

    def close(self) -> None:
        """The server stays."""


class SimulatedPool(Pool):
    """The way to the database, which may be long."""

    def __init__(self, database: SimulatedDatabase, clock: Clock) -> None:
        super().__init__("postgresql://simulated/")
        self._database, self._clock = database, clock

    async def once(self, query: str, *values: Any) -> Sequence[Any]:
        database = self._database
        try:
            await database.travel()
        except StoreUnavailable as error:
            raise (StoreUnavailable if database.over else Away)(str(error)) from error
        if database.fails():
            raise Lost("the connection broke before it arrived")
        rows = database.execute(self._clock.now(), query, *values)
        try:
            await database.travel()
        except StoreUnavailable as error:
            raise Lost("the connection broke before the answer arrived") from error
        return rows

    async def aclose(self) -> None:
        """The database stays."""


class SimulatedPostgres(PostgresStore):
    """The store as one process has it."""

    def __init__(self, database: SimulatedDatabase, clock: Clock, sleeps: Callable[[], bool]) -> None:
        super().__init__("postgresql://simulated/")
        self._sleeps = sleeps
        self._pool = SimulatedPool(database, clock)
        self._changes = Changes(self._pool)

    async def commit(self, commit: Commit) -> Committed:
        if commit.fence is not None and self._sleeps():
            await asyncio.sleep(0)  # and here it stops
        token = COMMIT.set(commit)
        try:
            return await super().commit(commit)
        finally:
            COMMIT.reset(token)


@contextmanager
def simulated_database() -> Generator[Callable[[random.Random], SimulatedDatabase]]:
    """Makes the database of one run after the other."""
    with told_database() as (url, path):
        watch = Watch(path)
        server = Server(url, watch)
        try:
            yield lambda chance: SimulatedDatabase(server, chance)
        finally:
            server.close()
            watch.close()
