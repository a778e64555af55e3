"""The network between a server and its database breaks: a call is answered truly, or tells that it can't be."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.faults.callers import AGAIN, Ledger
from tests.faults.judge import judge
from tests.faults.replicas import receipts_in
from tests.faults.scene import Scene, scene
from tests.sessions.cutting import Cut, Proxy
from tests.sessions.postgres_database import database

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


@pytest.fixture
async def proxy() -> AsyncGenerator[Proxy]:
    pytest.importorskip("asyncpg", reason="install fsmvoice[postgres] to test the store in PostgreSQL")
    async with database() as url, Proxy(url).listening() as found:
        yield found


async def test_calls_over_a_network_that_breaks_are_done_once(proxy: Proxy, tmp_path: Path) -> None:
    async with scene(proxy.url, tmp_path) as here:
        await here.start()
        ledger, stopped = Ledger(), asyncio.Event()
        callers = asyncio.gather(*(caller(here, ledger, number, stopped) for number in range(12)))
        for number in range(60):
            cut: Cut = "reply" if number % 2 else "request"
            proxy.cut, proxy.cuts = cut, 1 + number % 3
            await asyncio.sleep(random.uniform(0.02, 0.2))
            if number % 10 == 9:
                proxy.refused = True
                proxy.break_all()
                await asyncio.sleep(0.5)
                proxy.refused = False
        proxy.cut = "none"
        async with asyncio.timeout(60):  # on a busy computer the cuts may have left no room for calls
            while len(ledger.acked) <= 100:  # noqa: ASYNC110 - a ledger tells nobody
                await asyncio.sleep(0.05)
        stopped.set()
        await asyncio.wait_for(callers, 60)

        verdict = await judge(here.store, ledger, receipts_in(tmp_path))
        assert (verdict.lost, verdict.half, verdict.dup) == (0, 0, 0), verdict.notes
        assert len(ledger.acked) > 100
        assert not ledger.refused


async def test_where_the_database_stays_away_that_is_reported_and_nothing_changes(proxy: Proxy, tmp_path: Path) -> None:
    async with scene(proxy.url, tmp_path) as here:
        await here.start()
        before = await here.until_answered("add", "s", "r1", word="one")
        proxy.refused = True
        proxy.break_all()

        told = await here.call(0, "add", "s", "r2", word="two")
        assert isinstance(told, dict)
        assert told["reason"] == "store-unavailable"
        assert "state" not in told or told["state"]["revision"] == before["state"]["revision"]

        proxy.refused = False
        after = await here.until_answered("add", "s", "r2", word="two")
        assert (after["state"]["revision"], after.get("replayed")) == (2, None)


async def caller(here: Scene, ledger: Ledger, number: int, stopped: asyncio.Event) -> None:
    count = 0
    while not stopped.is_set():
        session, word = f"s{number % 5}", f"c{number}-{count}x"
        ledger.sent.setdefault(session, set()).add(word)
        for attempt in range(200):
            told = await here.call(
                (attempt + number) % 2, "add_slowly" if count % 4 == 3 else "add", session, word, word=word
            )
            if isinstance(told, dict) and told["ok"]:
                ledger.acked[session, word] = None if told.get("replayed") else told["state"]["revision"]
                break
            if isinstance(told, dict) and told["reason"] not in AGAIN:
                ledger.refused[told["reason"]] += 1
                break
        count += 1
