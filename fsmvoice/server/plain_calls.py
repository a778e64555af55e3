"""Answers ordinary tool calls without the SDK's second validation of the result."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

import mcp_types as types
from mcp.server import Server
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from mcp_types.methods import serialize_server_result, validate_client_request
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from fsmvoice.model.shapes import is_object
from fsmvoice.server.caller import connection_of
from fsmvoice.server.spans import SpansIfTaken

Answer: TypeAlias = Callable[[ServerRequestContext[Any, Any], str, Mapping[str, Any] | None], Awaitable[HandlerResult]]
"""What answers a call of a tool with arguments."""

MOST_META: Final = 8
"""The number of valid `_meta` objects that are remembered. Each is at most as long as a request's body."""
_PLAIN: Final = frozenset(("name", "arguments", "_meta"))


class PlainCalls:
    """The first middleware of the SDK's server, which answers most calls of tools by itself.

    The SDK validates each result against the protocol's schema and copies it. A bridge's results have one shape, which
    tests compare with what the SDK makes of it; so a call with only a name and arguments is answered here. Every other
    goes on to the SDK: one that is malformed, names an unknown tool, or carries an answer to a question.

    Args:
        names: the names of the tools.
        answer: does what the server's handler of `tools/call` does.
        spans: the server's middleware that makes spans; traced calls go on to it.

    Attributes:
        calls: the number of calls that it is answering.
    """

    def __init__(self, server: Server[Any], names: frozenset[str], answer: Answer, spans: SpansIfTaken) -> None:
        self._server, self._names, self._answer, self._spans = server, names, answer, spans
        self.calls: int = 0
        self._chain: list[Any] = [self, spans]
        server.middleware[:] = self._chain
        self._valid: deque[tuple[str, Any]] = deque(maxlen=MOST_META)
        self._meta = {types.SERVER_INFO_META_KEY: server.server_info_stamp}

    @staticmethod
    def of(server: Server[Any]) -> PlainCalls:
        """The one of a server that `mcp_server` has made."""
        return next(middleware for middleware in server.middleware if isinstance(middleware, PlainCalls))

    def add(self, middleware: ServerMiddleware[Any]) -> None:
        """Put a middleware behind it that need not see plain calls."""
        self._chain.insert(1, middleware)
        self._server.middleware[:] = self._chain

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        params = ctx.params
        modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
        if (
            ctx.method != "tools/call"
            or ctx.request_id is None  # a notification, which gets no answer
            or params is None
            or not params.keys() <= _PLAIN
            or type(name := params.get("name")) is not str
            or name not in self._names
            or not (modern or connection_of(ctx.session).initialize_accepted)
            or self._spans.wanted(params)
            or self._server.middleware != self._chain  # a middleware that was added later must see the call
        ):
            return await call_next(ctx)
        try:
            self._validate(params, ctx.protocol_version)
        except ValidationError:
            return await call_next(ctx)  # the SDK reports what is wrong
        self.calls += 1
        try:
            result = await self._answer(ctx, name, params.get("arguments"))
        finally:
            self.calls -= 1
        if isinstance(result, BaseModel):
            written = result.model_dump(mode="json", by_alias=True, exclude_none=True)
            result = serialize_server_result("tools/call", ctx.protocol_version, written)
        found = result or {}
        if modern:
            found["_meta"] = self._meta
        else:
            found.pop("resultType", None)  # which came with 2026-07-28
        return found

    def _validate(self, params: Mapping[str, Any], version: str) -> None:
        """Validate the request. Clients send the same `_meta` with each call, so the last valid ones are remembered.

        Raises:
            ValidationError: if it doesn't match the protocol's schema.
        """
        arguments = params.get("arguments")
        sent = (version, params.get("_meta"))
        if sent in self._valid and (arguments is None or type(arguments) is dict):
            return
        validate_client_request("tools/call", version, params)
        if _is_text(sent[1]):
            self._valid.append(copy.deepcopy(sent))


def _is_text(meta: Any) -> bool:
    """Whether it contains only strings, for which equal means identical, unlike True and 1."""
    if is_object(meta):
        return all(_is_text(value) for value in meta.values())
    return isinstance(meta, str)
