"""Who sent a request, as far as it was verified."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol, cast

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import principal_components
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession

from fsmvoice.sessions.keys import CallContext

LOCALE_META = "dev.fsmvoice/locale"
"""The `_meta` key of a request that names the caller's language."""


class Request(Protocol):
    """What the SDKs' request contexts have in common."""

    @property
    def session(self) -> ServerSession: ...
    @property
    def request(self) -> Any:
        """The HTTP request; None over stdio."""
        ...


def caller_of(ctx: ServerRequestContext[Any, Any], *, per_client: bool = False) -> CallContext:
    """The caller of a request. Only with `per_client` does each connection count as a caller of its own."""
    # ctx.meta is typed for the SDK's own keys; the message itself has them all.
    return caller_with(ctx, (ctx.params or {}).get("_meta"), per_client=per_client)


def caller_with(request: Request, meta: object, *, per_client: bool = False) -> CallContext:
    """The caller of a request whose `_meta` is `meta`."""
    told = dict(cast("Mapping[str, Any]", meta)) if isinstance(meta, Mapping) else {}
    session = verified_session_id(request.session) if per_client else None
    return CallContext(session, principal(), _locale(request.request, told), told)


def verified_session_id(session: ServerSession) -> str | None:
    """The id of the client's connection, where the SDK has checked that it is one, and this caller's.

    None in a stateless server, over stdio and since protocol 2026-07-28, whatever header a client sends.
    """
    return session._connection.session_id  # pyright: ignore[reportPrivateUsage] - no public accessor in mcp 2.3


def principal() -> str | None:
    """Whom the caller signed in as: the client, issuer and subject of the access token."""
    token = get_access_token()
    return None if token is None else json.dumps(principal_components(token))


def _locale(request: Any, meta: Mapping[str, Any]) -> str | None:
    told = meta.get(LOCALE_META)
    if isinstance(told, str) and told:
        return told
    headers: Mapping[str, str] = getattr(request, "headers", None) or {}
    first = headers.get("accept-language", "").partition(",")[0].partition(";")[0].strip()
    return None if first in ("", "*") else first
