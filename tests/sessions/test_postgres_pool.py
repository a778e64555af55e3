"""A database that goes away: what was acknowledged is there, what was not is there once or not at all."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncGenerator
from typing import Literal

import pytest

import fsmvoice.sessions.postgres_pool as pool
from fsmvoice.errors import MissingExtra
from fsmvoice.sessions.postgres import PostgresStore
from fsmvoice.sessions.postgres_changes import Changes
from fsmvoice.sessions.store import Answer, CommitUnknown, StoreUnavailable
from tests.sessions.cutting import Proxy
from tests.sessions.postgres_database import database, execute
from tests.sessions.store_conformance.bench import commit, revision


@pytest.fixture
async def proxy() -> AsyncGenerator[Proxy]:
    async with database() as url, Proxy(url).listening() as proxy:
        yield proxy


def _tell_nobody(_self: Changes, _key: str, _revision: int) -> None: ...


@pytest.fixture
async def store(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[PostgresStore]:
    """A store with one connection, which has committed before, so that the next thing to be cut is a commit."""
    monkeypatch.setattr(Changes, "tell", _tell_nobody)
    store = await PostgresStore.open(proxy.url)
    assert await store.commit(commit("a", 0, None)) == "committed"
    yield store
    await store.aclose()


@pytest.mark.parametrize("cut", ["request", "reply"])
async def test_a_commit_whose_connection_breaks_happens_once(
    proxy: Proxy, store: PostgresStore, cut: Literal["request", "reply"]
) -> None:
    proxy.cut = cut
    assert await store.commit(commit("a", 1, 0, answer=Answer("r", "", "said"))) == "committed"

    assert proxy.cuts == 0
    stored = await store.load("a", "r")
    assert stored is not None
    assert stored.revision == 1
    assert [past.event.seq for past in await store.history("a")] == [0, 1]


@pytest.mark.parametrize("cut", ["request", "reply"])
async def test_a_session_whose_connection_breaks_begins_once(
    proxy: Proxy, store: PostgresStore, cut: Literal["request", "reply"]
) -> None:
    proxy.cut = cut
    assert await store.commit(commit("new", 0, None)) == "committed"
    assert proxy.cuts == 0


async def test_a_commit_that_another_one_followed_is_still_known(proxy: Proxy, store: PostgresStore) -> None:
    other = await PostgresStore.open(proxy.direct)
    proxy.cut, proxy.refused = "reply", True
    first = asyncio.create_task(store.commit(commit("a", 1, 0)))
    async with asyncio.timeout(5):
        while await revision(other, "a") == 0:  # noqa: ASYNC110 - the database tells nobody
            await asyncio.sleep(0.001)
    assert await other.commit(commit("a", 2, 1)) == "committed"
    proxy.refused = False
    assert await first == "committed"
    assert await revision(store, "a") == 2
    await other.aclose()


async def test_a_commit_that_nobody_can_ask_for_is_told_to_be_unknown(
    proxy: Proxy, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "PATIENCE", 0.2)
    proxy.cut, proxy.cuts, proxy.refused = "reply", 1, True
    with pytest.raises(CommitUnknown):
        await store.commit(commit("a", 1, 0))

    proxy.refused = False
    assert await revision(store, "a") == 1


async def test_a_database_that_is_away_is_reported_and_nothing_changed(
    proxy: Proxy, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "PATIENCE", 0.2)
    proxy.refused = True
    proxy.break_all()
    await asyncio.sleep(0.05)
    with pytest.raises(StoreUnavailable):
        await store.commit(commit("a", 1, 0))
    with pytest.raises(StoreUnavailable):
        await store.load("a")
    with pytest.raises(StoreUnavailable):
        await store.lease("a", "me", 1)

    proxy.refused = False
    assert await revision(store, "a") == 0
    assert await store.commit(commit("a", 1, 0)) == "committed"


async def test_a_call_waits_for_a_database_that_comes_back(proxy: Proxy, store: PostgresStore) -> None:
    proxy.refused = True
    proxy.break_all()
    asyncio.get_running_loop().call_later(0.1, setattr, proxy, "refused", False)
    assert await store.commit(commit("a", 1, 0)) == "committed"


async def test_a_silent_database_is_not_waited_for_without_end(
    proxy: Proxy, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "PATIENCE", 0.1)
    monkeypatch.setattr(pool, "STATEMENT_WITHIN", -0.8)
    monkeypatch.setattr(pool, "CONNECT_WITHIN", 0.2)
    proxy.cut = "silent"
    with pytest.raises(CommitUnknown):
        await store.commit(commit("a", 1, 0))
    proxy.cut = "none"


async def test_a_call_that_is_cancelled_leaves_a_store_that_works(store: PostgresStore) -> None:
    for _ in range(30):
        task = asyncio.create_task(store.load("a"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert await revision(store, "a") == 0


async def test_many_calls_share_few_connections(store: PostgresStore) -> None:
    done = await asyncio.gather(*(store.commit(commit(f"s{n}", 0, None)) for n in range(100)))
    assert done == ["committed"] * 100


async def test_settings_that_break_the_promises_are_reported(proxy: Proxy, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "fsmvoice"):
        store = await PostgresStore.open(f"{proxy.url}&synchronous_commit=off")
    assert "synchronous_commit=off, so acknowledged commits can be lost" in caplog.text
    await store.aclose()


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://u:secret@127.0.0.1:1/x", "can't be reached"),
        ("postgresql://u:secret@127.0.0.1:port/x", "not one"),
    ],
)
async def test_a_database_that_is_not_there_is_reported_without_its_password(url: str, told: str) -> None:
    with pytest.raises(StoreUnavailable, match=told) as caught:
        await PostgresStore.open(url)
    assert "secret" not in str(caught.value)
    assert "secret" not in repr(PostgresStore(url))


async def test_a_database_of_another_name_is_reported(proxy: Proxy) -> None:
    with pytest.raises(StoreUnavailable, match='"nowhere" does not exist'):
        await PostgresStore.open(proxy.url.replace("/postgres?", "/nowhere?"))


def test_without_the_driver_the_pip_line_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(MissingExtra, match=r"pip install 'fsmvoice\[postgres\]'"):
        PostgresStore("postgresql://localhost/x")


async def test_a_store_is_opened_in_one_event_loop_and_used_in_another() -> None:
    async def use(store: PostgresStore) -> int | None:
        await store.commit(commit("a", 0, None))
        found = await revision(store, "a")
        await store.aclose()
        return found

    async with database() as url:
        store = await PostgresStore.open(url)
        assert await asyncio.to_thread(lambda: asyncio.run(use(store))) == 0


async def test_a_mistake_in_a_statement_is_not_an_absence(store: PostgresStore, proxy: Proxy) -> None:
    await execute(proxy.url, "ALTER TABLE fsmvoice_keys RENAME COLUMN secret TO another")
    with pytest.raises(Exception, match="secret") as caught:
        await store.keys()
    assert not isinstance(caught.value, StoreUnavailable)


async def test_tables_that_are_gone_are_reported(store: PostgresStore, proxy: Proxy) -> None:
    await store.check()
    await execute(proxy.url, "ALTER TABLE fsmvoice_sessions RENAME TO away")
    for work in (store.load("a"), store.commit(commit("a", 1, 0)), store.check()):
        with pytest.raises(StoreUnavailable, match="the tables no longer exist"):
            await work
    await execute(proxy.url, "ALTER TABLE away RENAME TO fsmvoice_sessions")
    await store.check()
    await execute(proxy.url, "DROP FUNCTION fsmvoice_now CASCADE")
    with pytest.raises(StoreUnavailable, match="fsmvoice_now"):
        await store.now()


async def test_a_schema_that_is_not_there_is_reported() -> None:
    async with database() as url:
        with pytest.raises(StoreUnavailable, match=r"the schema that \?search_path= in the URL names doesn't exist"):
            await PostgresStore.open(f"{url.partition('&')[0]}&search_path=nowhere")


async def test_a_role_that_may_make_no_tables_is_reported() -> None:
    async with database() as url:
        name = url.rpartition("=")[2]
        await execute(url, f"CREATE ROLE {name}; GRANT USAGE ON SCHEMA {name} TO {name}")
        with pytest.raises(StoreUnavailable, match=f"role lacks a permission.* permission denied for schema {name}"):
            await PostgresStore.open(f"{url}&role={name}")
        await execute(url, f"DROP OWNED BY {name}; DROP ROLE {name}")
