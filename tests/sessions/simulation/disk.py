"""One SQLite database in memory that all simulated processes share, and the store of one of them.

What is run is the shipped store, its writer too; only the thread of the writer is not there, and what it does is done
at times that the simulation chooses. Writes take time, and fail at their very end; replies are lost.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias, TypeVar

from fsmvoice.engine.clock import Clock
from fsmvoice.sessions import sqlite_commit
from fsmvoice.sessions.sqlite import SqliteStore
from fsmvoice.sessions.sqlite_schema import migrate
from fsmvoice.sessions.sqlite_writer import Job, Writer
from fsmvoice.sessions.store import (
    Commit,
    Committed,
    CommitUnknown,
    Lease,
    Limits,
    Outgoing,
    Overdue,
    SessionStore,
    StoredSession,
    StoreUnavailable,
)

T = TypeVar("T")


class Before(NamedTuple):
    """A session as a commit finds it."""

    document: str | None = None
    fence: int = 0
    leased_until: float = 0.0
    revision: int = -1


Seen: TypeAlias = Callable[[Commit, Committed, Before], None]
"""Is told of a commit, and what became of it."""


class Faulty:
    """A storage whose faults come by chance.

    Attributes:
        faulty: how likely what is asked of it fails.
        failed: how often it has.
        over: whether nothing is answered any more.
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.faulty = 0.0
        self.failed = 0
        self.over = False

    def fails(self, times: float = 1.0) -> bool:
        """Whether something fails now, which does so many times as often as others."""
        happens = self.faulty > 0 and self.chance.random() < self.faulty * times
        self.failed += happens
        return happens

    async def travel(self) -> None:
        """What is asked of it, and what it answers, takes its time; or does not arrive."""
        if self.over or self.fails():
            raise StoreUnavailable("it can't be reached now")
        if self.chance.random() < 0.5:
            await asyncio.sleep(self.chance.expovariate(500))


class Disk(Faulty):
    """The database. A transaction may fail at its end, and has changed nothing then."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        migrate(self._connection, "the simulated disk")

    def store(self, clock: Clock, sleeps: Callable[[], bool] = lambda: False) -> SessionStore:
        """The store of one more process."""
        return SimulatedStore(self, self.chance, clock, sleeps)

    @contextmanager
    def watched(self, seen: Seen) -> Generator[None]:
        """Have each commit be seen as it is written."""
        shipped: Any = sqlite_commit.commit
        before = "SELECT document, fence, leased_until, revision FROM sessions WHERE key = ?"

        def commit(writer: Writer, limits: Limits, given: Commit, now_of: Any, db: sqlite3.Connection) -> Committed:
            row = db.execute(before, (given.key,)).fetchone()
            done: Committed = shipped(writer, limits, given, now_of, db)
            seen(given, done, Before(*row) if row else Before())
            return done

        sqlite_commit.commit = commit
        try:
            yield
        finally:
            sqlite_commit.commit = shipped

    def execute(self, sql: str, values: Any = ()) -> sqlite3.Cursor:
        if self.over:
            raise sqlite3.OperationalError("the simulation is over")
        if sql == "COMMIT" and self.fails(4):
            self._connection.execute("ROLLBACK")
            raise sqlite3.OperationalError("disk I/O error")
        if sql.startswith(("INSERT", "UPDATE")) and self.fails(0.2):
            raise sqlite3.OperationalError("disk I/O error in the middle")
        return self._connection.execute(sql, values)

    def executemany(self, sql: str, values: Any) -> sqlite3.Cursor:
        return self._connection.executemany(sql, values)

    @property
    def in_transaction(self) -> bool:
        return self._connection.in_transaction

    def close(self) -> None:
        self._connection.close()


class SimulatedWriter(Writer):
    """The shipped writer, whose turn comes a little after it was asked."""

    def __init__(self, disk: Disk, chance: random.Random) -> None:
        super().__init__(disk)  # type: ignore[arg-type]  # it is used as a connection is
        self._chance = chance

    async def do(self, job: Job[T]) -> T:
        asyncio.get_running_loop().call_later(self._chance.expovariate(200), self._turn)
        return await super().do(job)

    def _turn(self) -> None:
        if not self._queue.empty():
            self._write(self._next())


class SimulatedStore(SqliteStore):
    """The store as one process has it. To it, the database may be far away.

    Args:
        sleeps: is asked before a commit under a lease; it may stop the process.
    """

    def __init__(self, disk: Disk, chance: random.Random, clock: Clock, sleeps: Callable[[], bool]) -> None:
        self._sleeps = sleeps
        self.limits = Limits()
        self._path, self._clock, self._closed = "the simulated disk", clock.now, False
        self._disk = disk
        self._write = self._read = disk  # type: ignore[assignment]  # it is used as a connection is
        self._writer = SimulatedWriter(disk, chance)

    async def load(self, key: str, request_id: str | None = None) -> StoredSession | None:
        await self._disk.travel()
        found = await super().load(key, request_id)
        await self._disk.travel()
        return found

    async def commit(self, commit: Commit) -> Committed:
        if commit.fence is not None and self._sleeps():
            await asyncio.sleep(0)  # and here it stops
        await self._disk.travel()
        if self._disk.fails():
            raise CommitUnknown("the connection broke before it arrived")
        done = await super().commit(commit)
        await self._disk.travel()
        if self._disk.fails():
            raise CommitUnknown("the connection broke before the answer arrived")
        return done

    async def lease(self, key: str, owner: str, seconds: float) -> Lease | None:
        return await self._answered(super().lease(key, owner, seconds))

    async def overdue(self, machine: str, limit: int, hold: float) -> Overdue:
        return await self._answered(super().overdue(machine, limit, hold))

    async def claim_service(self, key: str, service: str, owner: str, seconds: float) -> int | None:
        return await self._answered(super().claim_service(key, service, owner, seconds))

    async def claim_effect(self, key: str, owner: str, seconds: float) -> Outgoing | None:
        return await self._answered(super().claim_effect(key, owner, seconds))

    async def _answered(self, work: Coroutine[Any, Any, T]) -> T:
        """What it gives, unless the answer is lost: what was claimed runs out by itself then."""
        found = await work
        await self._disk.travel()
        return found

    async def aclose(self) -> None:
        """The disk stays."""

    def _check(self) -> None:
        """It has no file."""
