"""The SDK's spans: made where somebody takes them, and where the caller sends its own along."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pytest
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider

import fsmvoice.server.spans
from fsmvoice.server.spans import SpansIfTaken


class Spans:
    """In place of the SDK's middleware: counts what passes through it."""

    def __init__(self) -> None:
        self.count: int = 0

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        self.count += 1
        return await call_next(ctx)


def context(meta: Mapping[str, Any]) -> ServerRequestContext[Any, Any]:
    return ServerRequestContext(
        session=cast("Any", None),
        lifespan_context=None,
        method="tools/call",
        params={"name": "coffee_order", "_meta": dict(meta)},
        protocol_version="2026-07-28",
    )


async def answered(ctx: ServerRequestContext[Any, Any]) -> HandlerResult:
    return {"method": ctx.method}


async def spans_for(meta: Mapping[str, Any]) -> int:
    spans = Spans()
    assert await SpansIfTaken(spans)(context(meta), answered) == {"method": "tools/call"}
    return spans.count


async def test_without_a_provider_no_span_is_made() -> None:
    assert await spans_for({"progressToken": 1}) == 0


async def test_the_callers_own_span_goes_on_without_a_provider_too() -> None:
    assert await spans_for({"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}) == 1


async def test_a_provider_that_is_set_after_the_start_gets_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    spans = Spans()
    middleware = SpansIfTaken(spans)
    await middleware(context({}), answered)
    provider = TracerProvider()
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    monkeypatch.setattr(fsmvoice.server.spans, "LOOK_EVERY", 0)

    await middleware(context({}), answered)

    assert spans.count == 1
