"""A million stored sessions in SQLite: how big the file is, and how long what is asked of it takes.

`python -m tests.benchmarks.huge` prints it; tests/benchmarks/test_huge.py (marker `huge`) compares it with a thousand.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

from fsmvoice.sessions.keys import CallContext, session_key
from fsmvoice.sessions.meta import SESSION_META
from fsmvoice.sessions.sqlite import SqliteStore
from fsmvoice.sessions.turn import Sessions
from tests.benchmarks.stores import any_event, request
from tests.benchmarks.workloads import Flat

DUE = 100
"""Sessions with a delay that is over; one in ten has one that is not."""


def key_of(number: int) -> Any:
    return session_key(CallContext(meta={SESSION_META: f"s{number}"}), "flat")


async def fill(path: Path, sessions: int) -> None:
    """Store so many sessions of the flat machine, each with two events and an answer, as a turn stores them."""
    store = SqliteStore(path, synchronous="NORMAL")
    machine = Sessions(Flat.chart, store)
    await machine.take_turn(key_of(-1), any_event, request("one request of many, with an id"))
    await machine.aclose(0)
    await store.aclose()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous=OFF")
    tables = {name: columns(db, name) for name in ("sessions", "events", "answers")}
    rows = {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in tables}
    for first in range(0, sessions, 50_000):
        db.execute("BEGIN")
        for name, names in tables.items():
            marks = ", ".join("?" * len(names))
            numbers = range(first, min(first + 50_000, sessions))
            db.executemany(
                f"INSERT INTO {name} VALUES ({marks})",
                (row for number in numbers for row in copies(name, names, rows[name], number)),
            )
        db.execute("COMMIT")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def columns(db: sqlite3.Connection, table: str) -> list[str]:
    return [str(row[1]) for row in db.execute(f"PRAGMA table_info({table})")]


def copies(table: str, names: list[str], rows: list[tuple[Any, ...]], number: int) -> Iterator[tuple[Any, ...]]:
    """The rows of one session, like those that were stored."""
    for row in rows:
        made = dict(zip(names, row, strict=True))
        made["sid"] = number + 1000
        if table == "events":
            made["n"] = None
        if table == "sessions":
            made["key"] = key_of(number).storage
            if number < DUE:
                made["wake_at"] = made["created"]
            elif number % 10 == 0:
                made["wake_at"] = made["created"] + 3_600_000 + number
        yield tuple(made.values())


async def measured(path: Path, sessions: int) -> dict[str, tuple[float, float]]:
    """What is asked of a store in use, and a turn: milliseconds, the middle of many, and the 99th of a hundred."""
    store = SqliteStore(path)
    machine = Sessions(Flat.chart, store)
    some = random.Random(1)

    def key() -> str:
        return str(key_of(some.randrange(sessions)).storage)

    asked = {
        "what is overdue (32 of 100)": await timed(lambda: store.overdue("flat", 32, 10), 3),
        "load a session": await timed(lambda: store.load(key(), "r"), 2000),
        "load one that is not there": await timed(lambda: store.load("nobody's", "r"), 500),
        "a turn, with its commit": await timed(lambda: one_turn(machine, some.randrange(sessions)), 200),
        "what is overdue (nothing)": await timed(lambda: store.overdue("another", 32, 10), 500),
        "the first 100 of a list": await timed(lambda: store.list(limit=100), 50),
        "100 from the middle": await timed(lambda: store.list(limit=100, after="8"), 50),
        "the history of one": await timed(lambda: store.history(key()), 500),
        "a sweep that finds nothing": await timed(store.sweep, 20),
    }
    await machine.aclose(0)
    await store.aclose()
    return asked


async def one_turn(machine: Sessions, number: int) -> None:
    turn = await machine.take_turn(key_of(number), any_event)
    assert turn.reason is None


async def timed(ask: Callable[[], Awaitable[Any]], times: int) -> tuple[float, float]:
    taken: list[float] = []
    for _ in range(times):
        begun = time.perf_counter()
        await ask()
        taken.append((time.perf_counter() - begun) * 1000)
    ordered = sorted(taken)
    return ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix=".benchmark-", dir=Path.cwd()) as folder:
        path, begun = Path(folder) / "sessions.db", time.monotonic()
        asyncio.run(fill(path, options.sessions))
        filled = time.monotonic() - begun
        size, asked = path.stat().st_size, asyncio.run(measured(path, options.sessions))
    out = sys.stdout.write
    out(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, load {os.getloadavg()[0]:.1f}; ")
    out(f"{options.sessions:,} sessions of two events and an answer, written in {filled:.0f} s\n")
    out(f"{'size of the file':<32}{size / 1e6:>10,.0f} MB, {size / options.sessions:,.0f} bytes a session\n")
    for what, (middle, late) in asked.items():
        out(f"{what:<32}{middle:>10.3f} ms, 99 of 100 within {late:.3f} ms\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
