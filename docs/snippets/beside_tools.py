from guarded import TeaHouse
from mcp.server.mcpserver import MCPServer

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import register_fsm_mcp_bridge

server = MCPServer("tea house")


@server.tool()
def opening_hours() -> str:
    """When the tea house is open."""
    return "From nine to five."


register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(TeaHouse))
