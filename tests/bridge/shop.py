"""A shop behind a bridge, and what its confirmations say."""

from __future__ import annotations

from typing import Any

from fsmvoice.bridge.bridge import FsmMcpBridge, create_fsm_mcp_bridge
from fsmvoice.bridge.spec import ToolReply
from fsmvoice.sessions.keys import CallContext
from tests.bridge.machines import Shop

DONE = "Cancelled. There is no order. You can order again or let it tick."
UNCLEAR = "I need a clear yes or no for that, so I did nothing."


def shop(**options: Any) -> FsmMcpBridge:
    return create_fsm_mcp_bridge(Shop, **options)


async def cancelled(bridge: FsmMcpBridge, ctx: CallContext | None = None) -> int:
    snapshot = await bridge.get_snapshot(ctx)
    return int(snapshot.context.cancelled)


def token_of(reply: ToolReply) -> str:
    assert reply.structured["reason"] == "needs-confirmation"
    return str(reply.structured["confirm_token"])
