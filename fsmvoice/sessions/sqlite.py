"""A store that keeps sessions in an SQLite file, for any number of processes on one computer."""

from __future__ import annotations

import contextlib
import functools
import json
import logging
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from fsmvoice.engine.clock import Clock, SystemClock
from fsmvoice.sessions import sqlite_commit
from fsmvoice.sessions.sqlite_file import OpenFile
from fsmvoice.sessions.sqlite_reader import BUSY, SqliteReader
from fsmvoice.sessions.sqlite_schema import BadStore, migrate, refuse_others
from fsmvoice.sessions.sqlite_writer import Job, Writer
from fsmvoice.sessions.store import Changed, Commit, Committed, Lease, Limits, Outgoing, Overdue

logger: logging.Logger = logging.getLogger("fsmvoice")

SWEPT_AT_ONCE = 200
"""The number of sessions that are deleted at a time, at most."""


class SqliteStore(SqliteReader):
    """A `SessionStore` in a file. Made by `SqliteStore(path)`, or by `open_store("sqlite:///path")`.

    Several processes of one computer may open the same file. It is not safe on a network file system.

    Args:
        path: the file. It and its folder are created if they don't exist, the file readable by its owner only.
        limits: how much it keeps; by default `Limits()`.
        synchronous: SQLite's setting: with FULL, commits survive a power failure; with NORMAL, only the end of the
            process.
        clock: the clock; a `SimulatedClock` in tests.

    Raises:
        BadStore: if the file is not such a store, has a newer version, or can't be opened.
    """

    instant: bool = False
    limits: Limits

    def __init__(
        self, path: str | Path, *, limits: Limits | None = None, synchronous: str = "FULL", clock: Clock | None = None
    ) -> None:
        self.limits = limits or Limits()
        self._path, self._synchronous = str(path), synchronous.upper()
        if self._synchronous not in ("FULL", "EXTRA", "NORMAL"):
            raise BadStore(f"synchronous is {synchronous!r}; it should be full or normal")
        if self._synchronous == "NORMAL":
            told = self._path.encode(errors="backslashreplace").decode()  # a log can't hold half a character
            logger.warning("%s is written with synchronous=normal: a power failure may lose commits", told)
        with contextlib.ExitStack() as opened:
            try:
                Path(self._path).parent.mkdir(parents=True, exist_ok=True)
                _make(self._path)
                self._write = opened.enter_context(contextlib.closing(self._connect()))
                migrate(self._write, self._path)
                reading = opened.enter_context(contextlib.closing(self._connect()))
                self._file = OpenFile(self._path)
            except BadStore:
                raise
            except (sqlite3.Error, OSError, ValueError) as error:  # ValueError: the version is not a number or not text
                raise BadStore(f"{self._path} can't be opened as a store: {error}") from error
            opened.pop_all()
        super().__init__(self._path, reading, (clock or SystemClock()).now)
        self._writer = Writer(self._write, self._file.check)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=BUSY)
        try:
            refuse_others(connection, self._path)
            mode = _ahead(connection)
            if mode != "wal":
                raise BadStore(
                    f"{self._path} can't use write-ahead logging (journal_mode is {mode}); use a file on a local disk"
                )
        except Exception:
            connection.close()
            raise
        connection.execute(f"PRAGMA synchronous={self._synchronous}")
        return connection

    async def commit(self, commit: Commit) -> Committed:
        """Apply the commit, if the session is still at the expected revision."""
        return await self._writer.do(
            functools.partial(sqlite_commit.commit, self._writer, self.limits, commit, self._clock)
        )

    async def note(self, key: str, revision: int, attempts: int, news: tuple[str, ...]) -> None:
        """Set the number of failures in a row, and the news that nobody has heard yet."""
        sql = "UPDATE sessions SET attempts = ?, news = ? WHERE key = ? AND revision = ? AND expires > ?"
        await self._do(sql, (attempts, json.dumps(news), key, revision, self._clock()))

    async def delete(self, key: str) -> bool:
        """Delete the session."""
        return await self._writer.do(functools.partial(sqlite_commit.delete, key, self._clock))

    async def now(self) -> float:
        """Milliseconds since 1970, by this computer's clock."""
        return self._clock()

    async def check(self) -> None:
        """Check that an empty transaction succeeds."""
        await self._writer.do(lambda _: None)

    async def lease(self, key: str, owner: str, seconds: float) -> Lease | None:
        """Take the session's lease."""
        return await self._writer.do(functools.partial(sqlite_commit.lease, key, owner, seconds, self._clock))

    async def release(self, key: str, fence: int) -> None:
        """Give the lease back."""
        await self._do("UPDATE sessions SET leased_until = 0 WHERE key = ? AND fence = ?", (key, fence))

    async def overdue(self, machine: str, limit: int, hold: float) -> Overdue:
        """Sessions of a machine with something due, and the time until the next one. Writes nothing if none has."""
        first = self._one(sqlite_commit.NEXT, (machine, self._clock()))
        if first is None:
            return Overdue((), None)
        if first[0] > (now := self._clock()):
            return Overdue((), first[0] - now)
        return await self._writer.do(functools.partial(sqlite_commit.overdue, machine, limit, hold, self._clock))

    async def wake(self, key: str, seconds: float) -> None:
        """Report the session as overdue in `seconds`."""
        sql = "UPDATE sessions SET wake_at = ? WHERE key = ? AND wake_at IS NOT NULL"
        await self._do(sql, (self._clock() + seconds * 1000, key))

    async def claim_service(self, key: str, service: str, owner: str, seconds: float) -> int | None:
        """Take over a service whose lease has ended."""
        job = functools.partial(sqlite_commit.claim_service, (key, service), owner, seconds, self._clock)
        return await self._writer.do(job)

    async def keep_services(
        self, owner: str, services: Sequence[tuple[str, str]], seconds: float
    ) -> Sequence[tuple[str, str]]:
        """Renew leases."""
        return await self._writer.do(functools.partial(sqlite_commit.extend, owner, services, seconds, self._clock))

    async def give_up_services(self, owner: str, services: Sequence[tuple[str, str]]) -> None:
        """End leases."""
        await self._writer.do(functools.partial(sqlite_commit.extend, owner, services, None, self._clock))

    async def claim_effect(self, key: str, owner: str, seconds: float) -> Outgoing | None:
        """Claim the oldest effect of the session, if it is due."""
        return await self._writer.do(functools.partial(sqlite_commit.claim_effect, key, seconds, self._clock))

    async def finish_effect(self, key: str, effect: str) -> None:
        """Remove an effect that is done."""
        await self._writer.do(functools.partial(sqlite_commit.finish_effect, key, effect))

    async def retry_effect(self, key: str, effect: str, attempt: int, seconds: float, error: str) -> None:
        """Schedule another attempt at an effect that failed."""
        due = self._clock() + seconds * 1000
        await self._writer.do(functools.partial(sqlite_commit.retry_effect, (key, effect), attempt, due, error))

    async def keys(self) -> Sequence[bytes]:
        """The keys in the file, made at the first call."""

        def job(db: sqlite3.Connection) -> Sequence[bytes]:
            found = db.execute("SELECT secret FROM seals ORDER BY n DESC").fetchall()
            if not found:
                found = [(secrets.token_bytes(32),)]
                db.execute("INSERT INTO seals (secret) VALUES (?)", found[0])
            return tuple(bytes(row[0]) for row in found)

        return await self._writer.do(job)

    def subscribe(self, changed: Changed) -> Callable[[], None]:
        """Call `changed` after each commit. Commits of other processes are noticed within a fraction of a second."""
        return self._writer.listen(changed)

    async def sweep(self) -> int:
        """Delete some of the sessions that expired at least a `ttl` ago."""
        now = self._clock()
        job = functools.partial(sqlite_commit.sweep, now - self.limits.ttl * 1000, now, SWEPT_AT_ONCE)
        return await self._writer.do(job)

    async def aclose(self) -> None:
        """Finish pending writes, and close the file."""
        if not self._closed:
            self._closed = True
            self._writer.close()
            self._read.close()
            self._write.close()

    def _check(self) -> None:
        self._file.check(ahead=False)

    async def _do(self, sql: str, values: Sequence[Any]) -> None:
        job: Job[Any] = lambda db: db.execute(sql, values)  # noqa: E731 - a job is a function of the connection
        await self._writer.do(job)


def _make(path: str) -> None:
    """Create the file if it doesn't exist, readable by its owner only, since it contains what people said."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _ahead(connection: sqlite3.Connection) -> str:
    """Turn write-ahead logging on. The journal mode then. Waits for other processes, which SQLite doesn't do here."""
    until = time.monotonic() + BUSY
    while True:
        try:
            return str(connection.execute("PRAGMA journal_mode=WAL").fetchone()[0])
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(0.01)
