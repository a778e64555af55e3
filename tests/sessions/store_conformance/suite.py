"""What every store promises. Each store's own test file inherits `StoreConformance` and gives it a bench."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.sessions.store_conformance.answers import AnswerPromises
from tests.sessions.store_conformance.bench import Bench, commit
from tests.sessions.store_conformance.effects import EffectPromises
from tests.sessions.store_conformance.expiry import ExpiryPromises
from tests.sessions.store_conformance.leases import LeasePromises
from tests.sessions.store_conformance.overdue import OverduePromises
from tests.sessions.store_conformance.services import ServicePromises
from tests.sessions.store_conformance.sessions import SessionPromises


class StoreConformance(
    SessionPromises, AnswerPromises, ExpiryPromises, LeasePromises, OverduePromises, ServicePromises, EffectPromises
):
    """Override the fixture `bench`."""

    async def test_the_sealing_keys_are_made_once(self, bench: Bench) -> None:
        other = await bench.another()
        found = await asyncio.gather(*(store.keys() for store in (bench.store, other, bench.store)))

        assert [list(keys) for keys in found] == [list(found[0])] * 3
        assert [len(key) for key in found[0]] == [32]

    async def test_every_listener_hears_of_every_process(self, bench: Bench) -> None:
        other, heard = await bench.another(), asyncio.Queue[tuple[str, int]]()
        end = bench.store.subscribe(lambda key, revision: heard.put_nowait((key, revision)))
        await bench.store.commit(commit("a", 0, None))
        async with asyncio.timeout(10):
            assert await heard.get() == ("a", 0)
            await other.commit(commit("b", 3, None))
            assert await heard.get() == ("b", 3)
        end()
        end()
        await bench.store.commit(commit("a", 1, 0))
        await asyncio.sleep(0)
        assert heard.empty()

    async def test_a_listener_hears_of_no_commit_that_did_not_happen(self, bench: Bench) -> None:
        heard = list[tuple[str, int]]()
        await bench.store.commit(commit("a", 0, None))
        end = bench.store.subscribe(lambda key, revision: heard.append((key, revision)))
        await bench.store.commit(commit("a", 5, 4))
        await bench.store.note("a", 0, 1, ())
        await asyncio.sleep(0.05)
        end()
        assert heard == []

    async def test_sessions_are_listed_by_key(self, bench: Bench) -> None:
        now = await bench.store.now()
        for key in ("c", "a", "b"):
            await bench.store.commit(commit(key, 0, None, caller="who"))
        await bench.store.commit(commit("b", 1, 0, caller="who", timer_at=now + 5000))

        listed = await bench.store.list()
        assert [(info.key, info.machine, info.revision, info.caller) for info in listed] == [
            ("a", "m", 0, "who"),
            ("b", "m", 1, "who"),
            ("c", "m", 0, "who"),
        ]
        assert [info.wake_at for info in listed] == [None, pytest.approx(now + 5000, abs=1), None]
        assert all(info.created <= info.changed < info.expires for info in listed)
        assert [info.key for info in await bench.store.list(limit=1, after="a")] == ["b"]

    async def test_the_clock_tells_the_time(self, bench: Bench) -> None:
        now = await bench.store.now()
        assert now == pytest.approx(time.time() * 1000, abs=60_000)
        bench.advance(100)
        assert await (await bench.another()).now() == pytest.approx(now + 100_000, abs=30_000)
        await bench.store.commit(commit("a", 0, None))
        stored = await bench.store.load("a")
        assert stored is not None
        assert stored.now <= await bench.store.now()

    async def test_a_store_that_is_there_says_so(self, bench: Bench) -> None:
        await bench.store.check()

    async def test_closing_twice_is_not_an_error(self, bench: Bench) -> None:
        other = await bench.another()
        if other is not bench.store:
            await other.aclose()
            await other.aclose()
        assert await bench.store.load("a") is None
