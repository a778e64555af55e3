from guarded import TeaHouse

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import OAuth, asgi

app = asgi(
    create_fsm_mcp_bridge(TeaHouse),
    auth=OAuth(
        issuer="https://auth.example.com",
        audience="https://voice.example.com/mcp",
        required_scopes=["voice"],  # of a user's token
        service_scopes=["voice.list"],  # enough to list the tools, for the host's own token
    ),
    allowed_hosts=["voice.example.com"],
)

for route in app.routes:
    print(route.path)  # /readyz
