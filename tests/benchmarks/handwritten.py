"""What our bridge is measured against: the SDK's low-level server with one tool written by hand, for the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from starlette.applications import Starlette

from fsmvoice.bridge.spec import ToolReply


@dataclass
class Recorded:
    """The replies that the tool gives in turn; only the revision in them goes on."""

    replies: Mapping[str, ToolReply]
    revision: int

    def result(self, tool: str) -> types.CallToolResult:
        reply = self.replies[tool]
        if reply.structured["changed"]:
            self.revision += 1
        state = {**reply.structured["state"], "revision": self.revision}
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=reply.text)],
            structured_content={**reply.structured, "state": state},
            is_error=reply.is_error,
        )


def handwritten(replies: Mapping[str, ToolReply], revision: int, *, json_response: bool) -> Starlette:
    """A server whose one handler looks its answer up."""
    recorded = Recorded(replies, revision)

    schema: dict[str, Any] = {"type": "object", "properties": {}}

    async def list_tools(
        _ctx: ServerRequestContext[Any, Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool(name=name, input_schema=schema) for name in recorded.replies])

    async def call_tool(
        _ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        return recorded.result(params.name)

    # Without get_tool_input_schema the SDK would list the tools for each call, which would flatter us.
    server: Server[Any] = Server(
        "coffee",
        version="1",
        get_tool_input_schema=lambda _name: schema,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    return server.streamable_http_app(json_response=json_response)
