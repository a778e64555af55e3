"""A bridge on a `FastMCP` server of the package fastmcp 4, by its Tool and Resource classes."""

from __future__ import annotations

import logging
from importlib import import_module
from typing import Any

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.bridge.spec import UnknownResource
from fsmvoice.server.caller import caller_with
from fsmvoice.server.client import InputNeeded, SdkClient
from fsmvoice.server.protocol import wire_annotations, wire_reply
from fsmvoice.sessions.keys import CallContext

_PARAMETERS = {"type": "object", "properties": {"session": {"type": "string"}}, "required": ["session"]}


def add_to_fastmcp(server: Any, bridge: FsmMcpBridge, *, per_client: bool) -> None:
    """Add the tools and resources of a bridge."""
    # Imported here, where it is known to be installed, and as Any: the checkers find its types only where it is.
    resources: Any = import_module("fastmcp.resources")
    tools: Any = import_module("fastmcp.tools.base")
    get_context: Any = import_module("fastmcp.server.dependencies").get_context
    error_of: Any = import_module("fastmcp.exceptions").ResourceError

    def caller() -> CallContext:
        try:
            request: Any = get_context().request_context
        except RuntimeError:
            request = None
        return CallContext() if request is None else caller_with(request, request.meta, per_client=per_client)

    def client() -> SdkClient | None:
        try:
            context: Any = get_context()
        except RuntimeError:
            return None
        request = context.request_context
        return (
            None
            if request is None
            else SdkClient(request, request.meta, context.input_responses, context.request_state)
        )

    async def read(uri: str) -> str:
        try:
            return await bridge.read(uri, caller())
        except UnknownResource as error:
            raise error_of(str(error), log_level=logging.DEBUG) from None

    class BridgeTool(tools.Tool):  # type: ignore[misc]  # its base is Any, as said above
        async def run(self, arguments: dict[str, Any]) -> Any:
            tool = bridge.tool(self.name)
            assert tool is not None
            try:
                asker = client()
                reply = await tool.handler(arguments, caller(), asker)
            except InputNeeded as needed:
                return tools.InputRequiredToolResult(needed.result)
            shown = asker is not None and asker.shows_screens
            return tools.ToolResult.from_mcp_result(wire_reply(reply, shown=shown))

    class BridgeResource(resources.Resource):  # type: ignore[misc]  # as above
        async def read(self) -> str:
            return await read(str(self.uri))

    class BridgeTemplate(resources.ResourceTemplate):  # type: ignore[misc]  # as above
        async def create_resource(self, uri: str, params: dict[str, Any]) -> Any:
            return BridgeResource(uri=uri, name=self.name, mime_type=self.mime_type)

    for tool in bridge.tools:
        server.add_tool(
            BridgeTool(
                name=tool.name,
                title=tool.title,
                description=tool.description,
                parameters=tool.input_schema,
                output_schema=tool.output_schema,
                annotations=wire_annotations(tool),
                meta=dict(tool.meta) or None,
            )
        )
    for resource in bridge.resources:
        told = {
            "name": resource.name,
            "title": resource.title,
            "description": resource.description,
            "mime_type": resource.mime_type,
            "meta": None if resource.meta is None else dict(resource.meta),
        }
        if resource.is_template:
            server.add_template(BridgeTemplate(uri_template=resource.uri, parameters=_PARAMETERS, **told))
        else:
            server.add_resource(BridgeResource(uri=resource.uri, **told))
