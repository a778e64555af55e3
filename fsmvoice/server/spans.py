"""The SDK's OpenTelemetry spans, only where somebody takes them."""

from __future__ import annotations

from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from opentelemetry import propagate, trace

from fsmvoice.model.shapes import is_object


class SpansIfTaken:
    """Middleware around the SDK's that makes spans: left out where no provider is set and no span was sent along.

    Spans that nobody takes would cost as much as a tenth of the SDK's own work on a call.

    Args:
        spans: the SDK's middleware.
    """

    def __init__(self, spans: ServerMiddleware[Any]) -> None:
        self._spans = spans
        self._carriers = frozenset(propagate.get_global_textmap().fields)

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        taken = not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider | trace.NoOpTracerProvider)
        if taken or self._sent_along(ctx):
            return await self._spans(ctx, call_next)
        return await call_next(ctx)

    def _sent_along(self, ctx: ServerRequestContext[Any, Any]) -> bool:
        """Whether the caller's own span is to be that of whatever is called from here."""
        meta = (ctx.params or {}).get("_meta")
        return is_object(meta) and not self._carriers.isdisjoint(meta)
