"""What a call on a bridge says."""

from __future__ import annotations

from typing import Any

from fsmvoice.bridge.bridge import FsmMcpBridge


async def said(bridge: FsmMcpBridge, tool: str, **arguments: Any) -> str:
    reply = await bridge.call(tool, arguments)
    assert reply.text == reply.structured["say"]
    assert reply.is_error == (not reply.structured["ok"]) == ("reason" in reply.structured)
    return reply.text
