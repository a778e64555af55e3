"""Signing in: whom a request counts for is taken from its own token, in both protocol eras."""

from __future__ import annotations

import json
import logging
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp_types import TextResourceContents
from starlette.applications import Starlette

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import asgi
from tests.bridge.machines import Coffee
from tests.server.running import BOTH_ERAS, Mode, facts_of, running, said

RESOURCE = "https://voice.example.com/mcp"
SETTINGS = AuthSettings.model_validate(
    {
        "issuer_url": "https://auth.example.com",
        "resource_server_url": RESOURCE,
        "required_scopes": ["voice"],
        "validate_token_resource": True,
    }
)


class Verifier:
    """Takes `user NAME` for a user's token, and `service` for one of the host's own, which belongs to nobody."""

    async def verify_token(self, token: str) -> AccessToken | None:
        kind, _, name = token.partition("-")
        if kind not in ("user", "service", "other"):
            return None
        resource = "https://elsewhere.example.com" if kind == "other" else RESOURCE
        return AccessToken(token=token, client_id="host", scopes=["voice"], subject=name or None, resource=resource)


def app(**options: Any) -> Starlette:
    return asgi(create_fsm_mcp_bridge(Coffee, **options), auth=SETTINGS, token_verifier=Verifier())


def web(token: str) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=10)


async def raw(url: str, token: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """A request of protocol 2025-03-26, as hosts of the two-tier kind send them: each for itself."""
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-03-26"}
    async with web(token) as client:
        body = {"jsonrpc": "2.0", "id": method, "method": method, "params": params}
        response = await client.post(f"{url}/mcp", headers=headers, json=body)
    assert response.status_code == 200, response.text
    data = response.text if response.text.startswith("{") else response.text.partition("data: ")[2]
    answer: dict[str, Any] = json.loads(data)
    return answer


async def test_a_host_lists_with_a_token_of_its_own_and_calls_with_its_users() -> None:
    async with running(app()) as url:
        hello = {
            "protocolVersion": "2025-03-26",
            "capabilities": {"roots": {"listChanged": True}},
            "clientInfo": {"name": "host", "version": "1"},
        }
        greeted = await raw(url, "service", "initialize", hello)
        listed = await raw(url, "service", "tools/list", {})
        order = {"name": "coffee_order", "arguments": {"drink": "latte"}}
        ordered = await raw(url, "user-ann", "tools/call", order)
        anns = await raw(url, "user-ann", "tools/call", {"name": "coffee_status"})
        bobs = await raw(url, "user-bob", "tools/call", {"name": "coffee_status"})

    assert greeted["result"]["protocolVersion"] == "2025-03-26"
    assert listed["result"]["tools"][0]["name"] == "coffee_order"
    assert ordered["result"]["content"][0]["text"] == "One medium latte. Shall I place it?"
    assert anns["result"]["content"][0]["text"].startswith("One medium latte.")
    assert bobs["result"]["content"][0]["text"] == "You can order a drink. What would you like?"


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_token_that_belongs_to_no_user_lists_and_does_not_call(
    mode: Mode, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        running(app()) as url,
        web("service") as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
    ):
        assert (await client.list_tools()).tools
        assert (await client.list_resources()).resources
        with caplog.at_level(logging.WARNING, "fsmvoice"):
            for call in (client.call_tool("coffee_status", {}), client.read_resource("fsm://state")):
                with pytest.raises(MCPError, match="belongs to no user"):
                    await call
    assert "has no subject" in caplog.text


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_stolen_handle_reads_and_does_nothing(mode: Mode) -> None:
    async with running(app(handles=True)) as url:
        async with (
            web("user-ann") as http,
            Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as ann,
        ):
            session = facts_of(await ann.call_tool("coffee_start_session", {}))["session"]
            await ann.call_tool("coffee_order", {"drink": "latte", "session": session})
            uri = f"fsm://sessions/{session}/state"
            (content,) = (await ann.read_resource(uri)).contents
            assert isinstance(content, TextResourceContents)
            assert json.loads(content.text)["value"] == "ordering"
        async with (
            web("user-bob") as http,
            Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as bob,
        ):
            answers = [
                (await said(bob, "coffee_confirm", session=handle), await refused(bob, handle))
                for handle in (session, "never-given-out")
            ]
    assert answers[0] == answers[1]
    assert answers[0][1] == "I can't find that conversation. Please begin a new one."


async def refused(client: Client, session: str) -> str:
    with pytest.raises(MCPError) as caught:
        await client.read_resource(f"fsm://sessions/{session}/state")
    return caught.value.message


@pytest.mark.parametrize(("token", "status"), [("", 401), ("wrong", 401), ("other-ann", 401)])
async def test_without_a_token_for_this_server_nobody_gets_in(token: str, status: int) -> None:
    async with running(app()) as url, httpx2.AsyncClient() as http:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = await http.post(f"{url}/mcp", json={}, headers=headers)
        told = await http.get(f"{url}/.well-known/oauth-protected-resource/mcp")
        health = await http.get(f"{url}/healthz")

    assert answer.status_code == status
    assert "resource_metadata=" in answer.headers["www-authenticate"]
    assert told.json()["authorization_servers"] == ["https://auth.example.com"]
    assert health.status_code == 200


def test_settings_without_a_verifier_are_refused_and_so_is_the_reverse() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)

    with pytest.raises(ValueError, match="belong together"):
        asgi(bridge, auth=SETTINGS)
    with pytest.raises(ValueError, match="belong together"):
        asgi(bridge, token_verifier=Verifier())
