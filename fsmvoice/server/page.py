"""The page at `/`: the view of a conversation, a diagram of its machine, and a transcript. For this computer only."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, request_response

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.bridge.screens import other_locales, view_settings
from fsmvoice.exporters.dot import to_dot
from fsmvoice.exporters.dot_ids import dot_ids
from fsmvoice.exporters.svg_style import SVG_STYLE
from fsmvoice.screen import document as documents
from fsmvoice.screen.words import page_words
from fsmvoice.server.caller import accepted_languages
from fsmvoice.server.hear import hearing
from fsmvoice.server.hosts import HostCheck, Hosts
from fsmvoice.voice.languages import best

_Handler: TypeAlias = Callable[[Request], Awaitable[Response]]

VIZ = Path(documents.__file__).parent / "vendor" / "viz-global.js"
DRAW = Path(documents.__file__).parent / "view" / "draw.js"
_PARTS = {"script-src": re.compile(r'<script type="module">(.*?)</script>', re.DOTALL)}
_PARTS["style-src"] = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_PLAIN: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_DRAWS = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"
"""The policy of the worker in which Graphviz runs as WebAssembly."""


def page_routes(bridge: FsmMcpBridge, path: str, hosts: Hosts, *, own: bool) -> list[Route]:
    """The routes of the page, with the same host checks as the MCP endpoint.

    Args:
        path: the path of the MCP endpoint.
        own: whether each page has a conversation of its own.
    """
    config, locale = bridge.chart.config, bridge.locale
    spoken = (locale, *other_locales(bridge.chart, locale))
    texts = {tag: documents.document("page", page_settings(bridge, path, tag, own=own)) for tag in spoken}
    policy = policy_for(texts[locale])
    headers = {**_PLAIN, "Content-Security-Policy": policy, "Permissions-Policy": "microphone=(self)"}

    async def page(request: Request) -> Response:
        _, tag = best(accepted_languages(request.headers.get("accept-language", "")), spoken) or ("", locale)
        return Response(texts[tag], media_type="text/html", headers={**headers, "Vary": "Accept-Language"})

    # Made once and in a thread, because a large machine takes a while, and other requests should not wait for that.
    dot = cache(partial(to_dot, config))
    told = cache(lambda: {"dot": dot(), "style": SVG_STYLE, **dot_ids(config)})

    async def picture(_request: Request) -> Response:
        return PlainTextResponse(await asyncio.to_thread(dot), headers=_PLAIN)

    async def drawing(_request: Request) -> Response:
        return JSONResponse(await asyncio.to_thread(told), headers=_PLAIN)

    async def viz(_request: Request) -> Response:
        return FileResponse(VIZ, media_type="text/javascript", headers=_PLAIN)

    async def draw(_request: Request) -> Response:
        return FileResponse(DRAW, media_type="text/javascript", headers={**_PLAIN, "Content-Security-Policy": _DRAWS})

    def route(at: str, handler: _Handler, method: Literal["GET", "POST"] = "GET") -> Route:
        return Route(at, HostCheck(request_response(handler), hosts), methods=[method])

    return [
        route("/", page),
        route("/diagram.dot", picture),
        route("/diagram.json", drawing),
        route("/viz-global.js", viz),
        route("/draw.js", draw),
        route("/hear", hearing(bridge), "POST"),
    ]


def page_settings(bridge: FsmMcpBridge, path: str, locale: str, *, own: bool) -> dict[str, Any]:
    """The settings of the page. It finds the server by a relative URL, so that it can be mounted anywhere."""
    uris = [resource.uri for resource in bridge.resources if resource.watch is not None]
    told = view_settings(bridge.chart, locale, handles=bridge.handles)
    told["words"] = {**told["words"], **page_words(locale)}
    return {
        **told,
        "others": {},
        "mcp": path.lstrip("/"),
        "state": next((uri for uri in uris if "{session}" not in uri), None),
        "sessionState": next((uri for uri in uris if "{session}" in uri), None),
        "own": own,
    }


def policy_for(text: str) -> str:
    """A Content-Security-Policy that allows a document only its own script and style, and its own server."""
    own = {
        directive: " ".join(f"'sha256-{_digest(part)}'" for part in parts.findall(text))
        for directive, parts in _PARTS.items()
    }
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {own['script-src']}",
            "worker-src 'self'",
            f"style-src {own['style-src']}",
            "connect-src 'self'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types picture",
        )
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
