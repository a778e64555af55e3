"""examples/mount_in_starlette.py: a machine in a web app that has other pages."""

from __future__ import annotations

import httpx2
from mcp import Client

from examples.mount_in_starlette import app, bridge
from tests.server.running import running, said


async def test_the_app_and_the_tools_see_one_conversation() -> None:
    await bridge.reset()
    async with running(app) as url, httpx2.AsyncClient() as web, Client(f"{url}/voice/mcp") as client:
        assert (await web.get(f"{url}/counter")).json() == {"state": "idle", "drink": None}
        assert await said(client, "coffee_order", drink="latte") == "One medium latte. Shall I place it?"
        assert (await web.get(f"{url}/counter")).json() == {"state": "ordering", "drink": "latte"}
        assert (await web.get(f"{url}/voice/healthz")).status_code == 200
