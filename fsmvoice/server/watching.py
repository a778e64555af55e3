"""Change notifications in both protocol eras, for sessions that the caller may read."""

from __future__ import annotations

import asyncio
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
from fsmvoice.bridge.spec import ResourceUnavailable, UnknownResource
from fsmvoice.server.caller import connection_of
from fsmvoice.sessions.keys import CallContext

CallerOf: TypeAlias = Callable[[ServerRequestContext[Any, Any]], CallContext]
Watch: TypeAlias = Callable[[str, Callable[[], None], ServerRequestContext[Any, Any]], Awaitable[Callable[[], None]]]
"""Calls a function after each change of a resource that the caller may read. Returns a function that ends this."""

MAX_STREAMS = 1024
"""The number of clients that can listen at a time."""


def watch_of(bridge: FsmMcpBridge, caller: CallerOf) -> Watch:
    """A function that watches the resources of one bridge."""

    async def watch(uri: str, changed: Callable[[], None], ctx: ServerRequestContext[Any, Any]) -> Callable[[], None]:
        return await bridge.watch(uri, changed, caller(ctx))

    return watch


class Subscriptions:
    """`resources/subscribe`, for the protocol versions that have connections (up to 2025-11-25)."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._subscribers: dict[Connection, _Subscriber] = {}

    def __len__(self) -> int:
        """The number of connections with subscriptions."""
        return len(self._subscribers)

    async def subscribe(
        self, ctx: ServerRequestContext[Any, Any], params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        """Notify the connection of each change of a resource until the connection ends."""
        uri, connection = str(params.uri), connection_of(ctx.session)
        subscriber = self._subscribers.get(connection)
        if subscriber is None:
            subscriber = self._subscribers[connection] = _Subscriber(connection)
            connection.exit_stack.callback(self._end, connection)
        try:
            end = await self._watch(uri, partial(subscriber.changed, uri), ctx)
        except UnknownResource as error:
            raise unreadable(uri, error) from None
        subscriber.ends.pop(uri, _nothing)()
        if self._subscribers.get(connection) is subscriber:
            subscriber.ends[uri] = end
        else:
            end()
        return types.EmptyResult()

    async def unsubscribe(
        self, ctx: ServerRequestContext[Any, Any], params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """Stop notifying the connection of changes of a resource."""
        subscriber = self._subscribers.get(connection_of(ctx.session))
        if subscriber is not None:
            subscriber.ends.pop(str(params.uri), _nothing)()
        return types.EmptyResult()

    def _end(self, connection: Connection) -> None:
        self._subscribers.pop(connection).end()


class _Subscriber:
    """Sends the notifications of one connection. If it reads slowly, changes of one resource are merged."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.ends: dict[str, Callable[[], None]] = {}
        self._changed: dict[str, None] = {}
        self._sending: asyncio.Task[None] | None = None

    def changed(self, uri: str) -> None:
        self._changed[uri] = None
        if self._sending is None:
            # An empty context, so that context variables of the call that made the change don't leak into this task.
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

    The SDK's `ListenHandler` filters by URI only. Here each stream has its own, with a bus that carries only what its
    caller may read, and the acknowledgement names only that.
    """

    def __init__(self, watch: Watch, *, limit: int = MAX_STREAMS) -> None:
        self._watch, self._limit = watch, limit
        self._open = 0

    def __len__(self) -> int:
        """The number of open streams."""
        return self._open

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Serve one stream."""
        if self._open >= self._limit:
            raise MCPError(types.INTERNAL_ERROR, f"{self._limit} clients are listening already; try again later")
        bus = _Bus()
        ends: dict[str, Callable[[], None]] = {}
        self._open += 1
        try:
            for uri in params.notifications.resource_subscriptions or ():
                if uri not in ends:
                    try:
                        ends[uri] = await self._watch(uri, partial(bus.changed, uri), ctx)
                    except ResourceUnavailable as error:
                        raise unreadable(uri, error) from None
                    except UnknownResource:
                        pass
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
        """The resources that changed before the stream was ready."""

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


def unreadable(uri: str, error: UnknownResource) -> MCPError:
    """The protocol's error for a resource that can't be read: not there for this caller, or not now."""
    code = types.INTERNAL_ERROR if isinstance(error, ResourceUnavailable) else types.INVALID_PARAMS
    return MCPError(code, str(error), {"uri": uri})


def _nothing() -> None:
    """Stands in for ending a subscription that does not exist."""
