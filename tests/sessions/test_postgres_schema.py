"""The tables: made once, whoever comes first, and refused where they are newer than this code."""

from __future__ import annotations

import asyncio

import pytest

from fsmvoice.sessions.open_store import look_at_store
from fsmvoice.sessions.postgres import PostgresStore
from fsmvoice.sessions.sqlite_schema import BadStore
from fsmvoice.sessions.store import StoreUnavailable
from tests.sessions.postgres_database import database, execute
from tests.sessions.store_conformance.bench import commit, revision


async def test_of_many_processes_that_begin_at_once_one_makes_the_tables() -> None:
    async with database() as url:
        stores = await asyncio.gather(*(PostgresStore.open(url) for _ in range(6)))
        await stores[0].commit(commit("a", 0, None))
        assert [await revision(store, "a") for store in stores] == [0] * 6
        assert await execute(url, "SELECT count(*) FROM fsmvoice_schema") == 1
        for store in stores:
            await store.aclose()


async def test_who_looks_makes_no_tables() -> None:
    async with database() as url:
        with pytest.raises(BadStore, match=r"no sessions in the schema t\w+"):
            await look_at_store(url)
        assert await execute(url, "SELECT to_regclass('fsmvoice_sessions')::text") is None
        store = await PostgresStore.open(url)
        await store.commit(commit("a", 0, None))
        await store.aclose()
        look = await look_at_store(url)
        assert [info.key for info in await look.list()] == ["a"]
        assert await revision(look, "a") == 0
        assert len(await look.history("a")) == 1
        await look.aclose()


async def test_tables_of_a_newer_version_are_used_where_they_say_that_they_can_be() -> None:
    async with database() as url:
        await (await PostgresStore.open(url)).aclose()
        await execute(url, "UPDATE fsmvoice_schema SET version = 9")
        await (await PostgresStore.open(url)).aclose()
        await execute(url, "UPDATE fsmvoice_schema SET usable_from = 9")
        with pytest.raises(StoreUnavailable, match=r"newer version of this package \(schema 9, this one knows 1\)"):
            await PostgresStore.open(url)
