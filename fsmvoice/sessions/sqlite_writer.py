"""The only thread that writes to an SQLite file. All pending jobs go into one transaction."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias, TypeVar

from fsmvoice.errors import FsmVoiceError
from fsmvoice.sessions.store import Changed, StoreUnavailable

MOST_AT_ONCE = 256
"""The number of jobs in one transaction."""
POLL = 0.2
"""Seconds between checks for commits of other processes, while anyone listens."""

T = TypeVar("T")
Job: TypeAlias = Callable[[sqlite3.Connection], T]


class _Waiting(NamedTuple):
    job: Job[Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


class _Done(NamedTuple):
    waiting: _Waiting
    result: Any
    error: Exception | None


class Writer:
    """Does jobs in order, each completely or not at all, and reports them only once they are on disk.

    Jobs that wait while a transaction is being written share the next one, and so one sync of the disk.

    Args:
        check: called before and after each transaction, to check that the file is still there.
    """

    def __init__(self, connection: sqlite3.Connection, check: Callable[[], None] = lambda: None) -> None:
        self._connection, self._check = connection, check
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._closed = False
        self._listeners: dict[object, tuple[Changed, asyncio.AbstractEventLoop]] = {}
        self._batch: list[tuple[int, str, int]] = []
        """The commits in the current transaction: the number of the last event, the session's key and its revision."""
        self._own: set[int] = set()
        """The numbers of this process's events since the last check for those of others."""
        self._looking = False
        self._told_until = self._version = 0
        self._looked = 0.0
        self._thread = threading.Thread(target=self._run, name="fsmvoice-sqlite", daemon=True)
        self._thread.start()

    async def do(self, job: Job[T]) -> T:
        """The result of the job, once it is durable.

        Raises:
            StoreUnavailable: if it could not be written. It changed nothing then.
        """
        if self._closed:
            raise StoreUnavailable("the store is closed")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._queue.put(_Waiting(job, future, loop))
        return await future

    def committed(self, event: int, key: str, revision: int) -> None:
        """Called by a job: note a commit that listeners are to be told of once it is durable."""
        self._batch.append((event, key, revision))

    def listen(self, changed: Changed) -> Callable[[], None]:
        """Call `changed` on the running event loop after each commit. Returns a function that ends this."""
        token = object()
        self._listeners[token] = (changed, asyncio.get_running_loop())
        self._queue.put(None)  # wakes the thread, so that it checks for others' commits from now on

        def end() -> None:
            self._listeners.pop(token, None)

        return end

    def close(self) -> None:
        """Finish pending jobs, and end the thread. It may be called twice."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            batch = self._next()
            if self._looking != bool(self._listeners):
                self._looking = not self._looking
                if self._looking:
                    self._own.clear()
                    self._told_until, self._version = self._last_event(), self._data_version()
            if batch:
                self._write(batch)
            if self._looking:
                self._look()
            if self._closed and self._queue.empty():
                return

    def _next(self) -> list[_Waiting]:
        """The pending jobs, once there are any, or an empty list when it is time to check for others' commits."""
        found: list[_Waiting] = []
        try:
            first = self._queue.get(timeout=POLL if self._listeners else None)
            if first is not None:
                found.append(first)
            while len(found) < MOST_AT_ONCE:
                waiting = self._queue.get_nowait()
                if waiting is not None:
                    found.append(waiting)
        except queue.Empty:
            pass
        return found

    def _write(self, batch: list[_Waiting]) -> None:
        self._batch.clear()
        try:
            self._check()
            done = self._transaction(batch)
            self._check()
        except Exception as error:  # the whole batch failed
            if self._connection.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
            self._batch.clear()
            done = [_Done(waiting, None, _unavailable(error)) for waiting in batch]
        if self._batch and self._looking:
            self._own.update([event for event, _, _ in self._batch])
            self._tell([(key, revision) for _, key, revision in self._batch])
        by_loop: dict[asyncio.AbstractEventLoop, list[_Done]] = defaultdict(list)
        for item in done:
            by_loop[item.waiting.loop].append(item)
        for loop, items in by_loop.items():
            with contextlib.suppress(RuntimeError):  # the event loop has ended, so nobody waits
                loop.call_soon_threadsafe(_wake, items)

    def _transaction(self, batch: list[_Waiting]) -> list[_Done]:
        """Do each job in its own savepoint, then commit all of them."""
        connection, done = self._connection, list[_Done]()
        connection.execute("BEGIN IMMEDIATE")
        for waiting in batch:
            before = len(self._batch)
            connection.execute("SAVEPOINT job")
            try:
                result = waiting.job(connection)
            except Exception as error:
                if not connection.in_transaction:  # SQLite has rolled everything back, as when the disk is full
                    raise
                connection.execute("ROLLBACK TO job")
                del self._batch[before:]
                refused = error if isinstance(error, FsmVoiceError) else _unavailable(error)
                done.append(_Done(waiting, None, refused))
            else:
                done.append(_Done(waiting, result, None))
            connection.execute("RELEASE job")
        connection.execute("COMMIT")
        return done

    def _look(self) -> None:
        """Check whether other processes have committed anything, and tell the listeners."""
        if time.monotonic() < self._looked + POLL:
            return
        self._looked = time.monotonic()
        try:
            version = self._data_version()
            if version != self._version:
                self._version = version
                found = self._connection.execute(
                    "SELECT n, key, seq FROM events JOIN sessions USING (sid) WHERE n > ? ORDER BY n",
                    (self._told_until,),
                ).fetchall()
                self._told_until = max([self._told_until, *(row[0] for row in found)])
                self._tell([(row[1], row[2]) for row in found if row[0] not in self._own])
            self._told_until = max(self._told_until, *self._own, 0)
            self._own.clear()
        except sqlite3.Error:
            return  # listeners may miss a change if the file can't be read, but readers get the error

    def _tell(self, changes: list[tuple[str, int]]) -> None:
        for token, (_, loop) in tuple(self._listeners.items()):
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._announce, token, changes)

    def _announce(self, token: object, changes: Iterable[tuple[str, int]]) -> None:
        for key, revision in changes:
            if token in self._listeners:
                self._listeners[token][0](key, revision)

    def _data_version(self) -> int:
        """SQLite's number that changes when another connection writes to the file."""
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def _last_event(self) -> int:
        """The number of the newest event. Numbers increase."""
        return int(self._connection.execute("SELECT coalesce(max(n), 0) FROM events").fetchone()[0])


def _unavailable(error: Exception) -> StoreUnavailable:
    failed = StoreUnavailable(str(error) if isinstance(error, StoreUnavailable) else f"the store can't write: {error}")
    failed.__cause__ = error
    return failed


def _wake(items: list[_Done]) -> None:
    for item in items:
        future = item.waiting.future
        if future.done():
            continue
        if item.error is None:
            future.set_result(item.result)
        else:
            future.set_exception(item.error)
