"""The ASGI endpoint of an MCP server. It starts with the lifespan of its app, or else with the first request."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Receive, Scope, Send

from fsmvoice.server.health import Health


class Endpoint:
    """Serves MCP over HTTP. Frameworks don't run the lifespan of mounted apps, so the first request may start it.

    Args:
        make: makes a session manager. The SDK's can run only once, so each start needs a new one.
        beside: a context that is held while the endpoint runs.
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
        self._thread = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._health.closing and scope["method"] != "DELETE":
            await self._health.refusal()(scope, receive, send)
            return
        if self._health.draining:
            send = self._health.parting(send)
        running = self._running_here()
        manager = running.result() if running.done() else await asyncio.shield(running)
        await manager.handle_request(scope, receive, send)

    @asynccontextmanager
    async def lifespan(self, _app: object = None) -> AsyncGenerator[None]:
        """Run for as long as the surrounding app runs."""
        manager = self._make()
        async with self._beside(), manager.run():
            running = asyncio.get_running_loop().create_future()
            running.set_result(manager)
            self._running, self._thread = running, threading.get_ident()
            try:
                yield
            finally:
                self._running = None

    def _running_here(self) -> asyncio.Future[StreamableHTTPSessionManager]:
        running = self._running
        # A thread runs one loop at a time, so this one runs here. Asking for the running loop is a system call.
        if running is not None and self._thread == threading.get_ident() and running.get_loop().is_running():
            return running
        loop = asyncio.get_running_loop()
        if self._running is None or self._running.get_loop() is not loop:
            self._running, self._thread = loop.create_future(), threading.get_ident()
            # An empty context, so that context variables of the first request don't leak into later ones.
            self._task = loop.create_task(self._run(self._running), context=contextvars.Context())
        return self._running

    async def _run(self, running: asyncio.Future[StreamableHTTPSessionManager]) -> None:
        """Run until the event loop ends and cancels this task."""
        try:
            manager = self._make()
            async with self._beside(), manager.run():
                running.set_result(manager)
                await asyncio.get_running_loop().create_future()
        except Exception as error:
            if running.done():
                raise
            running.set_exception(error)
