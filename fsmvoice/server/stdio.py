"""A bridge over this process's standard input and output, for hosts that start their servers themselves."""

from __future__ import annotations

import anyio
from mcp.server.stdio import stdio_server

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.server.protocol import mcp_server


def serve_stdio(bridge: FsmMcpBridge) -> None:
    """Serve until the host closes our input. What else is written to stdout meanwhile goes to stderr."""
    anyio.run(_serve, bridge)


async def _serve(bridge: FsmMcpBridge) -> None:
    server = mcp_server(bridge)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
