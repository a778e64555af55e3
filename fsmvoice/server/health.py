"""The health of a process: whether it is alive, whether it is ready for calls, and how many it is answering."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Message, Send

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.server.plain_calls import PlainCalls
from fsmvoice.server.protocol import server_name
from fsmvoice.sessions.store import SessionStore

logger: logging.Logger = logging.getLogger("fsmvoice")

STORE_WITHIN: Final = 2.0
"""Seconds in which a healthy store answers."""
ASKED_EVERY: Final = 1.0
"""Seconds for which its answer is reused."""
AGAIN: Final = 1
"""Seconds after which a refused call may be sent again."""

_STREAMS: Final = frozenset(("subscriptions/listen",))
"""Requests that last as long as the client wants."""


class Health:
    """The state of one process.

    Attributes:
        draining: it will stop soon and should get no new calls, but still answers those that come.
        closing: it refuses new calls.

    Args:
        plain: counts the calls that it answers by itself.
    """

    def __init__(self, bridge: FsmMcpBridge, plain: PlainCalls | None = None) -> None:
        self._name, self._store, self._plain = server_name(bridge), bridge.store, plain
        self.draining: bool = False
        self.closing: bool = False
        self._counted = 0
        self._asked: float | None = None
        self._store_answers = True
        self._asking = asyncio.Lock()

    @property
    def calls(self) -> int:
        """The number of requests being answered."""
        return self._counted + (0 if self._plain is None else self._plain.calls)

    def routes(self) -> list[Route]:
        """`/healthz` and `/readyz`. They reveal no secrets and need no token, because probes have none."""
        return [
            Route("/healthz", self._healthz, methods=["GET"]),
            Route("/readyz", self._readyz, methods=["GET"]),
        ]

    async def counted(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Middleware of the SDK's server that counts the requests being answered."""
        if ctx.method in _STREAMS:
            return await call_next(ctx)
        self._counted += 1
        try:
            return await call_next(ctx)
        finally:
            self._counted -= 1

    def refusal(self) -> Response:
        """The answer to a request that comes while the server is closing."""
        told = "This server is stopping. Send the call again: nothing was done."
        headers = {"Retry-After": str(AGAIN), "Connection": "close"}
        return JSONResponse({"error": "stopping", "error_description": told}, 503, headers=headers)

    def parting(self, send: Send) -> Send:
        """`send` while draining: the client opens a new connection next, so that none is closed under its request."""

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
            await send(message)

        return told

    async def _healthz(self, _request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok", "machine": self._name})

    async def _readyz(self, _request: Request) -> JSONResponse:
        store = await self._asked_lately(self._store)
        ready = store and not self.draining
        told = {
            "status": "ready" if ready else "draining" if self.draining else "unavailable",
            "store": "ok" if store else "unavailable",
            "draining": self.draining,
        }
        return JSONResponse(told, 200 if ready else 503)

    async def _asked_lately(self, store: SessionStore) -> bool:
        """Whether the store answers. Its answer is cached, so that a flood of probes asks it once."""
        async with self._asking:
            now = asyncio.get_running_loop().time()
            if store.instant or (self._asked is not None and 0 <= now - self._asked < ASKED_EVERY):
                return self._store_answers
            try:
                async with asyncio.timeout(STORE_WITHIN):
                    await store.check()
                self._store_answers = True
            except Exception as error:  # noqa: BLE001, RUF100 - whatever it is, calls would fail too
                logger.warning("not ready: the store does not answer: %s", str(error) or type(error).__name__)
                self._store_answers = False
            self._asked = asyncio.get_running_loop().time()
            return self._store_answers
