"""The store in an SQLite file keeps every promise of a store, and what is said of the file itself."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.sessions.sqlite import SqliteStore
from fsmvoice.sessions.sqlite_schema import MIGRATIONS, BadStore
from fsmvoice.sessions.sqlite_writer import Writer
from fsmvoice.sessions.store import Answer, Limits, SessionStore, StoreUnavailable
from tests.sessions.store_conformance.bench import Bench, commit, revision
from tests.sessions.store_conformance.suite import StoreConformance


class SqliteBench(Bench):
    def __init__(self, path: Path) -> None:
        self.path = path
        self.clock = SimulatedClock(time.time() * 1000)
        self._opened: list[SqliteStore] = []
        self.store = self.open()

    def open(self, limits: Limits | None = None) -> SqliteStore:
        # NORMAL: what a test shows is the same, and no test waits for the disk
        store = SqliteStore(self.path, limits=limits, synchronous="NORMAL", clock=self.clock)
        self._opened.append(store)
        return store

    @property
    def writer(self) -> Writer:
        return self._opened[0]._writer  # pyright: ignore[reportPrivateUsage] - to fill the disk, and to have one batch

    async def another(self) -> SessionStore:
        return self.open()

    async def with_limits(self, limits: Limits) -> SessionStore:
        self.store = self.open(limits)
        return self.store

    def advance(self, seconds: float) -> None:
        self.clock.advance(seconds * 1000)

    async def aclose(self) -> None:
        for store in self._opened:
            await store.aclose()


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[SqliteBench]:
    made = SqliteBench(tmp_path / "folder" / "sessions.db")
    yield made
    await made.aclose()


class TestConformance(StoreConformance):
    """All of it."""


async def test_what_was_committed_is_there_after_a_restart(bench: SqliteBench) -> None:
    await bench.store.commit(commit("a", 0, None, answer=Answer("r", "", "said")))
    await bench.aclose()

    stored = await bench.open().load("a", "r")
    assert stored is not None
    assert (stored.revision, stored.answer) == (0, Answer("r", "", "said"))


async def test_by_default_what_is_acknowledged_has_reached_the_disk(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.db")
    modes = await store._writer.do(  # pyright: ignore[reportPrivateUsage] - no public way shows a pragma
        lambda db: [db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode")]
    )
    await store.aclose()
    assert modes == [2, "wal"]


async def test_what_weakens_the_promise_is_said_at_the_start(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    await SqliteStore(tmp_path / "s.db").aclose()
    assert caplog.text == ""
    await SqliteStore(tmp_path / "s.db", synchronous="normal").aclose()
    assert "s.db is written with synchronous=normal: " in caplog.text


async def test_a_full_disk_fails_what_was_not_written_and_the_next_call_works(bench: SqliteBench) -> None:
    store, writer = bench.store, bench.writer
    await store.commit(commit("s0", 0, None))
    gate = threading.Event()

    async def pages(most: int) -> None:
        await writer.do(lambda db: db.execute(f"PRAGMA max_page_count={most}").fetchone())

    await pages(1)  # SQLite takes it for as many pages as there are
    holding = asyncio.create_task(writer.do(lambda _: gate.wait(10)))
    big = commit("s2", 0, None, news=("x" * 4_000_000,))
    given = [commit("s1", 0, None), big, commit("s3", 0, None)]
    calls = [asyncio.create_task(store.commit(one)) for one in given]
    await asyncio.sleep(0.01)
    gate.set()
    await holding
    done = await asyncio.gather(*calls, return_exceptions=True)

    assert isinstance(done[1], StoreUnavailable)
    assert "full" in str(done[1])
    for one, found in zip(given, done, strict=True):
        assert (await revision(store, one.key) == 0) == (found == "committed")
    assert await revision(store, "s0") == 0

    await pages(1_000_000)
    assert await store.commit(commit("s0", 1, 0)) == "committed"
    assert await revision(await bench.another(), "s0") == 1


async def test_a_reader_does_not_wait_for_a_writer(bench: SqliteBench) -> None:
    await bench.store.commit(commit("a", 0, None))
    holding = sqlite3.connect(bench.path, isolation_level=None)
    holding.execute("BEGIN IMMEDIATE")

    writing = asyncio.create_task(bench.store.commit(commit("a", 1, 0)))
    assert await revision(bench.store, "a") == 0
    assert not writing.done()
    holding.execute("ROLLBACK")
    holding.close()
    assert await writing == "committed"


async def test_a_session_and_its_answer_are_of_one_moment(bench: SqliteBench) -> None:
    await bench.store.commit(commit("a", 0, None, answer=Answer("r", "", "said")))
    statements: list[str] = []
    assert isinstance(bench.store, SqliteStore)
    reading = bench.store._read  # pyright: ignore[reportPrivateUsage] - no other way shows what it asks
    reading.set_trace_callback(statements.append)

    stored = await bench.store.load("a", "r")

    assert stored is not None
    assert stored.answer is not None
    assert len(statements) == 1, "between two, another process may commit"


async def test_who_opens_a_file_that_another_process_is_making_waits_for_it(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as making:
        making.execute("BEGIN IMMEDIATE")
        opening = asyncio.create_task(asyncio.to_thread(SqliteStore, path))
        await asyncio.sleep(0.1)
        assert not opening.done()
        making.execute("ROLLBACK")
    await (await opening).aclose()


async def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    await SqliteStore(path).aclose()
    with sqlite3.connect(path) as db:
        db.execute("UPDATE meta SET version = ?", (len(MIGRATIONS) + 1,))
    db.close()

    with pytest.raises(BadStore, match="a newer version of fsmvoice"):
        SqliteStore(path)


async def test_what_is_not_a_store_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("These are my notes. " * 100)

    with pytest.raises(BadStore, match=r"notes\.txt can't be opened as a store"):
        SqliteStore(path)
    with pytest.raises(BadStore, match="can't be opened"):
        SqliteStore(path / "below.db")
    with pytest.raises(BadStore, match="it should be full or normal"):
        SqliteStore(tmp_path / "s.db", synchronous="off")


@pytest.mark.parametrize("statement", ["CREATE TABLE users (id)", "CREATE TABLE meta AS SELECT 'a' AS version"])
def test_a_file_of_another_program_is_left_as_it_is(statement: str, tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(statement)
    before = path.read_bytes()
    with pytest.raises(BadStore, match=r"other\.db belongs to another program"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_file_whose_version_is_none_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE meta AS SELECT 'a' AS version; CREATE TABLE sessions (id)")
    with pytest.raises(BadStore, match=r"other\.db can't be opened"):
        SqliteStore(path)


def take_away(path: Path, away: Path, what: str) -> None:
    path.rename(away)
    if what == "deleted":
        away.unlink()
    if what == "replaced":
        path.write_bytes(away.read_bytes())


@pytest.mark.parametrize("beside", ["", "-wal"])
@pytest.mark.parametrize("what", ["deleted", "moved", "replaced"])
async def test_a_file_that_is_gone_takes_no_commit_and_says_so(bench: SqliteBench, what: str, beside: str) -> None:
    await bench.store.commit(commit("a", 0, None))
    await bench.store.check()
    path, away = Path(f"{bench.path}{beside}"), bench.path.with_name("away")
    take_away(path, away, what)

    works: list[Callable[[], Awaitable[object]]] = [lambda: bench.store.commit(commit("a", 1, 0)), bench.store.check]
    if not beside:
        works.append(lambda: bench.store.load("a"))
    for work in works:
        with pytest.raises(StoreUnavailable, match=r"sessions\.db(-wal)? (disappeared|was replaced) while in use"):
            await work()
    if what == "moved":
        away.rename(path)
        assert await bench.store.commit(commit("a", 1, 0)) == "committed"
        assert await revision(await bench.another(), "a") == 1


async def test_a_file_that_goes_away_while_it_is_written_acknowledges_nothing(bench: SqliteBench) -> None:
    heard: list[str] = []
    bench.store.subscribe(lambda key, _: heard.append(key))

    def delete(_: sqlite3.Connection) -> None:
        bench.path.unlink()

    done = await asyncio.gather(
        bench.writer.do(delete), bench.store.commit(commit("a", 0, None)), return_exceptions=True
    )
    assert [type(one) for one in done] == [StoreUnavailable, StoreUnavailable]
    await asyncio.sleep(0.01)
    assert heard == []


async def test_what_people_said_is_for_the_owner_of_the_file_alone(bench: SqliteBench) -> None:
    await bench.store.commit(commit("a", 0, None))
    modes = {path.name: path.stat().st_mode & 0o777 for path in bench.path.parent.iterdir()}
    assert modes == {"sessions.db": 0o600, "sessions.db-wal": 0o600, "sessions.db-shm": 0o600}


async def test_a_row_that_is_damaged_is_reported_as_such(bench: SqliteBench) -> None:
    await bench.store.commit(commit("s", 0, None))
    with contextlib.closing(sqlite3.connect(bench.path)) as connection, connection:
        connection.execute("UPDATE sessions SET news = '[x'")
    with pytest.raises(StoreUnavailable, match="damaged"):
        await bench.store.load("s")


async def test_a_closed_store_says_so(bench: SqliteBench) -> None:
    await bench.aclose()
    with pytest.raises(StoreUnavailable, match="closed"):
        await bench.store.load("a")
    with pytest.raises(StoreUnavailable, match="closed"):
        await bench.store.commit(commit("a", 0, None))
