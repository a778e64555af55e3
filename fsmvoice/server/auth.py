"""Sign-in: the middleware that lets only callers with a token reach a server, and the routes that tell clients how."""

from __future__ import annotations

from collections.abc import Sequence

from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend
from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.routes import build_resource_metadata_url, create_protected_resource_routes
from mcp.server.auth.settings import AuthSettings
from pydantic import ValidationError
from starlette.authentication import AuthenticationError
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from fsmvoice.server.gate import Gate
from fsmvoice.server.jwt_verifier import JwtVerifier
from fsmvoice.server.oauth import OAuth

ROOT_METADATA = "/.well-known/oauth-protected-resource"


class SignIn:
    """What an OAuth resource server needs around its endpoint. Tokens are issued elsewhere.

    Args:
        verifier: tells whom a token belongs to. Optional with `OAuth`, which has its own.

    Raises:
        ValueError: if the settings are invalid, or come without a verifier.
    """

    def __init__(self, auth: AuthSettings | OAuth, verifier: TokenVerifier | None) -> None:
        self._service_scopes: Sequence[str] = ()
        self._bare = False
        if isinstance(auth, OAuth):
            self._service_scopes, self._bare = auth.service_scopes, auth.bare_401
            verifier = JwtVerifier(auth) if verifier is None else verifier
            auth = _settings(auth)
        elif verifier is None:
            raise ValueError("auth and token_verifier belong together; give both, or neither")
        self._settings = auth
        own = auth.resource_server_url
        backend = BearerAuthBackend(verifier, resource_server_url=own if auth.validate_token_resource else None)
        self.middleware: Sequence[Middleware] = (
            Middleware(AuthenticationMiddleware, backend=backend, on_error=_try_later),
            Middleware(AuthContextMiddleware),
        )

    def required(self, endpoint: ASGIApp) -> ASGIApp:
        """`endpoint`, restricted to callers with a valid token."""
        own = self._settings.resource_server_url
        return Gate(
            endpoint,
            self._settings.required_scopes or (),
            service_scopes=self._service_scopes,
            metadata=None if own is None else str(build_resource_metadata_url(own)),
            bare_401=self._bare,
        )

    def routes(self) -> list[Route]:
        """The metadata that names the authorization server (RFC 9728), for this path and for the whole host."""
        settings = self._settings
        if settings.resource_server_url is None:
            return []
        (own,) = create_protected_resource_routes(
            resource_url=settings.resource_server_url,
            authorization_servers=[settings.issuer_url],
            scopes_supported=[*dict.fromkeys((*(settings.required_scopes or ()), *self._service_scopes))] or None,
        )
        if own.path == ROOT_METADATA:
            return [own]
        return [own, Route(ROOT_METADATA, own.endpoint, methods=["GET", "OPTIONS"])]


def _settings(oauth: OAuth) -> AuthSettings:
    try:
        return AuthSettings.model_validate(
            {
                "issuer_url": oauth.issuer,
                "resource_server_url": oauth.public_url,
                "required_scopes": list(oauth.required_scopes) or None,
                "validate_token_resource": False,  # the verifier has checked the audience
            }
        )
    except ValidationError as error:
        told = "; ".join(f"{problem['loc'][0]}: {problem['msg']}" for problem in error.errors())
        raise ValueError(f"invalid OAuth settings: {told}") from None


def _try_later(_request: HTTPConnection, error: AuthenticationError) -> Response:
    told = {"error": "temporarily_unavailable", "error_description": str(error)}
    return JSONResponse(told, 503, headers={"Retry-After": "10"})
