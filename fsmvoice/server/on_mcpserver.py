"""A bridge on the SDK's `MCPServer`, through its public API only.

`add_tool` takes a function and makes the schemas from its signature, which can't express all of a bridge's schemas. So
a middleware puts the bridge's own schemas into the list of tools, and gives each call its arguments as they were sent.
"""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from contextvars import ContextVar
from typing import Annotated, Any, TypeAlias, TypeVar, cast

import mcp_types as types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.server.mcpserver.prompts.base import AssistantMessage, Prompt, PromptArgument
from mcp.server.mcpserver.resources import Resource
from pydantic import PrivateAttr, WithJsonSchema

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.bridge.spec import PromptSpec, ResourceSpec, ToolSpec, UnknownResource
from fsmvoice.server.beside import TELLING, Beside
from fsmvoice.server.caller import caller_of
from fsmvoice.server.client import InputNeeded, SdkClient
from fsmvoice.server.protocol import wire_annotations, wire_reply, wire_tool
from fsmvoice.sessions.keys import CallContext

_Caller = Callable[[], CallContext]
_Listed = TypeVar("_Listed")
_request: ContextVar[ServerRequestContext[Any, Any] | None] = ContextVar("fsmvoice_request", default=None)

SINCE_OUTPUT_SCHEMA = "2025-06-18"
"""The first protocol version whose tools have an output schema."""


def add_to_mcpserver(server: MCPServer, bridge: FsmMcpBridge, *, per_client: bool) -> None:
    """Add the tools, resources and prompts of a bridge."""

    def caller() -> CallContext:
        request = _request.get()
        return CallContext() if request is None else caller_of(request, per_client=per_client)

    for tool in bridge.tools:
        server.add_tool(
            _function(tool, caller),
            name=tool.name,
            title=tool.title,
            description=tool.description,
            annotations=wire_annotations(tool),
            meta=dict(tool.meta) or None,
            structured_output=False,
        )
    for resource in bridge.resources:
        if resource.is_template:
            server.resource(
                resource.uri,
                name=resource.name,
                title=resource.title,
                description=resource.description,
                mime_type=resource.mime_type,
            )(_template(resource, caller))
        else:
            server.add_resource(_BridgeResource.of(resource, caller))
    for prompt in bridge.prompts:
        server.add_prompt(_prompt(prompt, caller))
    server.middleware.append(_Exact(bridge.tools))


def answer_beside_mcpserver(server: MCPServer, beside: Beside) -> None:
    """Have `beside` asked before the server."""

    async def middleware(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        answered = None if ctx.request_id is None else await beside.answer(ctx, ctx.method, ctx.params)
        if answered is not None:
            return answered
        result = await call_next(ctx)
        if ctx.method in TELLING and isinstance(result, dict):
            return {**result, "capabilities": beside.tell(result.get("capabilities", {}))}
        return result

    server.middleware.append(middleware)


def own_names(server: MCPServer) -> frozenset[tuple[str, str]]:
    """The tools and prompts that a server has, as pairs of kind and name."""
    tools = [("tool", tool.name) for tool in _now(server.list_tools())]
    return frozenset([*tools, *(("prompt", prompt.name) for prompt in _now(server.list_prompts()))])


def _now(listing: Coroutine[Any, Any, list[_Listed]]) -> list[_Listed]:
    """The result of a coroutine that doesn't wait for anything. An empty list if it does."""
    try:
        listing.send(None)
    except StopIteration as done:
        return cast("list[_Listed]", done.value)
    listing.close()
    return []


class _Exact:
    """Middleware that lists the bridge's tools with their own schemas, and lets their functions see the request."""

    def __init__(self, tools: Iterable[ToolSpec]) -> None:
        self._tools = {
            tool.name: wire_tool(tool).model_dump(by_alias=True, mode="json", exclude_none=True) for tool in tools
        }

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        token = _request.set(ctx)
        try:
            result = await call_next(ctx)
        finally:
            _request.reset(token)
        if ctx.method != "tools/list" or not isinstance(result, dict):
            return result
        listed: list[dict[str, Any]] = result.get("tools", [])
        return {**result, "tools": [self._exact(tool, ctx.protocol_version) for tool in listed]}

    def _exact(self, tool: dict[str, Any], version: str) -> dict[str, Any]:
        own = self._tools.get(tool["name"])
        if own is None:
            return tool
        exact = {**tool, "inputSchema": own["inputSchema"]}
        if version >= SINCE_OUTPUT_SCHEMA:
            exact["outputSchema"] = own["outputSchema"]
        return exact


_Result: TypeAlias = types.CallToolResult | types.InputRequiredResult


def _function(tool: ToolSpec, caller: _Caller) -> Callable[..., Awaitable[_Result]]:
    """A function whose signature expresses the tool's schema as well as a signature can."""
    properties: Mapping[str, Any] = tool.input_schema.get("properties", {})

    async def call(**given: Any) -> _Result:
        sent = _sent_to(tool.name)
        if sent is None:
            return wire_reply(await tool.handler({k: v for k, v in given.items() if v is not None}, caller()))
        try:
            client = _client()
            reply = await tool.handler(sent, caller(), client)
            return wire_reply(reply, shown=client is not None and client.shows_screens)
        except InputNeeded as needed:
            return needed.result

    call.__name__ = tool.name
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # pyright: ignore[reportFunctionMemberAccess] - inspect reads it
        [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=None,
                annotation=Annotated[Any, WithJsonSchema(dict(schema))],
            )
            for name, schema in properties.items()
            if name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")
        ],
        return_annotation=_Result,
    )
    return call


def _client() -> SdkClient | None:
    """The client of the current request."""
    request = _request.get()
    if request is None:
        return None
    params = request.params or {}
    if not params.get("inputResponses"):
        return SdkClient(request, params.get("_meta"))
    sent = types.CallToolRequestParams.model_validate(params, by_name=False)
    return SdkClient(request, params.get("_meta"), sent.input_responses, sent.request_state)


def _sent_to(tool: str) -> Mapping[str, Any] | None:
    """The arguments as the client sent them. None if the tool is called by another tool or from Python."""
    request = _request.get()
    params = request.params if request is not None else None
    if params is None or params.get("name") != tool:
        return None
    return cast("Mapping[str, Any]", params.get("arguments") or {})


class _BridgeResource(Resource):
    _spec: ResourceSpec = PrivateAttr()
    _caller: _Caller = PrivateAttr()

    @classmethod
    def of(cls, spec: ResourceSpec, caller: _Caller) -> _BridgeResource:
        """The resource as an `MCPServer` resource."""
        resource = cls(
            uri=spec.uri,
            name=spec.name,
            title=spec.title,
            description=spec.description,
            mime_type=spec.mime_type,
            meta=None if spec.meta is None else dict(spec.meta),
        )
        resource._spec, resource._caller = spec, caller
        return resource

    async def read(self) -> str:
        """Read the resource for the caller of the current request."""
        try:
            return await self._spec.read(self._caller())
        except UnknownResource as error:
            raise ResourceNotFoundError(str(error)) from None


def _prompt(spec: PromptSpec, caller: _Caller) -> Prompt:
    async def read(**given: Any) -> AssistantMessage:
        return AssistantMessage(await spec.read(given, caller()))

    arguments = [PromptArgument(name=name, description=told, required=False) for name, told in spec.arguments.items()]
    return Prompt(
        name=spec.name,
        title=spec.title,
        description=spec.description,
        arguments=arguments,
        fn=read,
        icons=None,
        context_kwarg=None,
    )


def _template(spec: ResourceSpec, caller: _Caller) -> Callable[[str], Awaitable[str]]:
    async def read(session: str) -> str:
        try:
            return await spec.read(caller(), session=session)
        except UnknownResource as error:
            raise ResourceNotFoundError(str(error)) from None

    return read
