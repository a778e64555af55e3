"""Each store as the model's processes open it: the shipped one, on the model's time."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.postgres import PostgresStore
from fsmvoice.sessions.postgres_changes import Changes
from fsmvoice.sessions.postgres_pool import Pool
from fsmvoice.sessions.sqlite import SqliteStore
from fsmvoice.sessions.sqlite_writer import Job, Writer
from fsmvoice.sessions.store import Limits, SessionStore
from tests.sessions.model.loop import ModelLoop
from tests.sessions.postgres_database import EMPTY, Watch, execute, told_database

T = TypeVar("T")


class Place(Protocol):
    """Where sessions lie in one run of the model."""

    shared: bool
    """Whether several processes may use it, and so look again and again at what another can't read.

    The two of a run on one in memory are of one process, which has one version of a machine; but that is all.
    """

    async def open(self, limits: Limits) -> SessionStore:
        """The store of another process."""
        ...

    async def aclose(self) -> None: ...


Places: TypeAlias = Callable[[ModelLoop], Place]


class InMemory:
    shared = False

    def __init__(self, loop: ModelLoop) -> None:
        self._loop = loop
        self._store: MemoryStore | None = None

    async def open(self, limits: Limits) -> SessionStore:
        if self._store is None:
            self._store = MemoryStore(limits=limits, clock=self._loop)
        return self._store

    async def aclose(self) -> None:
        """Nothing is left."""


class InSqlite:
    shared = True

    def __init__(self, loop: ModelLoop) -> None:
        self._loop, self._folder = loop, Path(tempfile.mkdtemp(prefix="fsmvoice-model-"))

    async def open(self, limits: Limits) -> SessionStore:
        return _Sqlite(self._folder / "sessions.db", limits, self._loop)

    async def aclose(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


class _Sqlite(SqliteStore):
    def __init__(self, path: Path, limits: Limits, loop: ModelLoop) -> None:
        super().__init__(path, limits=limits, synchronous="NORMAL", clock=loop)
        self._writer.close()
        self._writer = _Writer(self._write, loop)


class _Writer(Writer):
    """Writes in its thread if several do so together. Else what others read meanwhile would be chance: it has none."""

    def __init__(self, connection: sqlite3.Connection, loop: ModelLoop) -> None:
        self._model = loop
        super().__init__(connection)

    async def do(self, job: Job[T]) -> T:
        if self._model.together:
            return await self._model.outside(super().do(job))
        self._model.call_soon(self._once)
        return await super().do(job)

    def _run(self) -> None:
        if self._model.together:
            super()._run()

    def _once(self) -> None:
        if not self._queue.empty():
            self._write(self._next())


class InPostgres:
    shared = True

    def __init__(self, url: str, watch: Path, loop: ModelLoop) -> None:
        self._url, self._loop = url, loop
        loop.watch = Watch(watch)
        loop.jump(0)

    async def open(self, limits: Limits) -> SessionStore:
        return _Postgres(self._url, limits, self._loop)

    async def aclose(self) -> None:
        await self._loop.outside(execute(self._url, EMPTY))


class _Postgres(PostgresStore):
    def __init__(self, url: str, limits: Limits, loop: ModelLoop) -> None:
        super().__init__(url, limits=limits)
        self._pool = _Pool(url, loop)
        self._changes = Changes(self._pool)


class _Pool(Pool):
    def __init__(self, url: str, loop: ModelLoop) -> None:
        super().__init__(url)
        self._model = loop

    async def once(self, query: str, *values: Any) -> Sequence[Any]:
        return await self._model.outside(super().once(query, *values))

    async def aclose(self) -> None:
        await self._model.outside(super().aclose())


@contextmanager
def places(kind: str) -> Generator[Places]:
    """Where to keep sessions of that kind of store, for one run after the other."""
    if kind != "postgres":
        yield InMemory if kind == "memory" else InSqlite
        return
    with told_database() as (url, watch):
        yield lambda loop: InPostgres(url, watch, loop)
