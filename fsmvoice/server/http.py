"""A bridge as an ASGI app: MCP over Streamable HTTP, and how the process is."""

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
from fsmvoice.server.protocol import mcp_server
from fsmvoice.sessions.postgres import PostgresStore

SharedOrNot: TypeAlias = Literal["shared", "per-client"]
_CHECKED = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""HostCheck has looked at every request that comes to the SDK, and has said what is wrong."""


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
    """Make an ASGI app of a bridge: MCP at `path`, `/healthz` (the process is alive) and `/readyz` (send it calls).

    Run it by itself, or mount it in an app of your own: `Mount("/voice", asgi(bridge))` in Starlette,
    `app.mount("/voice", asgi(bridge))` in FastAPI, serves `/voice/mcp`. Nothing else is needed: where the app around
    does not run this one's lifespan, the first request starts it.

    Args:
        stateless: keep no protocol sessions, for more than one process behind a load balancer. That is the default with
            a store in PostgreSQL, and with `auth`: a host may list the tools with a token of its own, and call them
            with its users'.
        json_response: answer with one JSON document instead of an event stream.
        sessions: whether callers who have not signed in share one conversation, or have one for each connection.
        allowed_hosts: the names, besides this computer's own, under which the app is reached: `"voice.example.com"`.
            Requests to or from others are refused. `"*"` leaves the check to an app around this one.
        auth: only callers with a valid token get in, and each user has a conversation of their own. `OAuth(...)` says
            who issues the tokens; the SDK's settings of a resource server do with a verifier of yours.
        token_verifier: the SDK's: tells whom a token belongs to. It sets `AccessToken.subject`: calls with a token
            that belongs to no user are refused, listing the tools is not.
        ui: also serve the page at `/`, where a person sees and taps what others say. It signs nobody in.

    Raises:
        ValueError: for options that contradict each other.
    """
    if auth is None and token_verifier is not None:
        raise ValueError("auth and token_verifier belong together; give both, or neither")
    if stateless is None:
        stateless = sessions == "shared" and (auth is not None or isinstance(bridge.store, PostgresStore))
    if stateless and sessions == "per-client":
        raise ValueError(
            "a stateless server has no connections that could have a session of their own; leave out one of "
            "stateless=True and sessions='per-client'"
        )
    if not path.startswith("/"):
        raise ValueError(f"path is {path!r}; it should begin with '/'")
    if ui and (auth is not None or path == "/"):
        raise ValueError(
            "the page signs nobody in, and auth lets nobody else in; leave out one of ui=True and auth"
            if auth is not None
            else "the page is at '/' as well; leave out ui=True, or serve MCP at another path"
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

    health = Health(bridge)
    server.middleware.insert(0, health.counted)
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
