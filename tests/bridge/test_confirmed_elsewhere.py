"""A yes in one process to what another one asked: processes that share a store share the keys of their tokens."""

from __future__ import annotations

import asyncio
from pathlib import Path

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.sessions.open_store import open_store
from tests.bridge.machines import Shop


async def test_a_yes_reaches_whichever_process_and_acts_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'sessions.db'}"
    stores = [await open_store(url) for _ in range(2)]
    one, other = [create_fsm_mcp_bridge(Shop, store=store) for store in stores]
    try:
        stale = (await one.call("shop_cancel")).structured["confirm_token"]
        await other.call("shop_change", {"drink": "tea"})
        again = await other.call("shop_cancel", {"confirm_token": stale})
        token = {"confirm_token": again.structured["confirm_token"]}
        replies = await asyncio.gather(*(bridge.call("shop_cancel", token) for bridge in (one, other) * 4))

        assert again.text == "Cancel your tea?"
        assert len({reply.text for reply in replies}) == 1
        assert [reply.structured["changed"] for reply in replies].count(True) == 1
        assert (await one.get_snapshot()).context.cancelled == 1
    finally:
        for store in stores:
            await store.aclose()
