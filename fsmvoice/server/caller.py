"""The verified caller of a request."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any, Protocol

import mcp_types as types
from mcp import MCPError
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import principal_components
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession

from fsmvoice.model.shapes import is_object
from fsmvoice.sessions.keys import CallContext
from fsmvoice.sessions.meta import LOCALE_META

logger: logging.Logger = logging.getLogger("fsmvoice")

MAX_HEADER = 1000
"""Characters that are read of an `Accept-Language` header."""
MAX_LANGUAGES = 20
"""Languages that are read of it."""


class Request(Protocol):
    """What the request contexts of both SDKs have in common."""

    @property
    def session(self) -> ServerSession: ...
    @property
    def request(self) -> Any:
        """The HTTP request; None over stdio."""
        ...


def caller_of(ctx: ServerRequestContext[Any, Any], *, per_client: bool = False) -> CallContext:
    """The caller of a request. Only with `per_client` does each connection count as a separate caller."""
    # ctx.meta has the SDK's own keys only; the message itself has all of them.
    return caller_with(ctx, (ctx.params or {}).get("_meta"), per_client=per_client)


def caller_with(request: Request, meta: object, *, per_client: bool = False) -> CallContext:
    """The caller of a request whose `_meta` is `meta`."""
    told: dict[str, Any] = dict(meta) if is_object(meta) else {}
    session = verified_session_id(request.session) if per_client else None
    languages = _languages(request.request, told)
    return CallContext(session, principal(), languages[0] if languages else None, told, languages[1:])


def verified_session_id(session: ServerSession) -> str | None:
    """The id of the client's connection, if the SDK has checked that it exists and is this caller's.

    None in a stateless server, over stdio and since protocol 2026-07-28, whatever header a client sends.
    """
    return connection_of(session).session_id


def connection_of(session: ServerSession) -> Connection:
    """The client's connection."""
    return session._connection  # pyright: ignore[reportPrivateUsage] - no public accessor in mcp 2.3


def principal() -> str | None:
    """Who the caller signed in as: the client, issuer and subject of the access token. None without a token.

    Raises:
        MCPError: if the token has no subject: all users of its client would share one conversation.
    """
    token = get_access_token()
    if token is None:
        return None
    if not token.subject:
        logger.warning("refused a call of the client %r: its access token has no subject", token.client_id)
        raise MCPError(
            types.INVALID_REQUEST,
            "The access token belongs to no user, so it is unknown whose conversation this is. Sign in as a user. "
            "(The server's TokenVerifier should set AccessToken.subject; for a service account, to the client's id.)",
        )
    return json.dumps(principal_components(token))


def _languages(request: Any, meta: Mapping[str, Any]) -> tuple[str, ...]:
    """The caller's languages, preferred first, from `_meta` or else from the header."""
    told = meta.get(LOCALE_META)
    if told and isinstance(told, str):
        return (told,)
    scope: Mapping[str, Any] = getattr(request, "scope", None) or {}
    for name, value in scope.get("headers", ()):
        if name == b"accept-language":
            return accepted_languages(str(value.decode("latin-1")))
    return ()


def accepted_languages(header: str) -> tuple[str, ...]:
    """The tags of an `Accept-Language` header (RFC 9110, 12.5.4), preferred first, without `*`."""
    weighed: list[tuple[float, str]] = []
    for part in header[:MAX_HEADER].split(",")[:MAX_LANGUAGES]:
        tag, _, rest = part.strip().partition(";")
        name, _, value = rest.strip().partition("=")
        try:
            weight = float(value) if name.strip() == "q" else 1.0
        except ValueError:
            continue
        if 0 < weight <= 1 and tag.strip() not in ("", "*"):
            weighed.append((weight, tag.strip()))
    return tuple(tag for _, tag in sorted(weighed, key=lambda known: -known[0]))
