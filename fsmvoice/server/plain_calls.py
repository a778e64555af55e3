"""Tool calls with nothing special about them, answered without the SDK's second look at the result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

import mcp_types as types
from mcp.server import Server
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp_types.methods import serialize_server_result, validate_client_request
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from fsmvoice.server.caller import connection_of

Answer: TypeAlias = Callable[[ServerRequestContext[Any, Any], str, Mapping[str, Any] | None], Awaitable[HandlerResult]]
"""What answers a call of a tool with arguments."""

_PLAIN: Final = frozenset(("name", "arguments", "_meta"))


class PlainCalls:
    """Middleware of the SDK's server that answers most calls of tools by itself.

    The SDK checks each result against the protocol's schema and copies it. A bridge's results have one shape, which
    tests compare with what the SDK makes of it; so a call that carries a name and arguments and nothing else is
    answered here. Every other goes on to the SDK: one that is malformed, names no tool, or brings an answer.

    Args:
        names: the tools.
        answer: what the server's handler of `tools/call` does.
    """

    def __init__(self, server: Server[Any], names: frozenset[str], answer: Answer) -> None:
        self._server, self._names, self._answer = server, names, answer
        self._meta = {types.SERVER_INFO_META_KEY: server.server_info_stamp}

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        params = ctx.params
        modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
        if (
            ctx.method != "tools/call"
            or ctx.request_id is None  # a notification, to which nothing is done
            or params is None
            or not self._is_plain(params)
            or not (modern or connection_of(ctx.session).initialize_accepted)
            or self._server.middleware[-1] is not self  # one that was added later is to see the call
        ):
            return await call_next(ctx)
        try:
            validate_client_request("tools/call", ctx.protocol_version, params)
        except ValidationError:
            return await call_next(ctx)  # the SDK says what is wrong
        result = await self._answer(ctx, params["name"], params.get("arguments"))
        if isinstance(result, BaseModel):
            written = result.model_dump(mode="json", by_alias=True, exclude_none=True)
            result = serialize_server_result("tools/call", ctx.protocol_version, written)
        found = result or {}
        if modern:
            return {**found, "_meta": self._meta}
        return {name: value for name, value in found.items() if name != "resultType"}  # which came with 2026-07-28

    def _is_plain(self, params: Mapping[str, Any]) -> bool:
        name = params.get("name")
        return params.keys() <= _PLAIN and isinstance(name, str) and name in self._names
