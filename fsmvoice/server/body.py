"""Reads and checks the body of a request before anything else does."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Coroutine
from typing import Any, Final

from pydantic_core import from_json, to_json
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fsmvoice.sessions.patience import Patience

MAX_BODY: Final = 64 * 1024
"""Bytes. Calls of tools are short; even a form with every field filled in is far below this."""

_PARSE_ERROR: Final = -32700
_INVALID_REQUEST: Final = -32600


READ_WITHIN: Final = 20.0
"""Seconds in which a body must arrive. A client that sends it byte by byte would hold a connection for ever."""


class TooLong(Exception):
    """The body has more than `MAX_BODY` bytes."""


class RepeatedKey(ValueError):
    """A JSON object has a key twice: some readers take the first value, others the last."""


class BodyCheck:
    """Refuses bodies that are too long or ambiguous. Reporting invalid JSON is left to the SDK."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        try:
            body = await read_body(receive)
        except TooLong:
            told = f"The request is too long: more than {MAX_BODY} bytes"
            await _error(413, _INVALID_REQUEST, told)(scope, receive, send)
            return
        except TimeoutError:
            told = f"The request did not arrive within {READ_WITHIN:g} seconds"
            await _error(408, _INVALID_REQUEST, told)(scope, receive, send)
            return
        if body is None:
            return
        if not repeats_nothing(body):
            try:
                parsed(body)
            except RepeatedKey as error:
                await _error(400, _PARSE_ERROR, f"Parse error: {error}")(scope, receive, send)
                return
            except (ValueError, RecursionError):
                pass
        await self._app(scope, replayed(body, receive), send)


def repeats_nothing(body: bytes) -> bool:
    """Whether no object in the body has a key twice. False means that it has to be parsed to find out.

    Without escapes no string contains a quote. If moreover each colon follows a quote, each ends a key; and if reading
    and writing the body keeps their number, no key was dropped because it was repeated.
    """
    colons = body.count(b'":')
    if colons != body.count(b":") or b"\\" in body:
        return False
    try:
        return to_json(from_json(body)).count(b'":') == colons
    except ValueError:
        return False


def parsed(body: bytes) -> Any:
    """The parsed JSON of a body.

    Raises:
        RepeatedKey: if an object has a key twice.
        ValueError: if it is not valid JSON.
        RecursionError: if it is nested too deeply.
    """
    if body[:2] != b'{"':  # every message that a client writes starts like this, in UTF-8
        return json.loads(body, object_pairs_hook=_once)
    text = body.decode("utf-8", "surrogatepass")
    told, end = _DECODER.raw_decode(text)
    if end < len(text) and text[end:].strip():
        raise ValueError("there is more text after the message")
    return told


def read_body(receive: Receive) -> Coroutine[Any, Any, bytes | None]:
    """Read the whole body; gives None if the client disconnects first.

    Raises:
        TooLong: if it has more than `MAX_BODY` bytes.
        TimeoutError: if it takes more than `READ_WITHIN` seconds.
    """
    return Patience(READ_WITHIN).over(_whole(receive))


async def _whole(receive: Receive) -> bytes | None:
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        chunk: bytes = message.get("body", b"")
        body += chunk
        if len(body) > MAX_BODY:
            raise TooLong
        if not message.get("more_body", False):
            return body


def replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the body once more, then whatever follows."""
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return first.pop() if first else await receive()

    return again


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told = dict(pairs)
    if len(told) != len(pairs):
        times = Counter(key for key, _ in pairs)
        twice = next(key for key, found in times.items() if found > 1)
        raise RepeatedKey(f"the key {twice[:50]!r} occurs twice")
    return told


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_once)


def _error(status: int, code: int, told: str) -> JSONResponse:
    headers = {"Connection": "close"} if status == 408 else None
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": told}}, status, headers)
