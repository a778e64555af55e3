"""A bridge as an MCP server: one low-level `Server` that speaks every protocol version, stateful or not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeAlias

import mcp_types as types
from mcp import MCPError
from mcp.server import Server
from mcp.server.caching import CacheHint
from mcp.server.context import HandlerResult, ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.bridge.spec import ResourceSpec, ToolReply, ToolSpec, UnknownResource
from fsmvoice.server.caller import caller_of
from fsmvoice.server.client import PROGRESS_EVERY, InputNeeded, SdkClient
from fsmvoice.server.plain_calls import PlainCalls
from fsmvoice.server.prompts import Prompts
from fsmvoice.server.spans import SpansIfTaken
from fsmvoice.server.watching import CallerOf, Listening, Subscriptions, unreadable, watch_of

_Context: TypeAlias = ServerRequestContext[Any, Any]

TOOLS_TTL_MS = 60_000
"""Milliseconds for which a client may cache the tool list, which changes only when the server is updated."""


_HEADER = "x-mcp-header"
"""The schema keyword for arguments that are sent as a header too."""


class _BridgeServer(Server[Any]):
    """The SDK's low-level server, declaring only the capabilities that a bridge has."""

    def get_capabilities(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
        *,
        protocol_version: str | None = None,
    ) -> types.ServerCapabilities:
        """The SDK's capabilities without notifications of changed lists, since a bridge's lists never change."""
        found = super().get_capabilities(
            notification_options, experimental_capabilities, extensions, protocol_version=protocol_version
        )
        for part in (found.tools, found.resources, found.prompts):
            if part is not None:
                part.list_changed = False
        return found


def mcp_server(
    bridge: FsmMcpBridge,
    *,
    per_client: bool = False,
    stateless: bool = False,
    progress_every: float = PROGRESS_EVERY,
) -> Server[Any]:
    """Put a bridge on the SDK's low-level server, for a transport of your own. `asgi` and `serve` use it.

    Args:
        per_client: whether each connection has a session of its own, if the protocol has connections.
        stateless: whether connections end with each request, which rules out subscriptions.
        progress_every: seconds between two progress notifications of a call that takes long.
    """

    caller = partial(caller_of, per_client=per_client)
    tools, resources = _Tools(bridge, caller, progress_every), _Resources(bridge, caller)
    watch = watch_of(bridge, caller)
    prompts, subscriptions = Prompts(bridge, caller), Subscriptions(watch)
    server = _BridgeServer(
        server_name(bridge),
        version=bridge.chart.config.version or own_version(),
        instructions=bridge.instructions or None,
        cache_hints={
            "tools/list": CacheHint(ttl_ms=TOOLS_TTL_MS, scope="public"),
            "prompts/list": CacheHint(ttl_ms=TOOLS_TTL_MS, scope="public"),
            "resources/read": CacheHint(ttl_ms=0, scope="private"),
        },
        get_tool_input_schema=_schemas_with_headers(bridge).get,
        on_list_tools=tools.list,
        on_list_resources=resources.list,
        on_list_resource_templates=resources.list_templates,
        on_read_resource=resources.read,
        on_subscribe_resource=None if stateless else subscriptions.subscribe,
        on_unsubscribe_resource=None if stateless else subscriptions.unsubscribe,
        on_subscriptions_listen=Listening(watch),
        on_list_prompts=prompts.list,
        on_get_prompt=prompts.get,
        on_completion=prompts.complete,
    )
    server.add_request_handler("tools/call", types.CallToolRequestParams, tools.call)
    (spans,) = server.middleware  # the SDK's only middleware
    PlainCalls(server, tools.names, tools.answer, SpansIfTaken(spans))
    return server


class _Tools:
    """The handlers of `tools/list` and `tools/call`."""

    def __init__(self, bridge: FsmMcpBridge, caller: CallerOf, progress_every: float) -> None:
        self._bridge, self._caller, self._progress_every = bridge, caller, progress_every
        self._tools = {tool.name: tool for tool in bridge.tools}
        self._listed = types.ListToolsResult(tools=[wire_tool(tool) for tool in bridge.tools])
        self.names: frozenset[str] = frozenset(self._tools)

    async def list(self, _ctx: _Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return self._listed

    async def call(self, ctx: _Context, params: types.CallToolRequestParams) -> HandlerResult:
        if params.name not in self._tools:
            raise unknown_tool(self._bridge, params.name)
        return await self.answer(ctx, params.name, params.arguments, params.input_responses, params.request_state)

    async def answer(
        self,
        ctx: _Context,
        tool: str,
        arguments: Mapping[str, Any] | None,
        responses: types.InputResponses | None = None,
        carried: str | None = None,
    ) -> HandlerResult:
        meta = (ctx.params or {}).get("_meta")
        client = SdkClient(ctx, meta, responses, carried, progress_every=self._progress_every)
        try:
            reply = await self._tools[tool].handler(arguments, self._caller(ctx), client)
        except InputNeeded as needed:
            return needed.result
        return wire_data(reply, shown=client.shows_screens)


class _Resources:
    """The handlers of `resources/list`, `resources/templates/list` and `resources/read`."""

    def __init__(self, bridge: FsmMcpBridge, caller: CallerOf) -> None:
        self._bridge, self._caller = bridge, caller
        self._fixed = [wire_resource(resource) for resource in bridge.resources if not resource.is_template]
        self._templates = [wire_template(resource) for resource in bridge.resources if resource.is_template]

    async def list(self, _ctx: _Context, _params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=self._fixed)

    async def list_templates(
        self, _ctx: _Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=self._templates)

    async def read(self, ctx: _Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        try:
            text = await self._bridge.read(uri, self._caller(ctx))
        except UnknownResource as error:
            raise unreadable(uri, error) from None
        spec = next((resource for resource in self._bridge.resources if resource.uri == uri), None)
        mime = "application/json" if spec is None else spec.mime_type
        contents = types.TextResourceContents(uri=uri, mime_type=mime, text=text, _meta=_meta_of(spec))
        return types.ReadResourceResult(contents=[contents])


def _schemas_with_headers(bridge: FsmMcpBridge) -> dict[str, dict[str, Any]]:
    """The schemas with arguments that are sent as headers. The SDK searches them on each call, and few have any."""
    schemas = {tool.name: tool.input_schema for tool in bridge.tools}
    return {name: schema for name, schema in schemas.items() if _HEADER in json.dumps(schema)}


def server_name(bridge: FsmMcpBridge) -> str:
    """The name of the server: the machine's id."""
    return bridge.machine_id or "fsmvoice"


def own_version() -> str:
    """This package's version, "unknown" if it is not installed."""
    try:
        return version("fsmvoice")
    except PackageNotFoundError:
        return "unknown"


def wire_tool(tool: ToolSpec) -> types.Tool:
    """A tool as `tools/list` returns it."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=wire_annotations(tool),
        _meta=dict(tool.meta) or None,
    )


def wire_annotations(tool: ToolSpec) -> types.ToolAnnotations:
    """The annotations of a tool: its title and hints."""
    return types.ToolAnnotations.model_validate({"title": tool.title, **tool.annotations})


def wire_resource(resource: ResourceSpec) -> types.Resource:
    """A resource as `resources/list` returns it."""
    return types.Resource(
        uri=resource.uri,
        name=resource.name,
        title=resource.title,
        description=resource.description,
        mime_type=resource.mime_type,
        _meta=_meta_of(resource),
    )


def _meta_of(resource: ResourceSpec | None) -> dict[str, Any] | None:
    return None if resource is None or resource.meta is None else dict(resource.meta)


def wire_template(resource: ResourceSpec) -> types.ResourceTemplate:
    """A resource template as `resources/templates/list` returns it."""
    return types.ResourceTemplate(
        uri_template=resource.uri,
        name=resource.name,
        title=resource.title,
        description=resource.description,
        mime_type=resource.mime_type,
    )


def wire_reply(reply: ToolReply, *, shown: bool = False) -> types.CallToolResult:
    """A reply as the result of a call: the words to say and the facts, with the screen if `shown`."""
    words = types.TextContent(type="text", text=reply.text)
    facts = _facts_of(reply, shown=shown)
    return types.CallToolResult(content=[words], structured_content=facts, is_error=reply.is_error)


def _facts_of(reply: ToolReply, *, shown: bool) -> dict[str, Any]:
    if not shown or reply.screen is None:
        return reply.structured
    return {**reply.structured, "screen": reply.screen()}


def wire_data(reply: ToolReply, *, shown: bool = False) -> dict[str, Any]:
    """`wire_reply` as JSON, which saves making a model of it and dumping that again."""
    return {
        "content": [{"type": "text", "text": reply.text}],
        "structuredContent": _facts_of(reply, shown=shown),
        "isError": reply.is_error,
        "resultType": "complete",
    }


def unknown_tool(bridge: FsmMcpBridge, name: str) -> MCPError:
    """The protocol error for a call of a tool that does not exist."""
    near = bridge.nearest_tool(name)
    hint = f"did you mean {near!r}?" if near else f"there are {', '.join(tool.name for tool in bridge.tools)}"
    return MCPError(types.INVALID_PARAMS, f"Unknown tool: {name!r}; {hint}")
