"""Signing in: the routes and middleware by which only callers with a token reach a server."""

from __future__ import annotations

from collections.abc import Sequence

from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend, RequireAuthMiddleware
from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.routes import build_resource_metadata_url, create_protected_resource_routes
from mcp.server.auth.settings import AuthSettings
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.routing import Route
from starlette.types import ASGIApp


class SignIn:
    """What a resource server needs around its endpoint, from the SDK's parts. Tokens are issued elsewhere."""

    def __init__(self, settings: AuthSettings, verifier: TokenVerifier) -> None:
        self._settings = settings
        own = settings.resource_server_url
        backend = BearerAuthBackend(verifier, resource_server_url=own if settings.validate_token_resource else None)
        self.middleware: Sequence[Middleware] = (
            Middleware(AuthenticationMiddleware, backend=backend),
            Middleware(AuthContextMiddleware),
        )

    def required(self, endpoint: ASGIApp) -> ASGIApp:
        """`endpoint`, for callers with a valid token only."""
        own = self._settings.resource_server_url
        told = None if own is None else build_resource_metadata_url(own)
        return RequireAuthMiddleware(endpoint, self._settings.required_scopes or [], told)

    def routes(self) -> list[Route]:
        """Where clients learn which server issues the tokens (RFC 9728)."""
        settings = self._settings
        if settings.resource_server_url is None:
            return []
        return create_protected_resource_routes(
            resource_url=settings.resource_server_url,
            authorization_servers=[settings.issuer_url],
            scopes_supported=settings.required_scopes,
        )
