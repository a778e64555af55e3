"""Authorizes requests: users may do everything, a host with a service token may only list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from fsmvoice.server.body import TooLong, parsed, read_body, replayed

_LISTING: Final = frozenset(
    (
        "initialize",
        "server/discover",
        "ping",
        "logging/setLevel",
        "tools/list",
        "resources/list",
        "resources/templates/list",
        "prompts/list",
    )
)


class Gate:
    """Refuses requests without a sufficient token, as RFC 6750 specifies.

    Args:
        required_scopes: the scopes that a user's token must have.
        service_scopes: the scopes that suffice to initialize and to list. Empty if that needs a user's token too.
        metadata: the URL of the metadata that names the authorization server.
        bare_401: leave the `WWW-Authenticate` header out.
    """

    def __init__(
        self,
        app: ASGIApp,
        required_scopes: Sequence[str] = (),
        *,
        service_scopes: Sequence[str] = (),
        metadata: str | None = None,
        bare_401: bool = False,
    ) -> None:
        self._app = app
        self._required, self._service = tuple(required_scopes), tuple(service_scopes)
        self._metadata, self._bare = metadata, bare_401

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        user = scope.get("user")
        if not isinstance(user, AuthenticatedUser):
            await self._unknown()(scope, receive, send)
            return
        granted = frozenset(user.access_token.scopes)
        if granted.issuperset(self._required):
            await self._app(scope, receive, send)
        elif not self._service or not granted.issuperset(self._service):
            await self._insufficient()(scope, receive, send)
        elif scope["method"] != "POST":
            await self._app(scope, receive, send)
        else:
            await self._listing(scope, receive, send)

    async def _listing(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request pass if it is about nobody's conversation."""
        try:
            body = await read_body(receive)
        except (TooLong, TimeoutError):
            body = b""
        if body is None:
            return
        if not _only_lists(body):
            await self._insufficient()(scope, receive, send)
            return
        await self._app(scope, replayed(body, receive), send)

    def _unknown(self) -> Response:
        said = "Sign in: send an access token that is valid and meant for this server, as Authorization: Bearer ..."
        response = JSONResponse({"error": "invalid_token", "error_description": said}, 401)
        if not self._bare:
            response.headers["WWW-Authenticate"] = self._challenge("invalid_token", "Authentication required")
        return response

    def _insufficient(self) -> Response:
        said = f"The access token does not allow this; it takes the scope {' '.join(self._required)}"
        response = JSONResponse({"error": "insufficient_scope", "error_description": said}, 403)
        if not self._bare:
            response.headers["WWW-Authenticate"] = self._challenge("insufficient_scope", said)
        return response

    def _challenge(self, error: str, description: str) -> str:
        parts = [f'error="{error}"', f'error_description="{description}"']
        if self._required:
            parts.append(f'scope="{" ".join(self._required)}"')
        if self._metadata is not None:
            parts.append(f'resource_metadata="{self._metadata}"')
        return f"Bearer {', '.join(parts)}"


def _only_lists(body: bytes) -> bool:
    """Whether the body is one or several messages that only initialize or list."""
    try:
        told: object = parsed(body)
    except (ValueError, RecursionError):
        return False
    messages = cast("list[object]", told) if isinstance(told, list) else [told]
    return bool(messages) and all(_lists(message) for message in messages)


def _lists(message: object) -> bool:
    method = cast("dict[str, Any]", message).get("method") if isinstance(message, dict) else None
    return isinstance(method, str) and (method in _LISTING or method.startswith("notifications/"))
