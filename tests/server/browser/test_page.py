"""A person at the page: taps, types, uses the keyboard alone, and sees what another client says."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import asgi
from fsmvoice.server.listen import listen
from tests.server.browser.cafe import Cafe
from tests.server.browser.running import in_browser
from tests.server.running import command, running


async def test_a_whole_order_is_tapped() -> None:
    async with running(asgi(create_fsm_mcp_bridge(Cafe), ui=True)) as url:
        await in_browser("page.mjs", url, scenarios=["tapped"])


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["mixed", "form", "keyboard", "confirmed", "typed", "hostile", "dark"])
async def test_the_page_in_use(scenario: str) -> None:
    async with running(asgi(create_fsm_mcp_bridge(Cafe), ui=True)) as url:
        await in_browser("page.mjs", url, scenarios=[scenario])


@pytest.mark.slow
async def test_a_machine_too_large_to_be_drawn_is_used_all_the_same() -> None:
    chance = random.Random(1)
    states = {
        f"s{at}": {"on": {f"GO_{number}": f"s{chance.randrange(150)}" for number in range(4)}} for at in range(150)
    }
    bridge = create_fsm_mcp_bridge({"id": "large", "initial": "s0", "states": states})
    async with running(asgi(bridge, ui=True)) as url:
        await in_browser("large.mjs", url)


@pytest.mark.slow
async def test_each_page_has_its_own_conversation_where_clients_share_none() -> None:
    async with running(asgi(create_fsm_mcp_bridge(Cafe), ui=True, sessions="per-client")) as url:
        await in_browser("page.mjs", url, scenarios=["own"])


@pytest.mark.slow
async def test_the_page_of_a_stateless_server_follows_too() -> None:
    async with running(asgi(create_fsm_mcp_bridge(Cafe), ui=True, stateless=True)) as url:
        await in_browser("page.mjs", url, scenarios=["mixed"])


@pytest.mark.slow
@pytest.mark.timeout(180)  # a server starts twice
async def test_the_page_finds_its_server_again() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
    served = command("serve", str(Path(__file__).with_name("cafe.py")), "--port", str(port))
    await in_browser("restart.mjs", f"http://127.0.0.1:{port}", command=served)
