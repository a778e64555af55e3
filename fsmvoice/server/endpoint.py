"""The ASGI endpoint of an MCP server, which starts and stops with the app around it, or by itself."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Receive, Scope, Send

from fsmvoice.server.health import Health


class Endpoint:
    """Serves MCP over HTTP. Who mounts an app need not run its lifespan, so the first request may start it.

    The SDK's session manager runs once: a new one is made for each start.

    Args:
        beside: what runs as long as it does.
    """

    def __init__(
        self,
        make: Callable[[], StreamableHTTPSessionManager],
        health: Health,
        beside: Callable[[], AbstractAsyncContextManager[None]],
    ) -> None:
        self._make, self._health, self._beside = make, health, beside
        self._running: asyncio.Future[StreamableHTTPSessionManager] | None = None
        self._task: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._health.closing and scope["method"] != "DELETE":
            await self._health.refusal()(scope, receive, send)
            return
        running = self._running_here()
        manager = running.result() if running.done() else await asyncio.shield(running)
        await manager.handle_request(scope, receive, send)

    @asynccontextmanager
    async def lifespan(self, _app: object = None) -> AsyncGenerator[None]:
        """Run for as long as the app around does."""
        manager = self._make()
        async with self._beside(), manager.run():
            running = asyncio.get_running_loop().create_future()
            running.set_result(manager)
            self._running = running
            try:
                yield
            finally:
                self._running = None

    def _running_here(self) -> asyncio.Future[StreamableHTTPSessionManager]:
        loop = asyncio.get_running_loop()
        if self._running is None or self._running.get_loop() is not loop:
            self._running = loop.create_future()
            # An empty context: what belongs to the request that came first must not belong to all after it.
            self._task = loop.create_task(self._run(self._running), context=contextvars.Context())
        return self._running

    async def _run(self, running: asyncio.Future[StreamableHTTPSessionManager]) -> None:
        """Run until the event loop ends, which cancels it."""
        try:
            manager = self._make()
            async with self._beside(), manager.run():
                running.set_result(manager)
                await asyncio.get_running_loop().create_future()
        except Exception as error:
            if running.done():
                raise
            running.set_exception(error)
