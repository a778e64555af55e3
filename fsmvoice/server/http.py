"""A bridge as an ASGI app: MCP over Streamable HTTP, and a health check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.server.endpoint import Endpoint
from fsmvoice.server.hosts import HostCheck, Hosts
from fsmvoice.server.protocol import mcp_server, server_name

SharedOrNot: TypeAlias = Literal["shared", "per-client"]


def asgi(
    bridge: FsmMcpBridge,
    *,
    path: str = "/mcp",
    stateless: bool = False,
    json_response: bool = False,
    sessions: SharedOrNot = "shared",
    allowed_hosts: Sequence[str] = (),
) -> Starlette:
    """Make an ASGI app of a bridge: MCP at `path`, and `/healthz`.

    Run it by itself, or mount it in an app of your own: `Mount("/voice", asgi(bridge))` in Starlette,
    `app.mount("/voice", asgi(bridge))` in FastAPI, serves `/voice/mcp`. Nothing else is needed: where the app around
    does not run this one's lifespan, the first request starts it.

    Args:
        stateless: keep no protocol sessions, for more than one process behind a load balancer.
        json_response: answer with one JSON document instead of an event stream.
        sessions: whether callers who have not signed in share one conversation, or have one for each connection.
        allowed_hosts: the names, besides this computer's own, under which the app is reached: `"voice.example.com"`.
            Requests to or from others are refused. `"*"` leaves the check to an app around this one.

    Raises:
        ValueError: for options that contradict each other.
    """
    if stateless and sessions == "per-client":
        raise ValueError(
            "a stateless server has no connections that could have a session of their own; leave out one of "
            "stateless=True and sessions='per-client'"
        )
    if not path.startswith("/"):
        raise ValueError(f"path is {path!r}; it should begin with '/'")
    hosts = Hosts(allowed_hosts)
    server = mcp_server(bridge, per_client=sessions == "per-client")

    def manager() -> StreamableHTTPSessionManager:
        return StreamableHTTPSessionManager(
            server, stateless=stateless, json_response=json_response, security_settings=hosts.settings
        )

    async def healthz(_request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok", "machine": server_name(bridge)})

    endpoint = Endpoint(manager)
    routes = [Route(path, HostCheck(endpoint, hosts)), Route("/healthz", healthz, methods=["GET"])]
    return Starlette(routes=routes, lifespan=endpoint.lifespan)
