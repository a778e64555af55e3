"""Changes that are told from process to process, over breaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

import fsmvoice.sessions.postgres_changes as changes
from fsmvoice.sessions.postgres import PostgresStore
from tests.sessions.cutting import Proxy
from tests.sessions.postgres_database import database
from tests.sessions.store_conformance.bench import commit


@pytest.fixture
async def stores() -> AsyncGenerator[tuple[PostgresStore, PostgresStore, Proxy]]:
    async with database() as url, Proxy(url).listening() as proxy:
        hears, tells = await PostgresStore.open(proxy.url), await PostgresStore.open(url)
        yield hears, tells, proxy
        await hears.aclose()
        await tells.aclose()


async def test_many_changes_arrive_each(stores: tuple[PostgresStore, PostgresStore, Proxy]) -> None:
    hears, tells, _ = stores
    heard: dict[str, int] = {}
    all_of_them = asyncio.Event()

    def hear(key: str, revision: int) -> None:
        heard[key] = revision
        if len(heard) == 300:
            all_of_them.set()

    hears.subscribe(hear)
    keys = [f"{number} of many with a name that is as long as the names of sessions are" for number in range(300)]
    await asyncio.gather(*(tells.commit(commit(key, 0, None)) for key in keys))
    async with asyncio.timeout(10):
        await all_of_them.wait()
    assert heard == dict.fromkeys(keys, 0)


async def test_what_was_missed_is_told_after_a_break(
    stores: tuple[PostgresStore, PostgresStore, Proxy], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "AGAIN", 0.01)
    hears, tells, proxy = stores
    heard: asyncio.Queue[str] = asyncio.Queue()
    hears.subscribe(lambda key, _: heard.put_nowait(key))
    async with asyncio.timeout(10):
        await tells.commit(commit("before", 0, None))
        assert await heard.get() == "before"
        proxy.refused = True
        proxy.break_all()
        await tells.commit(commit("meanwhile", 0, None))
        await asyncio.sleep(0.05)
        proxy.refused = False
        assert await heard.get() == "meanwhile"
        await tells.commit(commit("after", 0, None))
        assert await heard.get() == "after"


async def test_a_connection_that_was_cut_silently_is_noticed(
    stores: tuple[PostgresStore, PostgresStore, Proxy], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "AGAIN", 0.01)
    monkeypatch.setattr(changes, "CHECKED_EVERY", 0.1)
    hears, tells, proxy = stores
    heard: asyncio.Queue[str] = asyncio.Queue()
    hears.subscribe(lambda key, _: heard.put_nowait(key))
    async with asyncio.timeout(10):
        await tells.commit(commit("before", 0, None))
        assert await heard.get() == "before"
        proxy.cut = "silent"
        await tells.commit(commit("meanwhile", 0, None))
        await asyncio.sleep(0.3)
        proxy.cut = "none"
        proxy.break_all()
        assert await heard.get() == "meanwhile"


async def test_a_listener_that_fails_harms_no_other(
    stores: tuple[PostgresStore, PostgresStore, Proxy], caplog: pytest.LogCaptureFixture
) -> None:
    store, _, _ = stores
    heard: list[str] = []

    def fails(_key: str, _revision: int) -> None:
        raise ValueError("no")

    store.subscribe(fails)
    store.subscribe(lambda key, _: heard.append(key))
    await store.commit(commit("a", 0, None))
    assert heard == ["a"]
    assert "a listener to a store failed" in caplog.text
