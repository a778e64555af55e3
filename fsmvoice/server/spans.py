"""Turns the SDK's OpenTelemetry spans off while nobody collects them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from opentelemetry import propagate, trace

from fsmvoice.model.shapes import is_object

LOOK_EVERY: Final = 1.0
"""Seconds between two looks for a provider: one may be set while the server runs."""
_UNSET: Final = (trace.ProxyTracerProvider, trace.NoOpTracerProvider)


class SpansIfTaken:
    """Middleware around the SDK's that makes spans: left out where no provider is set and no span was sent along.

    Spans that nobody takes would cost as much as a tenth of the SDK's own work on a call.

    Args:
        spans: the SDK's middleware.
    """

    def __init__(self, spans: ServerMiddleware[Any]) -> None:
        self._spans = spans
        self._carriers = frozenset(propagate.get_global_textmap().fields)
        self._taken, self._looked = False, -LOOK_EVERY

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        return await (self._spans(ctx, call_next) if self.wanted(ctx.params) else call_next(ctx))

    def wanted(self, params: Mapping[str, Any] | None) -> bool:
        """Whether somebody takes spans, or the caller sent its own, to be the parent of those made here."""
        now = time.monotonic()
        if now - self._looked >= LOOK_EVERY:
            self._looked = now
            self._taken = not isinstance(trace.get_tracer_provider(), _UNSET)
        if self._taken:
            return True
        meta = None if params is None else params.get("_meta")
        return is_object(meta) and not self._carriers.isdisjoint(meta)
