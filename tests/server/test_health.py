"""Whether a process is alive, and whether to send it calls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx2
import pytest
from mcp import Client, MCPError
from mcp_types import INTERNAL_ERROR

import fsmvoice.sessions.postgres_pool as pool
from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import asgi, health
from fsmvoice.sessions.postgres import PostgresStore
from fsmvoice.sessions.sqlite import SqliteStore
from tests.bridge.machines import Coffee
from tests.server.running import running
from tests.sessions.cutting import Proxy
from tests.sessions.postgres_database import database


@pytest.fixture
async def proxy() -> AsyncGenerator[Proxy]:
    async with database() as url, Proxy(url).listening() as proxy:
        yield proxy


async def test_a_process_whose_store_is_away_is_alive_and_not_ready(
    proxy: Proxy, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(health, "ASKED_EVERY", 0)
    monkeypatch.setattr(pool, "PATIENCE", 0.05)
    store = await PostgresStore.open(proxy.url)
    bridge = create_fsm_mcp_bridge(Coffee, store=store)
    async with running(asgi(bridge)) as url, httpx2.AsyncClient() as http:
        assert (await http.get(f"{url}/readyz")).json() == {"status": "ready", "store": "ok", "draining": False}
        proxy.refused = True
        proxy.break_all()
        away = await http.get(f"{url}/readyz")
        assert (await http.get(f"{url}/healthz")).json() == {"status": "ok", "machine": "coffee"}
        proxy.refused = False
        async with asyncio.timeout(5):
            while (await http.get(f"{url}/readyz")).status_code != 200:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.02)
    await bridge.aclose(0)
    await store.aclose()
    assert away.status_code == 503
    assert away.json() == {"status": "unavailable", "store": "unavailable", "draining": False}
    assert "not ready: the store does not answer" in caplog.text


async def test_a_process_whose_file_is_gone_is_not_ready_until_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(health, "ASKED_EVERY", 0)
    store = SqliteStore(tmp_path / "s.db")
    bridge = create_fsm_mcp_bridge(Coffee, store=store)
    async with running(asgi(bridge)) as url, httpx2.AsyncClient() as http:
        (tmp_path / "s.db").rename(tmp_path / "away.db")
        gone = await http.get(f"{url}/readyz")
        told = await bridge.call("coffee_order", {"drink": "latte"})
        async with Client(f"{url}/mcp") as client:
            with pytest.raises(MCPError) as unread:
                await client.read_resource("fsm://state")
        (tmp_path / "away.db").rename(tmp_path / "s.db")
        back = await http.get(f"{url}/readyz")
    await bridge.aclose(0)
    await store.aclose()
    assert (gone.status_code, back.status_code) == (503, 200)
    assert told.structured["reason"] == "store-unavailable"
    assert unread.value.code == INTERNAL_ERROR
    assert "s.db disappeared while in use" in caplog.text


async def test_a_process_whose_database_takes_no_writes_is_not_ready() -> None:
    async with database() as url:
        first = await PostgresStore.open(url)
        await first.keys()  # a process that can't make them does not start
        await first.aclose()
        store = PostgresStore(f"{url}&default_transaction_read_only=on")
        bridge = create_fsm_mcp_bridge(Coffee, store=store)
        async with running(asgi(bridge)) as here, httpx2.AsyncClient() as http:
            answer = await http.get(f"{here}/readyz")
        await bridge.aclose(0)
        await store.aclose()
    assert answer.status_code == 503


async def test_a_flood_of_probes_asks_the_store_once(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await PostgresStore.open(proxy.url)
    asked = 0
    check = store.check

    async def counted() -> None:
        nonlocal asked
        asked += 1
        await check()

    monkeypatch.setattr(store, "check", counted)
    bridge = create_fsm_mcp_bridge(Coffee, store=store)
    async with running(asgi(bridge)) as url, httpx2.AsyncClient() as http:
        answers = await asyncio.gather(*(http.get(f"{url}/readyz") for _ in range(20)))
    await bridge.aclose(0)
    await store.aclose()
    assert {answer.status_code for answer in answers} == {200}
    assert asked == 1
