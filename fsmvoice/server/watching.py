"""Change notifications of both protocol eras. Nobody hears of a session that a read would not show them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from contextvars import Context
from functools import partial
from typing import Any, TypeAlias

import mcp_types as types
from mcp import MCPError
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import ListenHandler, ResourceUpdated, ServerEvent

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.bridge.spec import UnknownResource
from fsmvoice.server.caller import connection_of
from fsmvoice.sessions.keys import CallContext

CallerOf: TypeAlias = Callable[[ServerRequestContext[Any, Any]], CallContext]
Watch: TypeAlias = Callable[[str, Callable[[], None], ServerRequestContext[Any, Any]], Awaitable[Callable[[], None]]]
"""Has a function called after each change of a resource that the caller of a request may read; gives what ends that."""

MAX_STREAMS = 1024
"""So many clients can listen at a time."""


def watch_of(bridge: FsmMcpBridge, caller: CallerOf) -> Watch:
    """Watches the resources of one bridge."""

    async def watch(uri: str, changed: Callable[[], None], ctx: ServerRequestContext[Any, Any]) -> Callable[[], None]:
        return await bridge.watch(uri, changed, caller(ctx))

    return watch


class Subscriptions:
    """`resources/subscribe`, of the protocol versions that have connections (to 2025-11-25)."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._subscribers: dict[Connection, _Subscriber] = {}

    def __len__(self) -> int:
        """How many connections have subscribed to something."""
        return len(self._subscribers)

    async def subscribe(
        self, ctx: ServerRequestContext[Any, Any], params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        """Notify the connection of each change of a resource, until it ends."""
        uri, connection = str(params.uri), connection_of(ctx.session)
        subscriber = self._subscribers.get(connection)
        if subscriber is None:
            subscriber = self._subscribers[connection] = _Subscriber(connection)
            connection.exit_stack.callback(self._end, connection)
        try:
            end = await self._watch(uri, partial(subscriber.changed, uri), ctx)
        except UnknownResource as error:
            raise MCPError(types.INVALID_PARAMS, str(error), {"uri": uri}) from None
        subscriber.ends.pop(uri, _nothing)()
        if self._subscribers.get(connection) is subscriber:
            subscriber.ends[uri] = end
        else:
            end()
        return types.EmptyResult()

    async def unsubscribe(
        self, ctx: ServerRequestContext[Any, Any], params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """Notify it no more."""
        subscriber = self._subscribers.get(connection_of(ctx.session))
        if subscriber is not None:
            subscriber.ends.pop(str(params.uri), _nothing)()
        return types.EmptyResult()

    def _end(self, connection: Connection) -> None:
        self._subscribers.pop(connection).end()


class _Subscriber:
    """Sends one connection's notifications; of changes that come faster than it reads, the last of each resource."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.ends: dict[str, Callable[[], None]] = {}
        self._changed: dict[str, None] = {}
        self._sending: asyncio.Task[None] | None = None

    def changed(self, uri: str) -> None:
        self._changed[uri] = None
        if self._sending is None:
            # An empty context: whoever made the change has nothing to do with who hears of it.
            self._sending = asyncio.get_running_loop().create_task(self._send(), context=Context())

    def end(self) -> None:
        for end in self.ends.values():
            end()
        self.ends.clear()
        if self._sending is not None:
            self._sending.cancel()

    async def _send(self) -> None:
        try:
            while self._changed:
                uri = next(iter(self._changed))
                del self._changed[uri]
                await self._connection.send_resource_updated(uri)
        finally:
            self._sending = None


class Listening:
    """`subscriptions/listen`, since protocol 2026-07-28.

    The SDK's `ListenHandler` filters by URI alone. Here each stream has one of its own, with a bus that carries only
    what its caller may know, and its acknowledgement names only that.
    """

    def __init__(self, watch: Watch, *, limit: int = MAX_STREAMS) -> None:
        self._watch, self._limit = watch, limit
        self._open = 0

    def __len__(self) -> int:
        """How many streams are open."""
        return self._open

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Serve one stream."""
        if self._open >= self._limit:
            raise MCPError(types.INTERNAL_ERROR, f"{self._limit} clients listen already; try again later")
        bus = _Bus()
        ends: dict[str, Callable[[], None]] = {}
        self._open += 1
        try:
            for uri in params.notifications.resource_subscriptions or ():
                if uri not in ends:
                    with contextlib.suppress(UnknownResource):
                        ends[uri] = await self._watch(uri, partial(bus.changed, uri), ctx)
            known = types.SubscriptionFilter(resource_subscriptions=list(ends) or None)
            return await ListenHandler(bus)(ctx, params.model_copy(update={"notifications": known}))
        finally:
            self._open -= 1
            for end in ends.values():
                end()


class _Bus:
    """The bus of one stream."""

    def __init__(self) -> None:
        self._listener: Callable[[ServerEvent], None] | None = None
        self._early: dict[str, None] = {}
        """What changed before the stream was ready."""

    async def publish(self, event: ServerEvent) -> None:
        if self._listener is not None:
            self._listener(event)

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        self._listener = listener
        for uri in self._early:
            listener(ResourceUpdated(uri))

        def unsubscribe() -> None:
            self._listener = None

        return unsubscribe

    def changed(self, uri: str) -> None:
        if self._listener is None:
            self._early[uri] = None
        else:
            self._listener(ResourceUpdated(uri))


def _nothing() -> None:
    """Ends what was never begun."""
