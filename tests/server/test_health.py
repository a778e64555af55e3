"""Whether a process is alive, and whether to send it calls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import httpx2
import pytest

import fsmvoice.sessions.postgres_pool as pool
from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import asgi, health
from fsmvoice.sessions.postgres import PostgresStore
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


async def test_a_flood_of_probes_asks_the_store_once(proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await PostgresStore.open(proxy.url)
    asked = 0
    now = store.now

    async def counted() -> float:
        nonlocal asked
        asked += 1
        return await now()

    monkeypatch.setattr(store, "now", counted)
    bridge = create_fsm_mcp_bridge(Coffee, store=store)
    async with running(asgi(bridge)) as url, httpx2.AsyncClient() as http:
        answers = await asyncio.gather(*(http.get(f"{url}/readyz") for _ in range(20)))
    await bridge.aclose(0)
    await store.aclose()
    assert {answer.status_code for answer in answers} == {200}
    assert asked == 1
