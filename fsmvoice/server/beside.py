"""What bridges on somebody else's server answer besides tools, resources and prompts: completions and changes."""

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
"""The requests whose result says what a server can do."""


class Beside:
    """Answers, for all bridges of one server, what its public registration has no place for.

    Whoever holds the server's middleware asks it first; what is not about a bridge goes on to the server.
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
        """Answer for one more bridge."""
        self._bridges.append((bridge, caller, Prompts(bridge, caller)))

    async def answer(self, ctx: _Context, method: str, params: object) -> dict[str, Any] | None:
        """The result of a request as JSON; None for one that is not about a bridge.

        `ctx` may be another SDK's, which has the session, the request's id and the protocol version alike.

        Raises:
            MCPError: for a request that is about a bridge and can't be answered.
        """
        found = self._handlers.get(method)
        if found is None:
            return None
        kind, handler = found
        try:
            checked = kind.model_validate(params or {}, by_name=False)
        except ValidationError:
            return None  # the server says what is wrong with it
        result = await handler(ctx, checked)
        if result is None:
            return None
        data = result.model_dump(by_alias=True, mode="json", exclude_none=True)
        if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            data.pop("resultType", None)  # clients of that era read some results strictly
        return data

    def tell(self, capabilities: dict[str, Any]) -> dict[str, Any]:
        """What a server says it can do, with what this adds."""
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
