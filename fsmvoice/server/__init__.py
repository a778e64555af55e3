"""Machines as MCP servers: over HTTP or stdio, inside another ASGI app, or on a server with other tools."""

from fsmvoice.server.adapters import register_fsm_mcp_bridge
from fsmvoice.server.http import asgi
from fsmvoice.server.listen import CannotListen
from fsmvoice.server.oauth import OAuth
from fsmvoice.server.protocol import mcp_server
from fsmvoice.server.serve import serve

__all__ = ["CannotListen", "OAuth", "asgi", "mcp_server", "register_fsm_mcp_bridge", "serve"]
