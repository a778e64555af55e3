"""`POST /hear`: what words mean in a conversation. It fires no event; the page then calls the tool."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from fsmvoice.bridge.arguments import is_sound
from fsmvoice.bridge.bridge import CallFailed, FsmMcpBridge
from fsmvoice.bridge.screens import other_locales
from fsmvoice.errors import MissingExtra
from fsmvoice.model.naming import own_tool_name
from fsmvoice.model.payload import json_value
from fsmvoice.model.shapes import is_object
from fsmvoice.server.body import READ_WITHIN
from fsmvoice.sessions.keys import CallContext
from fsmvoice.sessions.meta import SESSION_META
from fsmvoice.sessions.patience import Patience
from fsmvoice.voice import texts
from fsmvoice.voice.heard import NO as NOT_THAT
from fsmvoice.voice.heard import ROLES, START_OVER, Ambiguous, Asked, Match, NoMatch
from fsmvoice.voice.languages import best
from fsmvoice.voice.match import hear

MAX_BODY = 16_384
"""Bytes of a request's body."""
MAX_WORDS = 1000
"""Characters of what somebody said; more than anybody says in one breath."""
_SHAPE = '{"text": "a large latte", "locale": "en", "session": "...", "asked": {"event": ..., "payload": {...}}}'


def hearing(bridge: FsmMcpBridge) -> Callable[[Request], Awaitable[Response]]:
    """A handler that answers `{text, locale?, session?, asked?}` with a match, with candidates, or with neither."""
    own = bridge.locale
    spoken = (own, *other_locales(bridge.chart, own))

    async def handle(request: Request) -> Response:
        try:
            body = await Patience(READ_WITHIN).over(_body(request))
        except TimeoutError:
            return _told(408, f"the request did not arrive within {READ_WITHIN:g} seconds")
        if body is None:
            return _told(400, f"send a JSON object of at most {MAX_BODY} bytes: {_SHAPE}")
        text, locale, session = body.get("text"), body.get("locale"), body.get("session")
        if not isinstance(text, str) or len(text) > MAX_WORDS:
            return _told(400, f"'text' should be a string of at most {MAX_WORDS} characters: {_SHAPE}")
        tag = locale if isinstance(locale, str) else None
        ctx = CallContext(locale=tag, meta={SESSION_META: session} if session is not None else {})
        try:
            snapshot = await bridge.get_snapshot(ctx)
            asked = _asked(bridge, body.get("asked"))
            served = None if tag is None else best((tag,), spoken)
            language = own if served is None else served[1]
            # In a thread, because the first call compiles templates, and other requests should not wait for that.
            heard = await asyncio.to_thread(hear, snapshot, text, locale=language, asked=asked)
        except CallFailed as error:
            return JSONResponse({"kind": "none", "say": str(error), "reason": error.reason})
        except MissingExtra as error:
            return _told(501, str(error))
        if isinstance(heard, NoMatch):
            return JSONResponse({"kind": "none", "say": await bridge.not_heard(ctx, asked)})
        return JSONResponse(json_value(_answer(bridge, heard)))

    return handle


async def _body(request: Request) -> Mapping[str, Any] | None:
    """The JSON object of a request, None if it isn't one or is too long. Other sites' forms can't send JSON."""
    if not request.headers.get("content-type", "").startswith("application/json"):
        return None
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > MAX_BODY:
            return None
    try:
        body: object = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return body if is_object(body) and is_sound(dict(body)) else None


def _asked(bridge: FsmMcpBridge, given: object) -> Asked | None:
    """The open question, None if what the client gave is not one."""
    if not is_object(given) or given.get("event") not in bridge.chart.events:
        return None
    payload, parameter = given.get("payload"), given.get("parameter")
    known: Mapping[str, Any] = payload if is_object(payload) else {}
    return Asked(str(given["event"]), known, parameter if isinstance(parameter, str) else None)


def _answer(bridge: FsmMcpBridge, heard: Match | Ambiguous) -> dict[str, Any]:
    if isinstance(heard, Match):
        return {"kind": "match", **_match(bridge, heard)}
    return {"kind": "ambiguous", "say": heard.say, "candidates": [_match(bridge, one) for one in heard.candidates]}


def _match(bridge: FsmMcpBridge, match: Match) -> dict[str, Any]:
    event, machine = match.event, bridge.machine_id
    if event in ROLES and event not in bridge.chart.events:
        own = None if event == NOT_THAT else "start_over" if event == START_OVER else "status"
        tool = own and own_tool_name(machine, own)
        label = (spec := bridge.tool(tool or "")) and spec.title
    else:
        tool = next((spec.name for spec in bridge.tools if spec.event == event), None)
        label = texts.label(bridge.chart, event)
    return {
        "event": event,
        "payload": dict(match.payload),
        "confidence": match.confidence,
        "tool": tool,
        "label": label or "",
        **({"yes": True} if match.yes else {}),
    }


def _told(status: int, message: str) -> JSONResponse:
    return JSONResponse({"kind": "none", "error": message}, status)
