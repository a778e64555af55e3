"""The tables: made once, whoever comes first, and refused where they are newer than this code."""

from __future__ import annotations

import asyncio

import pytest

from fsmvoice.sessions import postgres_schema
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
        with pytest.raises(BadStore, match=r"the schema t\w+ has no tables of this version"):
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
        with pytest.raises(StoreUnavailable, match=r"newer version of this package \(schema 9, this one knows \d\)"):
            await PostgresStore.open(url)


async def test_tables_of_an_older_version_are_brought_up_to_date_while_it_uses_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with database() as url:
        with monkeypatch.context() as before:
            before.setattr(postgres_schema, "VERSION", 1)
            older = await PostgresStore.open(url)
            await older.commit(commit("a", 0, None))
        newer = await PostgresStore.open(url)
        assert await execute(url, "SELECT version FROM fsmvoice_schema") == postgres_schema.VERSION
        assert await newer.commit(commit("a", 1, 0)) == "committed"
        assert await older.commit(commit("a", 2, 1)) == "committed"
        with monkeypatch.context() as before:
            before.setattr(postgres_schema, "VERSION", 1)
            again = await PostgresStore.open(url)
            assert await revision(again, "a") == 2
        for store in (older, newer, again):
            await store.aclose()


async def test_a_sweep_looks_at_no_session_that_is_not_to_be_forgotten() -> None:
    async with database() as url:
        store = await PostgresStore.open(url)
        await store.commit(commit("a", 0, None))
        looked = await execute(
            url,
            """
            SET enable_seqscan = off;  -- there are too few for an index to be worth it
            DO $$ BEGIN
              PERFORM fsmvoice_sweep(10);
              IF (SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables
                  WHERE schemaname = current_schema() AND relname = 'fsmvoice_sessions') > 0 THEN
                RAISE 'it has looked at others too';
              END IF;
            END $$
            """,
        )
        assert looked == "DO"
        await store.aclose()


async def test_a_lease_that_ran_out_long_ago_is_swept_and_the_next_one_is_of_a_later_fence() -> None:
    async with database() as url:
        store = await PostgresStore.open(url)
        await store.commit(commit("a", 0, None))
        first = await store.lease("a", "me", 1)
        assert first is not None
        await store.release("a", first.fence)

        await store.sweep()

        assert await execute(url, "SELECT count(*) FROM fsmvoice_leases") == 0
        assert await store.commit(commit("a", 1, 0, fence=first.fence)) == "conflict"
        second = await store.lease("a", "me", 1)
        assert second is not None
        assert second.fence > first.fence
        assert await store.commit(commit("a", 1, 0, fence=second.fence)) == "committed"
        await store.aclose()
