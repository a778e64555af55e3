"""Completions and change notifications of bridges that are guests on another server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.bridge.spec import UnknownResource
from fsmvoice.server.prompts import Prompts
from fsmvoice.server.watching import CallerOf, Listening, Subscriptions

_Context = ServerRequestContext[Any, Any]

TELLING = ("initialize", "server/discover")
"""The requests whose result declares the server's capabilities."""


class Beside:
    """Answers the requests for which the server's public API has no registration, for all its bridges.

    The server's middleware asks it first. Requests that are not about a bridge go on to the server.
    """

    def __init__(self) -> None:
        self._bridges: list[tuple[FsmMcpBridge, CallerOf, Prompts]] = []
        subscriptions, listening = Subscriptions(self._watch), Listening(self._watch)
        self._handlers: Mapping[str, tuple[type[BaseModel], Callable[[_Context, Any], Awaitable[BaseModel | None]]]] = {
            "completion/complete": (types.CompleteRequestParams, self._complete),
            "resources/subscribe": (types.SubscribeRequestParams, self._of_ours(subscriptions.subscribe)),
            "resources/unsubscribe": (types.UnsubscribeRequestParams, self._of_ours(subscriptions.unsubscribe)),
            "subscriptions/listen": (types.SubscriptionsListenRequestParams, self._listen(listening)),
        }

    def add(self, bridge: FsmMcpBridge, caller: CallerOf) -> None:
        """Answer for this bridge too."""
        self._bridges.append((bridge, caller, Prompts(bridge, caller)))

    async def answer(self, ctx: _Context, method: str, params: object) -> dict[str, Any] | None:
        """The result of a request as JSON. None if the request is not about a bridge.

        `ctx` may come from another SDK whose context has the same session, request id and protocol version.

        Raises:
            MCPError: if the request is about a bridge and can't be answered.
        """
        found = self._handlers.get(method)
        if found is None:
            return None
        kind, handler = found
        try:
            checked = kind.model_validate(params or {}, by_name=False)
        except ValidationError:
            return None  # left to the server, which reports what is wrong
        result = await handler(ctx, checked)
        if result is None:
            return None
        data = result.model_dump(by_alias=True, mode="json", exclude_none=True)
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            data.pop("resultType", None)  # older clients reject unknown fields in some results
        return data

    def tell(self, capabilities: dict[str, Any]) -> dict[str, Any]:
        """A server's capabilities, with those that the bridges add."""
        resources = cast("Mapping[str, Any]", capabilities.get("resources") or {})
        return {"completions": {}, **capabilities, "resources": {**resources, "subscribe": True}}

    async def _watch(self, uri: str, changed: Callable[[], None], ctx: _Context) -> Callable[[], None]:
        for bridge, caller, _ in self._bridges:
            if bridge.has_resource(uri):
                return await bridge.watch(uri, changed, caller(ctx))
        raise UnknownResource(f"there is no resource {uri!r}")

    def _has(self, uri: str) -> bool:
        return any(bridge.has_resource(uri) for bridge, _, _ in self._bridges)

    def _of_ours(self, handler: Callable[[_Context, Any], Awaitable[types.EmptyResult]]) -> Any:
        async def handle(ctx: _Context, params: Any) -> types.EmptyResult | None:
            return await handler(ctx, params) if self._has(str(params.uri)) else None

        return handle

    def _listen(self, listening: Listening) -> Any:
        async def handle(ctx: _Context, params: types.SubscriptionsListenRequestParams) -> BaseModel | None:
            wanted = params.notifications.resource_subscriptions or ()
            return await listening(ctx, params) if any(self._has(uri) for uri in wanted) else None

        return handle

    async def _complete(self, ctx: _Context, params: types.CompleteRequestParams) -> types.CompleteResult | None:
        for _, _, prompts in self._bridges:
            if prompts.has(params.ref):
                return await prompts.complete(ctx, params)
        return None
