"""A machine inside a web app of your own: MCP at /voice/mcp, beside the app's other pages.

Run it: uvicorn examples.mount_in_starlette:app
FastAPI is mounted alike: app.mount("/voice", asgi(bridge)).
"""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route

from examples.coffee import Coffee
from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import asgi

bridge = create_fsm_mcp_bridge(Coffee)


async def counter(_request: Request) -> JSONResponse:
    """A page of the app itself, which looks at the same conversation."""
    snapshot = await bridge.get_snapshot()
    return JSONResponse({"state": snapshot.value, "drink": snapshot.context.drink})


app = Starlette(
    routes=[
        Route("/counter", counter),
        # Add the names under which the app is reached: allowed_hosts=["coffee.example.com"].
        Mount("/voice", asgi(bridge)),
    ]
)
