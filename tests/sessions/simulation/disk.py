"""One SQLite database in memory that all simulated processes share, and the store of one of them.

What is run is the shipped store, its writer too; only the thread of the writer is not there, and what it does is done
at times that the simulation chooses. Writes take time, and fail at their very end; replies are lost.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from fsmvoice.engine.clock import Clock
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
    StoredSession,
    StoreUnavailable,
)

T = TypeVar("T")


class Disk:
    """The database. A transaction may fail at its end, and has changed nothing then.

    Attributes:
        faulty: how likely what is asked of it fails.
        over: whether nothing is answered any more.
    """

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        migrate(self._connection, "the simulated disk")
        self.faulty = 0.0
        self.failed = 0
        self.over = False

    def fails(self, times: float = 1.0) -> bool:
        """Whether something fails now, which does so many times as often as others."""
        happens = self.faulty > 0 and self._chance.random() < self.faulty * times
        self.failed += happens
        return happens

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

    def __init__(
        self, disk: Disk, chance: random.Random, clock: Clock, sleeps: Callable[[], bool] = lambda: False
    ) -> None:
        self._sleeps = sleeps
        self.limits = Limits()
        self._path, self._clock, self._closed = "the simulated disk", clock.now, False
        self._disk, self._chance = disk, chance
        self._write = self._read = disk  # type: ignore[assignment]  # it is used as a connection is
        self._writer = SimulatedWriter(disk, chance)

    async def load(self, key: str, request_id: str | None = None) -> StoredSession | None:
        await self._travel()
        found = await super().load(key, request_id)
        await self._travel()
        return found

    async def commit(self, commit: Commit) -> Committed:
        if commit.fence is not None and self._sleeps():
            await asyncio.sleep(0)  # and here it stops
        await self._travel()
        if self._disk.fails():
            raise CommitUnknown("the connection broke before it arrived")
        done = await super().commit(commit)
        await self._travel()
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
        await self._travel()
        return found

    async def aclose(self) -> None:
        """The disk stays."""

    def _check(self) -> None:
        """It has no file."""

    async def _travel(self) -> None:
        if self._disk.over or self._disk.fails():
            raise StoreUnavailable("it can't be reached now")
        if self._chance.random() < 0.5:
            await asyncio.sleep(self._chance.expovariate(500))
