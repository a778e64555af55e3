"""`python -m tests.benchmarks.overhead`: what a call costs beyond the SDK, against a tool written by hand.

Both servers are called in this process without a socket, and answer the same bytes. Only CPU time counts. Rounds are
interleaved, so that what else the computer does weighs on both alike; the middle of the rounds' ratios is told.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import gc
import json
import logging
import pstats
import statistics
import sys
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette

from examples.coffee import Coffee
from fsmvoice.bridge.bridge import create_fsm_mcp_bridge
from fsmvoice.bridge.spec import ToolReply
from fsmvoice.server.http import asgi
from tests.benchmarks.handwritten import handwritten

AIM = 0.25
CONVERSATION: tuple[tuple[str, dict[str, Any]], ...] = (
    ("coffee_order", {"drink": "latte", "size": "large"}),
    ("coffee_ready", {}),
    ("coffee_status", {}),
    ("coffee_cancel", {}),
)
"""Two events that are taken, one that is refused, and the question where things stand."""
MODERN = "2026-07-28"
LEGACY = "2025-11-25"


@dataclass
class Wire:
    """A client that puts requests straight into an app."""

    app: Starlette
    modern: bool
    headers: dict[str, str] = field(default_factory=dict[str, str])

    async def post(self, method: str, params: Mapping[str, Any], *, id: int | None = 1) -> tuple[dict[str, str], bytes]:
        """The headers and the body of the answer."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if id is not None:
            message["id"] = id
        headers = self.headers
        if self.modern:
            headers = {**headers, "mcp-method": method, "mcp-name": str(params.get("name", ""))}
        return await self.send(json.dumps(message).encode(), headers)

    async def send(self, body: bytes, headers: Mapping[str, str]) -> tuple[dict[str, str], bytes]:
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": "/mcp",
            "raw_path": b"/mcp",
            "root_path": "",
            "query_string": b"",
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 3100),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
        answered: dict[str, str] = {}
        parts: list[bytes] = []
        ended = asyncio.Event()
        given = False

        async def receive() -> dict[str, Any]:
            nonlocal given
            if not given:
                given = True
                return {"type": "http.request", "body": body, "more_body": False}
            await ended.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                assert message["status"] in (200, 202), message
                answered.update({name.decode(): value.decode() for name, value in message["headers"]})
            else:
                parts.append(message.get("body", b""))
                if not message.get("more_body"):
                    ended.set()

        await self.app(scope, receive, send)
        return answered, b"".join(parts)


@asynccontextmanager
async def connected(app: Starlette, *, modern: bool) -> AsyncGenerator[Wire]:
    """A client that may call tools."""
    async with app.router.lifespan_context(app):
        version = MODERN if modern else LEGACY
        wire = Wire(
            app,
            modern,
            {
                "host": "127.0.0.1:3100",
                "content-type": "application/json",
                "accept": "application/json, text/event-stream",
                "mcp-protocol-version": version,
            },
        )
        if not modern:
            about = {"name": "overhead", "version": "1"}
            told = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": about}
            headers, _ = await wire.post("initialize", told)
            wire.headers["mcp-session-id"] = headers["mcp-session-id"]
            await wire.post("notifications/initialized", {}, id=None)
        yield wire


def calls_of(wire: Wire) -> list[tuple[bytes, dict[str, str]]]:
    """The requests of the conversation, written beforehand: a client's work is not what is measured."""
    found: list[tuple[bytes, dict[str, str]]] = []
    for number, (name, arguments) in enumerate(CONVERSATION, 10):
        params: dict[str, Any] = {"name": name, "arguments": arguments}
        headers = wire.headers
        if wire.modern:
            params["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientInfo": {"name": "overhead", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            }
            headers = {**headers, "mcp-method": "tools/call", "mcp-name": name}
        message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        found.append((json.dumps(message).encode(), headers))
    return found


async def recorded() -> tuple[dict[str, ToolReply], int]:
    """What the bridge answers in the conversation, and the revision before it."""
    bridge = create_fsm_mcp_bridge(Coffee)
    before = await bridge.get_snapshot()
    return {name: await bridge.call(name, arguments) for name, arguments in CONVERSATION}, before.revision


async def cost(wire: Wire, calls: list[tuple[bytes, dict[str, str]]], times: int) -> float:
    """Seconds of CPU for one call."""
    begun = time.process_time()
    for _ in range(times):
        for body, headers in calls:
            await wire.send(body, headers)
    return (time.process_time() - begun) / (times * len(calls))


@dataclass(frozen=True)
class Column:
    """One way to speak the protocol."""

    name: str
    modern: bool
    json_response: bool


COLUMNS = (
    Column("2026-07-28, JSON", modern=True, json_response=True),
    Column("2026-07-28, event stream", modern=True, json_response=False),
    Column("2025-11-25, JSON", modern=False, json_response=True),
    Column("2025-11-25, event stream", modern=False, json_response=False),
)


async def ratio(column: Column, *, rounds: int, times: int) -> tuple[float, float, float]:
    """Milliseconds of our call and of the one written by hand, and how much more ours is."""
    replies, revision = await recorded()
    ours_app = asgi(create_fsm_mcp_bridge(Coffee), json_response=column.json_response)
    theirs_app = handwritten(replies, revision, json_response=column.json_response)
    async with AsyncExitStack() as stack:
        ours = await stack.enter_async_context(connected(ours_app, modern=column.modern))
        theirs = await stack.enter_async_context(connected(theirs_app, modern=column.modern))
        calls, their_calls = calls_of(ours), calls_of(theirs)
        await _check(ours, calls, theirs, their_calls)
        mine: list[float] = []
        other: list[float] = []
        gc.collect()
        gc.disable()
        for number in range(rounds):
            order = [(ours, calls, mine), (theirs, their_calls, other)]
            for wire, sent, taken in order if number % 2 else reversed(order):
                taken.append(await cost(wire, sent, times))
        gc.enable()
    more = statistics.median(our / their for our, their in zip(mine, other, strict=True)) - 1
    return statistics.median(mine) * 1000, statistics.median(other) * 1000, more


async def _check(ours: Wire, calls: Any, theirs: Wire, their_calls: Any) -> None:
    """Both answer the same, but for what the servers say of themselves."""
    for (body, headers), (other_body, other_headers) in zip(calls, their_calls, strict=True):
        answers = [await ours.send(body, headers), await theirs.send(other_body, other_headers)]
        first, second = (_result(answer) for _, answer in answers)
        if first != second:
            raise SystemExit(f"the answers differ:\n{first}\n{second}")


def _result(answer: bytes) -> Any:
    text = answer.decode()
    if "data: " in text:
        text = next(line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {"))
    result = json.loads(text)["result"]
    result.pop("_meta", None)
    return result


async def profiled(times: int) -> pstats.Stats:
    """Where our calls spend their time (modern, JSON)."""
    async with connected(asgi(create_fsm_mcp_bridge(Coffee), json_response=True), modern=True) as wire:
        calls = calls_of(wire)
        await cost(wire, calls, 20)
        profile = cProfile.Profile()
        profile.enable()
        await cost(wire, calls, times)
        profile.disable()
    return pstats.Stats(profile)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--times", type=int, default=25, help="conversations of a round")
    parser.add_argument("--profile", action="store_true", help="tell what takes how long, too")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    out = sys.stdout.write
    out(f"{'':<28}{'ours':>10}{'by hand':>10}{'more':>8}\n")
    for column in COLUMNS:
        ours, theirs, more = asyncio.run(ratio(column, rounds=options.rounds, times=options.times))
        aim = f"  (aim: {AIM:.0%})" if column is COLUMNS[0] else ""
        out(f"{column.name:<28}{ours:>7.3f} ms{theirs:>7.3f} ms{more:>+8.0%}{aim}\n")
    if options.profile:
        stats = asyncio.run(profiled(options.times * 10))
        stats.sort_stats("cumulative").print_stats("fsmvoice", 60)
    return 0


if __name__ == "__main__":
    sys.exit(main())
