"""A bridge as an ASGI app: MCP over Streamable HTTP, health checks and the page."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Literal, TypeAlias

from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.routing import Route

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.server.auth import SignIn
from fsmvoice.server.body import BodyCheck
from fsmvoice.server.endpoint import Endpoint
from fsmvoice.server.health import Health
from fsmvoice.server.hosts import HostCheck, Hosts
from fsmvoice.server.oauth import OAuth
from fsmvoice.server.page import page_routes
from fsmvoice.server.plain_calls import PlainCalls
from fsmvoice.server.protocol import mcp_server
from fsmvoice.sessions.postgres import PostgresStore

SharedOrNot: TypeAlias = Literal["shared", "per-client"]
_CHECKED = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""The SDK's own check is off, because HostCheck has already checked every request."""


def asgi(
    bridge: FsmMcpBridge,
    *,
    path: str = "/mcp",
    stateless: bool | None = None,
    json_response: bool = False,
    sessions: SharedOrNot = "shared",
    allowed_hosts: Sequence[str] = (),
    auth: OAuth | AuthSettings | None = None,
    token_verifier: TokenVerifier | None = None,
    ui: bool = False,
) -> Starlette:
    """Make an ASGI app of a bridge: MCP at `path`, `/healthz` (the process is alive) and `/readyz` (ready for calls).

    Run it by itself, or mount it in an app of your own: `Mount("/voice", asgi(bridge))` in Starlette and
    `app.mount("/voice", asgi(bridge))` in FastAPI serve `/voice/mcp`. Nothing else is needed: if the surrounding app
    doesn't run this one's lifespan, the first request starts it.

    Args:
        stateless: keep no protocol sessions, as several processes behind a load balancer need. This is the default with
            a PostgreSQL store, and with `auth`, because a host may list the tools with its own token and call them
            with those of its users.
        json_response: answer with one JSON document instead of an event stream.
        sessions: whether callers who have not signed in share one conversation, or have one for each connection.
        allowed_hosts: host names, besides this computer's own, under which the app is reached, such as
            `"voice.example.com"`. Requests to or from others are refused. `"*"` leaves the check to a surrounding app.
        auth: let only callers with a valid token in, and give each user a conversation of their own. `OAuth(...)` names
            the issuer of the tokens; the SDK's `AuthSettings` need a `token_verifier`.
        token_verifier: the SDK's interface that tells whom a token belongs to. It should set `AccessToken.subject`:
            with a token that belongs to no user, the tools can be listed but not called.
        ui: also serve a page at `/` that shows the conversation and can be tapped. It has no sign-in.

    Raises:
        ValueError: if options contradict each other.
    """
    if auth is None and token_verifier is not None:
        raise ValueError("auth and token_verifier belong together; give both, or neither")
    if stateless is None:
        stateless = sessions == "shared" and (auth is not None or isinstance(bridge.store, PostgresStore))
    if stateless and sessions == "per-client":
        raise ValueError(
            "a stateless server has no connections that could have sessions of their own; leave out stateless=True or "
            "sessions='per-client'"
        )
    if not path.startswith("/"):
        raise ValueError(f"path is {path!r}; it should start with '/'")
    if ui and (auth is not None or path == "/"):
        raise ValueError(
            "the page has no sign-in, and auth requires one; leave out ui=True or auth"
            if auth is not None
            else "the page is at '/' too; leave out ui=True, or serve MCP at another path"
        )
    hosts = Hosts(allowed_hosts)
    server = mcp_server(bridge, per_client=sessions == "per-client", stateless=stateless)

    def manager() -> StreamableHTTPSessionManager:
        return StreamableHTTPSessionManager(
            server,
            stateless=stateless,
            json_response=json_response,
            security_settings=_CHECKED,
        )

    @asynccontextmanager
    async def beside() -> AsyncGenerator[None]:
        await bridge.begin()
        yield

    plain = PlainCalls.of(server)
    health = Health(bridge, plain)
    plain.add(health.counted)
    endpoint = Endpoint(manager, health, beside)
    if auth is None:
        page = page_routes(bridge, path, hosts, own=sessions == "per-client") if ui else []
        routes, middleware = [Route(path, HostCheck(BodyCheck(endpoint), hosts)), *page], None
    else:
        sign_in = SignIn(auth, token_verifier)
        routes = [Route(path, HostCheck(sign_in.required(BodyCheck(endpoint)), hosts)), *sign_in.routes()]
        middleware = sign_in.middleware
    app = Starlette(routes=[*routes, *health.routes()], middleware=middleware, lifespan=endpoint.lifespan)
    app.state.health = health
    return app
