"""A bridge on a `FastMCP` server of the package fastmcp 4, by its Tool and Resource classes."""

from __future__ import annotations

import logging
from typing import Any

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.bridge.spec import UnknownResource
from fsmvoice.server.caller import caller_with
from fsmvoice.server.protocol import wire_annotations, wire_reply
from fsmvoice.sessions.keys import CallContext


def add_to_fastmcp(server: Any, bridge: FsmMcpBridge, *, per_client: bool) -> None:
    """Add the tools and resources of a bridge."""
    # The extra's package is imported here, where it is known to be there.
    from fastmcp.exceptions import ResourceError  # noqa: PLC0415 - an extra
    from fastmcp.resources import Resource, ResourceTemplate  # noqa: PLC0415 - an extra
    from fastmcp.server.dependencies import get_context  # noqa: PLC0415 - an extra
    from fastmcp.tools.base import Tool, ToolResult  # noqa: PLC0415 - an extra

    def caller() -> CallContext:
        try:
            request: Any = get_context().request_context
        except RuntimeError:
            request = None
        return CallContext() if request is None else caller_with(request, request.meta, per_client=per_client)

    tools = {tool.name: tool for tool in bridge.tools}
    resources = {resource.uri: resource for resource in bridge.resources}

    class BridgeTool(Tool):  # type: ignore[misc, unused-ignore] - untyped where the extra is not installed
        async def run(self, arguments: dict[str, Any]) -> Any:
            return ToolResult.from_mcp_result(wire_reply(await tools[self.name].handler(arguments, caller())))

    class BridgeResource(Resource):  # type: ignore[misc, unused-ignore] - as above
        async def read(self) -> str:
            return await _read(str(self.uri))

    class BridgeTemplate(ResourceTemplate):  # type: ignore[misc, unused-ignore] - as above
        async def create_resource(self, uri: str, params: dict[str, Any]) -> Any:
            return BridgeSession(uri=uri, name=self.name, mime_type=self.mime_type)

    class BridgeSession(Resource):  # type: ignore[misc, unused-ignore] - as above
        async def read(self) -> str:
            return await _read(str(self.uri))

    async def _read(uri: str) -> str:
        try:
            return await bridge.read(uri, caller())
        except UnknownResource as error:
            raise ResourceError(str(error), log_level=logging.DEBUG) from None

    for tool in bridge.tools:
        server.add_tool(
            BridgeTool(
                name=tool.name,
                title=tool.title,
                description=tool.description,
                parameters=tool.input_schema,
                output_schema=tool.output_schema,
                annotations=wire_annotations(tool),
            )
        )
    for resource in resources.values():
        common = {
            "name": resource.name,
            "title": resource.title,
            "description": resource.description,
            "mime_type": resource.mime_type,
        }
        if resource.is_template:
            parameters = {"type": "object", "properties": {"session": {"type": "string"}}, "required": ["session"]}
            server.add_template(BridgeTemplate(uri_template=resource.uri, parameters=parameters, **common))
        else:
            server.add_resource(BridgeResource(uri=resource.uri, **common))
