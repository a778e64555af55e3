"""A body that does not come is not waited for without end."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import pytest

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import asgi, body, hear
from tests.bridge.machines import Coffee
from tests.server.running import running


@pytest.mark.parametrize("path", ["/mcp", "/hear"])
async def test_a_body_that_comes_too_slowly_is_given_up(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "READ_WITHIN", 0.05)
    monkeypatch.setattr(hear, "READ_WITHIN", 0.05)
    async with running(asgi(create_fsm_mcp_bridge(Coffee), stateless=True, ui=True)) as url:
        host = urlsplit(url).netloc
        reader, writer = await asyncio.open_connection(*host.split(":"))
        head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{{"
        writer.write(head.encode())
        async with asyncio.timeout(10):
            answer = await reader.readuntil(b"seconds")
        writer.close()
    assert answer.startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize(
    "repeating",
    [
        '{"a":1,"a":2}',
        '{"a":1,"\\u0061":2}',
        '{"a" :1,"a":2}',
        '{"a":[[{"b":1,"b":2}]]}',
        '{"a":1,"a":2,"b":"\\"\\u003a"}',
        '{"a":1,"a":2,"b":"c:d"}',
        '{"a":1,"a":{"b":1}}',
    ],
)
def test_a_repeated_key_is_never_taken_for_none(repeating: str) -> None:
    assert not body.repeats_nothing(repeating.encode())
    with pytest.raises(body.RepeatedKey):
        body.parsed(repeating.encode())


def test_an_ordinary_message_needs_no_closer_look() -> None:
    assert body.repeats_nothing(
        b'{"id": 1, "params": {"name": "a", "_meta": {"name": "b"}, "x": [{"y": 1}, {"y": 2}]}}'
    )
