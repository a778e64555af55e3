"""Plain calls, which the SDK does not look at again: what goes over the wire is what the SDK would have sent."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import httpx2
import pytest
from mcp.server import Server
from mcp.server.context import HandlerResult, ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.routing import Route

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import mcp_server
from fsmvoice.server.plain_calls import PlainCalls
from tests.bridge.machines import Coffee
from tests.server.running import running

Middleware: TypeAlias = Callable[[ServerRequestContext[Any, Any], Any], Awaitable[HandlerResult]]

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
ASKS: dict[str, Any] = {**ENVELOPE, "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}}
SHOWS = {**ENVELOPE, "dev.fsmvoice/screen": True}
CALLS: list[dict[str, Any]] = [
    {"name": "coffee_ready", "arguments": {}},
    {"name": "coffee_order", "arguments": {"drink": "tea"}},
    {"name": "coffee_order", "arguments": {"size": "large"}, "_meta": ASKS},
    {"name": "coffee_order", "arguments": {"drink": "latte", "\ud800": "\udfff"}},
    {"name": "coffee_order", "arguments": '{"drink": "latte"}'},
    {"name": "coffee_order", "arguments": {"drink": "latte"}, "_meta": {**ENVELOPE, "progressToken": 7}},
    {"name": "coffee_status", "_meta": SHOWS},
    {"name": "coffee_status", "arguments": None},
    {"name": "coffee_confirm", "requestState": "stale"},
    {"name": "coffee_confirm", "arguments": {}, "other": True},
    {"name": "coffee_none", "arguments": {}},
    {"name": ["coffee_order"], "arguments": {}},
    {"arguments": {}},
    {"name": "coffee_order", "arguments": [1]},
    {"name": "coffee_order", "arguments": {}, "_meta": {**ENVELOPE, "progressToken": {"not": "one"}}},
    {"name": "coffee_order", "_meta": {**ENVELOPE, "io.modelcontextprotocol/clientInfo": 7}},
    {"name": "coffee_order", "_meta": {**ENVELOPE, "io.modelcontextprotocol/clientCapabilities": []}},
    {"name": "coffee_start_over", "arguments": {}},
]


def app_of(server: Server[Any]) -> Starlette:
    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
    return Starlette(routes=[Route("/mcp", manager.asgi_app)], lifespan=lambda _app: manager.run())


async def answers(server: Server[Any], version: str = "2026-07-28") -> list[tuple[int, Any]]:
    """The status and the body of each call."""
    found: list[tuple[int, Any]] = []
    async with running(app_of(server)) as url, httpx2.AsyncClient() as client:
        for number, params in enumerate(CALLS):
            message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"_meta": ENVELOPE, **params}}
            headers = {
                "Accept": "application/json, text/event-stream",
                "Content-Type": "application/json",
                "MCP-Protocol-Version": version,
                "Mcp-Method": "tools/call",
            }
            if isinstance(params.get("name"), str):
                headers["Mcp-Name"] = params["name"]
            answer = await client.post(f"{url}/mcp", content=json.dumps(message), headers=headers)
            found.append((answer.status_code, answer.json()))
    return found


@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"])
async def test_every_answer_is_what_the_sdk_makes_of_it(version: str) -> None:
    ours, sdks = (mcp_server(create_fsm_mcp_bridge(Coffee)) for _ in range(2))
    sdks.middleware[:] = [middleware for middleware in sdks.middleware if not isinstance(middleware, PlainCalls)]
    assert len(ours.middleware) == len(sdks.middleware) + 1

    mine, theirs = await answers(ours, version), await answers(sdks, version)

    for params, answer, expected in zip(CALLS, mine, theirs, strict=True):
        for _, body in (answer, expected):
            body.get("result", {}).pop("requestState", None)  # sealed with a key of each server's own
        assert answer == expected, params
    kinds = {body["result"].get("resultType") for _, body in mine if "result" in body}
    assert kinds == ({"input_required", "complete"} if version == "2026-07-28" else {None})
    assert {"error", "result"} <= {key for _, body in mine for key in body}


async def test_middleware_that_was_added_sees_every_call_and_may_change_the_answer() -> None:
    server, seen = mcp_server(create_fsm_mcp_bridge(Coffee)), list[str]()

    async def watching(ctx: ServerRequestContext[Any, Any], call_next: Any) -> HandlerResult:
        seen.append(ctx.method)
        result = await call_next(ctx)
        return {**result, "_meta": {"seen": True}} if isinstance(result, dict) else result

    server.middleware.append(watching)

    results = [body["result"] for _, body in await answers(server) if "result" in body]

    assert len(seen) >= len(results) > 8
    assert all(result["_meta"] == {"seen": True} for result in results)
