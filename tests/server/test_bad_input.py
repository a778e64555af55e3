"""What no client should send: each is answered clearly, changes nothing, and breaks nothing, with every store."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx2
import pytest

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.server import asgi
from fsmvoice.sessions.open_store import open_store
from tests.bridge.machines import Coffee
from tests.server.running import running
from tests.sessions.postgres_database import database

HEADERS = {
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
    "MCP-Protocol-Version": "2025-06-18",
}


def call(arguments: str, meta: str = "{}") -> bytes:
    text = (
        '{"jsonrpc":"2.0","id":1,"method":"tools/call",'
        f'"params":{{"name":"coffee_order","arguments":{arguments},"_meta":{meta}}}}}'
    )
    return text.encode("utf-8", "surrogatepass")


def nested(depth: int) -> str:
    return f'{{"drink":"latte","size":{"[" * depth}{"]" * depth}}}'


def meta(key: str, value: str) -> str:
    return f'{{"dev.fsmvoice/{key}":{value}}}'


DIGITS = "9" * 5000
BAD = {
    "33 levels deep": call(nested(33)),
    "5,000 levels deep": call(nested(5000)),
    "levels without an end": call('{"drink":' + "[" * 60_000),
    "NaN": call('{"drink":"latte","size":NaN}'),
    "infinite": call('{"drink":"latte","size":-Infinity}'),
    "an argument twice": call('{"drink":"latte","drink":"espresso"}'),
    "the last of many arguments twice": call("{" + ",".join(f'"{n % 7000:x}":1' for n in range(7001)) + "}"),
    "a method twice": call('{"drink":"latte"}').replace(b'"id":1', b'"id":1,"method":"tools/list"'),
    "a key of meta twice": call('{"drink":"latte"}', '{"a":1,"a":2}'),
    "half a character": call('{"drink":"\\ud800"}'),
    "half a character, unescaped": call('{"drink":"\ud800"}'),
    "NUL": call('{"drink":"latte\\u0000"}'),
    "NUL in a name": call('{"drink\\u0000":"latte"}'),
    "a number of 5,000 digits": call(f'{{"drink":{DIGITS}}}'),
    "a number of 5,000 digits as text": call(f'{{"drink":"latte","size":"{DIGITS}"}}'),
    "64 KiB": call(json.dumps({"drink": "x" * 65_536})),
    "64 KiB beside it": call('{"drink":"latte"}', json.dumps({"x": "x" * 65_536})),
    "2,000 arguments": call(json.dumps({f"a{number}": number for number in range(2000)})),
    "what makes a regular expression slow": call(json.dumps({"drink": "a" * 20_000 + "!", "size": "1e" * 5000})),
    "no UTF-8": call('{"drink":"caf\u00e9"}').replace("\u00e9".encode(), b"\xe9"),
    "UTF-16": call('{"drink":"latte"}').decode().encode("utf-16"),
    "arguments in a list": call("[1]"),
    "a session that is none": call('{"drink":"latte"}', meta("session", "[1]")),
    "a revision of 400 digits": call('{"drink":"latte"}', meta("expected-revision", "9" * 400)),
    "a request id of half a character": call('{"drink":"latte"}', meta("request-id", '"\\udfff"')),
    "a request id too long": call('{"drink":"latte"}', meta("request-id", f'"{"x" * 300}"')),
    "nothing": b"",
    "null": b"null",
    "an empty list": b"[]",
    "junk": b"\x00\xff{",
}


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
async def bridge(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[FsmMcpBridge]:
    async def made(url: str) -> AsyncGenerator[FsmMcpBridge]:
        store = await open_store(url)
        bridge = create_fsm_mcp_bridge(Coffee, store=store)
        yield bridge
        await bridge.aclose(0)
        await store.aclose()

    if request.param == "postgresql":
        async with database() as url:
            async for bridge in made(url):
                yield bridge
    else:
        async for bridge in made("memory:" if request.param == "memory" else f"sqlite:///{tmp_path}/s.db"):
            yield bridge


async def test_bad_input_is_answered_and_changes_nothing(bridge: FsmMcpBridge) -> None:
    async with running(asgi(bridge, stateless=True, json_response=True)) as url, httpx2.AsyncClient(timeout=20) as http:
        before = (await bridge.get_snapshot()).to_dict()
        for what, body in BAD.items():
            answer = await http.post(f"{url}/mcp", content=body, headers=HEADERS)
            assert answer.status_code < 500, what
            told = answer.json()
            refused = "error" in told or (told["result"]["isError"] and told["result"]["content"][0]["text"])
            assert refused, what
            assert "Traceback" not in answer.text, what
            assert (await bridge.get_snapshot()).to_dict() == before, what
        answer = await http.post(f"{url}/mcp", content=call('{"drink":"latte"}'), headers=HEADERS)
        assert answer.json()["result"]["content"][0]["text"] == "One medium latte. Shall I place it?"


@pytest.mark.parametrize("request_id", ["", '"id":null,', '"id":1.5,', '"id":{},', '"id":[1],', '"id":true,'])
async def test_a_call_that_is_not_a_request_does_nothing(request_id: str) -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    body = call('{"drink":"latte"}').replace(b'"id":1,', request_id.encode())
    async with running(asgi(bridge, stateless=True)) as url, httpx2.AsyncClient() as http:
        answer = await http.post(f"{url}/mcp", content=body, headers=HEADERS)
    assert answer.status_code in (202, 400)
    assert (await bridge.get_snapshot()).value == "idle"


async def test_a_request_id_of_any_text_is_kept(bridge: FsmMcpBridge) -> None:
    async with running(asgi(bridge, stateless=True, json_response=True)) as url, httpx2.AsyncClient(timeout=20) as http:
        for replayed in (False, True):
            body = call('{"drink":"latte"}', meta("request-id", '"a\\u0000b\\\\u0000 \U0001f600"'))
            answer = await http.post(f"{url}/mcp", content=body, headers=HEADERS)
            assert answer.json()["result"]["structuredContent"].get("replayed", False) is replayed


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Host": ""}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1.evil.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
async def test_a_page_from_elsewhere_gets_nothing_done(headers: dict[str, str], status: int) -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    async with running(asgi(bridge, stateless=True)) as url, httpx2.AsyncClient() as http:
        answer = await http.post(f"{url}/mcp", content=call('{"drink":"latte"}'), headers={**HEADERS, **headers})
    assert answer.status_code == status
    assert (await bridge.get_snapshot()).value == "idle"
