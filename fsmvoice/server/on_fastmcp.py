"""A bridge on a `FastMCP` server of the package fastmcp 4, through its Tool, Resource and Prompt classes."""

from __future__ import annotations

import logging
from importlib import import_module
from typing import Any

import mcp_types as types

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.bridge.spec import UnknownResource
from fsmvoice.server.beside import Beside
from fsmvoice.server.caller import caller_with
from fsmvoice.server.client import InputNeeded, SdkClient
from fsmvoice.server.protocol import wire_annotations, wire_reply
from fsmvoice.sessions.keys import CallContext

_PARAMETERS = {"type": "object", "properties": {"session": {"type": "string"}}, "required": ["session"]}


def add_to_fastmcp(server: Any, bridge: FsmMcpBridge, *, per_client: bool) -> None:
    """Add the tools, resources and prompts of a bridge."""
    current = _Current(per_client=per_client)
    _add_tools(server, bridge, current)
    _add_resources(server, bridge, current)
    _add_prompts(server, bridge, current)


# fastmcp is imported only here, where it is known to be installed, and as Any, since type checkers may not find it.


class _Current:
    """The request that is being handled, if any."""

    def __init__(self, *, per_client: bool) -> None:
        self._per_client = per_client
        self._get_context: Any = import_module("fastmcp.server.dependencies").get_context

    def caller(self) -> CallContext:
        """The caller of the request."""
        context = self._context()
        return (
            CallContext()
            if context is None
            else caller_on_fastmcp(context.request_context, per_client=self._per_client)
        )

    def client(self) -> SdkClient | None:
        """The client of the request."""
        context = self._context()
        if context is None:
            return None
        request = context.request_context
        return SdkClient(request, request.meta, context.input_responses, context.request_state)

    def _context(self) -> Any:
        try:
            context: Any = self._get_context()
        except RuntimeError:
            return None
        return None if context.request_context is None else context


def _add_tools(server: Any, bridge: FsmMcpBridge, current: _Current) -> None:
    tools: Any = import_module("fastmcp.tools.base")

    class BridgeTool(tools.Tool):  # type: ignore[misc]  # the optional package is imported as Any
        async def run(self, arguments: dict[str, Any]) -> Any:
            tool = bridge.tool(self.name)
            assert tool is not None
            try:
                client = current.client()
                reply = await tool.handler(arguments, current.caller(), client)
            except InputNeeded as needed:
                return tools.InputRequiredToolResult(needed.result)
            shown = client is not None and client.shows_screens
            return tools.ToolResult.from_mcp_result(wire_reply(reply, shown=shown))

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


def _add_resources(server: Any, bridge: FsmMcpBridge, current: _Current) -> None:
    resources: Any = import_module("fastmcp.resources")
    error_of: Any = import_module("fastmcp.exceptions").ResourceError

    class BridgeResource(resources.Resource):  # type: ignore[misc]  # the optional package is imported as Any
        async def read(self) -> str:
            try:
                return await bridge.read(str(self.uri), current.caller())
            except UnknownResource as error:
                raise error_of(str(error), log_level=logging.DEBUG) from None

    class BridgeTemplate(resources.ResourceTemplate):  # type: ignore[misc]  # the optional package is imported as Any
        async def create_resource(self, uri: str, params: dict[str, Any]) -> Any:
            return BridgeResource(uri=uri, name=self.name, mime_type=self.mime_type)

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


def _add_prompts(server: Any, bridge: FsmMcpBridge, current: _Current) -> None:
    prompts: Any = import_module("fastmcp.prompts")

    class BridgePrompt(prompts.Prompt):  # type: ignore[misc]  # the optional package is imported as Any
        async def render(self, arguments: dict[str, Any] | None = None) -> Any:
            prompt = next(prompt for prompt in bridge.prompts if prompt.name == self.name)
            text = await prompt.read(arguments, current.caller())
            return prompts.PromptResult([prompts.Message(text, role="assistant")])

    for prompt in bridge.prompts:
        arguments = [
            prompts.base.PromptArgument(name=name, description=told) for name, told in prompt.arguments.items()
        ]
        server.add_prompt(
            BridgePrompt(name=prompt.name, title=prompt.title, description=prompt.description, arguments=arguments)
        )


def caller_on_fastmcp(request: Any, *, per_client: bool = False) -> CallContext:
    """The caller of a request of fastmcp's."""
    return caller_with(request, request.meta, per_client=per_client)


def answer_beside_fastmcp(server: Any, beside: Beside) -> None:
    """Have `beside` asked before the server."""
    middleware: Any = import_module("fastmcp.server.middleware")

    class Answering(middleware.Middleware):  # type: ignore[misc]  # the optional package is imported as Any
        async def on_request(self, context: Any, call_next: Any) -> Any:
            request: Any = context.fastmcp_context.request_context
            answered = None if request is None else await beside.answer(request, context.method, context.message)
            return await call_next(context) if answered is None else answered

        async def on_initialize(self, context: Any, call_next: Any) -> Any:
            return _told(await call_next(context))

        async def on_discover(self, context: Any, call_next: Any) -> Any:
            return _told(await call_next(context))

    def _told(result: Any) -> Any:
        found = getattr(result, "capabilities", None)
        if found is None:
            return result
        able = beside.tell(found.model_dump(by_alias=True, mode="json", exclude_none=True))
        return result.model_copy(update={"capabilities": types.ServerCapabilities.model_validate(able, by_name=False)})

    server.add_middleware(Answering())
