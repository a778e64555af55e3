"""Who looks at a store in a file leaves it as it was."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from fsmvoice.sessions.sqlite import SqliteStore
from fsmvoice.sessions.sqlite_reader import SqliteLook
from fsmvoice.sessions.sqlite_schema import MIGRATIONS, BadStore
from fsmvoice.sessions.store import StoreUnavailable
from tests.sessions.store_conformance.bench import commit, revision


def everything(folder: Path) -> dict[str, tuple[bytes, int]]:
    """The files of a folder: what is in them, and when they were written."""
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A store with a session in it that nobody has open."""
    path = tmp_path / "it's 100% #1?.db"
    store = SqliteStore(path)
    await store.commit(commit("a", 0, None))
    await store.aclose()
    return path


async def test_a_store_that_nobody_has_open_stays_as_it_was(path: Path) -> None:
    before = everything(path.parent)
    look = SqliteLook(path)
    assert [info.key for info in await look.list()] == ["a"]
    assert await revision(look, "a") == 0
    assert len(await look.history("a")) == 1
    await look.aclose()
    assert everything(path.parent) == before


NOBODY = 65534


@pytest.fixture
def unwritable(path: Path) -> Generator[Path]:
    """The store for somebody who may only read it. Root may write everywhere, so it becomes somebody else meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        shown = Path(shutil.copy(path, folder))
        shown.chmod(0o444)
        shown.parent.chmod(0o555)
        user = os.geteuid()
        if user == 0:
            os.seteuid(NOBODY)
        try:
            yield shown
        finally:
            os.seteuid(user)
            shown.parent.chmod(0o700)


async def test_it_need_not_be_writable(unwritable: Path) -> None:
    with pytest.raises(PermissionError):
        unwritable.open("r+b")
    look = SqliteLook(unwritable)
    assert await revision(look, "a") == 0
    await look.aclose()


async def test_a_store_that_is_in_use_is_seen_as_it_is_now(path: Path) -> None:
    look = SqliteLook(path)
    assert await revision(look, "a") == 0
    store = SqliteStore(path)
    await store.commit(commit("a", 1, 0))
    assert await revision(look, "a") == 1
    another = SqliteLook(path)
    assert await revision(another, "a") == 1
    for one in (look, another, store):
        await one.aclose()


async def test_what_a_killed_process_left_is_seen(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path)
    await store.commit(commit("a", 1, 0))
    left = tmp_path / "left"
    left.mkdir()
    for name in ("", "-wal"):
        shutil.copy(f"{path}{name}", left / f"s.db{name}")
    await store.aclose()
    before = (left / "s.db").read_bytes(), (left / "s.db-wal").read_bytes()
    look = SqliteLook(left / "s.db")
    assert await revision(look, "a") == 1
    await look.aclose()
    assert ((left / "s.db").read_bytes(), (left / "s.db-wal").read_bytes()) == before


def make(path: Path, what: str) -> None:
    """Put something else in the store's place, or another version of it."""
    if what in ("nothing", "empty", "a string", "another program's"):
        path.unlink()
    if what == "empty":
        path.touch()
    if what == "a string":
        path.write_text("These are my notes. " * 100)
    if what in ("another program's", "older", "newer"):
        version = len(MIGRATIONS) + (1 if what == "newer" else -1)
        statement = "CREATE TABLE users (id)" if what.startswith("another") else f"UPDATE meta SET version = {version}"
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("nothing", "there is no file .*100%"),
        ("empty", "is not a store of sessions: it is empty"),
        ("a string", "can't be read as a store: file is not a database"),
        ("another program's", "belongs to another program"),
        ("older", "older version of fsmvoice .* updates it"),
        ("newer", "newer version of fsmvoice"),
    ],
)
async def test_what_is_not_a_store_stays_what_it_is(path: Path, made: str, told: str) -> None:
    make(path, made)
    before = everything(path.parent)
    with pytest.raises(BadStore, match=told):
        SqliteLook(path)
    assert everything(path.parent) == before


async def test_who_has_looked_says_so(path: Path) -> None:
    look = SqliteLook(path)
    await look.aclose()
    await look.aclose()
    with pytest.raises(StoreUnavailable, match="closed"):
        await look.list()
