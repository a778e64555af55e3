"""The MCP App in the official host: tapped, spoken, refused, confirmed, torn down."""

from __future__ import annotations

import pytest

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import asgi
from tests.server.browser.cafe import Cafe
from tests.server.browser.running import in_browser
from tests.server.running import running


@pytest.mark.slow
async def test_the_app_in_a_sandboxed_frame() -> None:
    async with running(asgi(create_fsm_mcp_bridge(Cafe))) as url:
        await in_browser("app.mjs", url)


@pytest.mark.slow
async def test_the_app_with_handles_in_a_host_that_asks_for_no_screens() -> None:
    async with running(asgi(create_fsm_mcp_bridge(Cafe, handles=True))) as url:
        await in_browser("handles.mjs", url)
