"""Signing in over HTTP, with tokens of an issuer that runs: nobody gets in with another, and nobody meets another."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import OAuth, asgi
from tests.bridge.machines import Coffee
from tests.server.issuing import AUDIENCE, Issuer, rsa_key
from tests.server.running import BOTH_ERAS, Mode, running, said

LISTING = ("initialize", "tools/list", "resources/list", "prompts/list")
HELLO = {
    "protocolVersion": "2025-03-26",
    "capabilities": {"roots": {"listChanged": True}},
    "clientInfo": {"name": "host", "version": "1"},
}


@asynccontextmanager
async def voice(**options: Any) -> AsyncGenerator[tuple[str, Issuer]]:
    """A server with an issuer of its own."""
    async with Issuer().listening() as issuer:
        app = asgi(create_fsm_mcp_bridge(Coffee), auth=OAuth(issuer.url, AUDIENCE, **options))
        async with running(app) as url:
            yield url, issuer


async def post(url: str, token: str | None, body: Any, **headers: str) -> httpx2.Response:
    async with httpx2.AsyncClient(timeout=10) as http:
        return await http.post(
            f"{url}/mcp",
            content=body if isinstance(body, bytes) else json.dumps(body),
            headers={
                "Accept": "application/json, text/event-stream",
                "Content-Type": "application/json",
                **({} if token is None else {"Authorization": f"Bearer {token}"}),
                **headers,
            },
        )


def message(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


CALL = message("tools/call", name="coffee_status", arguments={})


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_two_users_never_meet(mode: Mode) -> None:
    async with voice(required_scopes=["voice"]) as (url, issuer):
        heard: list[str] = []
        for user, drink in (("ann", "latte"), ("bob", None), ("ann", None)):
            headers = {"Authorization": f"Bearer {issuer.token(sub=user)}"}
            async with (
                httpx2.AsyncClient(headers=headers, timeout=10) as http,
                Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
            ):
                if drink is not None:
                    await said(client, "coffee_order", drink=drink)
                heard.append(await said(client, "coffee_status"))
    assert heard[0] == heard[2] != heard[1]
    assert "latte" in heard[0]
    assert "latte" not in heard[1]


async def test_a_token_that_will_not_do_is_answered_with_a_challenge_and_never_with_a_fault() -> None:
    async with voice() as (url, issuer):
        bad = {
            "none": None,
            "another's": issuer.token(rsa_key(1)),
            "expired": issuer.token(exp=1),
            "audience": issuer.token(aud="https://elsewhere.example.com"),
            "issuer": issuer.token(iss="https://elsewhere.example.com"),
            "subject": issuer.token(sub=None),
            "algorithm": issuer.token("a secret that is at least thirty-two bytes", algorithm="HS256"),
            "unknown key": issuer.token(rsa_key(1), key_id="nobody knows it"),
            "10 kB": issuer.token(padding="x" * 10_000),
            "junk": "junk.junk.junk",
            "control": "a\tb",
        }
        answers = {what: await post(url, token, CALL) for what, token in bad.items()}
        good = await post(url, issuer.token(), CALL)
    assert {what: answer.status_code for what, answer in answers.items()} == dict.fromkeys(bad, 401)
    assert good.status_code == 200
    for answer in answers.values():
        assert answer.json()["error"] == "invalid_token"
        challenge = answer.headers["www-authenticate"]
        assert challenge.startswith("Bearer ")
        assert 'resource_metadata="https://voice.example.com/.well-known/oauth-protected-resource/mcp"' in challenge


async def test_a_server_tells_which_issuer_it_trusts_and_what_a_token_must_allow() -> None:
    async with voice(required_scopes=["voice"], service_scopes=["list"]) as (url, issuer), httpx2.AsyncClient() as http:
        for path in ("/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"):
            told = (await http.get(f"{url}{path}")).json()
            assert told["resource"] == AUDIENCE
            assert told["authorization_servers"] == [issuer.url]
            assert told["scopes_supported"] == ["voice", "list"]


async def test_without_a_public_url_there_is_no_metadata_to_tell() -> None:
    async with Issuer().listening() as issuer:
        app = asgi(create_fsm_mcp_bridge(Coffee), auth=OAuth(issuer.url, "voice-api"))
        async with running(app) as url, httpx2.AsyncClient() as http:
            assert (await http.get(f"{url}/.well-known/oauth-protected-resource")).status_code == 404
            assert "resource_metadata" not in (await post(url, None, CALL)).headers["www-authenticate"]
            assert (await post(url, issuer.token(aud=["other", "voice-api"]), CALL)).status_code == 200


async def test_a_challenge_is_left_out_where_a_host_wants_none() -> None:
    async with voice(required_scopes=["voice"], bare_401=True) as (url, issuer):
        unknown, insufficient = await post(url, None, CALL), await post(url, issuer.token(scope="x"), CALL)
    assert (unknown.status_code, insufficient.status_code) == (401, 403)
    assert "www-authenticate" not in unknown.headers
    assert "www-authenticate" not in insufficient.headers


async def test_a_host_lists_with_its_own_token_and_calls_with_a_users_only() -> None:
    async with voice(required_scopes=["voice"], service_scopes=["list"]) as (url, issuer):
        for service in (issuer.token(sub=None, scope="list"), issuer.token(sub="host", scope="list")):
            for method in LISTING:
                params = HELLO if method == "initialize" else {}
                assert (await post(url, service, message(method, **params))).status_code == 200, method
            assert (await post(url, service, {"jsonrpc": "2.0", "method": "notifications/initialized"})).is_success
            refused = await post(url, service, CALL)
            assert refused.status_code == 403
            assert 'error="insufficient_scope"' in refused.headers["www-authenticate"]
            assert 'scope="voice"' in refused.headers["www-authenticate"]
        assert (await post(url, issuer.token(scope="voice"), CALL)).status_code == 200


SMUGGLED = {
    "second method": b'{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{}}',
    "first method": b'{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"tools/list","params":{}}',
    "batch": json.dumps([message("tools/list"), CALL]).encode(),
    "read": json.dumps(message("resources/read", uri="fsm://state")).encode(),
    "answer": json.dumps({"jsonrpc": "2.0", "id": 1, "result": {}}).encode(),
    "empty batch": b"[]",
    "junk": b"junk",
    "empty": b"",
    "deep": b"[" * 5000,
    "70 kB": b'{"method":"tools/list","x":"' + b"x" * 70_000 + b'"}',
}


async def test_a_hosts_own_token_does_not_get_a_call_past_the_gate() -> None:
    async with voice(required_scopes=["voice"], service_scopes=["list"]) as (url, issuer):
        token = issuer.token(sub=None, scope="list")
        answers = {what: (await post(url, token, body)).status_code for what, body in SMUGGLED.items()}
    assert answers == dict.fromkeys(SMUGGLED, 403)


async def test_a_token_of_another_scope_gets_nowhere() -> None:
    async with voice(required_scopes=["voice"], service_scopes=["list"]) as (url, issuer):
        assert (await post(url, issuer.token(scope="other"), message("tools/list"))).status_code == 403


async def test_an_issuer_that_is_away_is_no_reason_to_call_a_token_wrong() -> None:
    async with voice() as (url, issuer):
        issuer.status = 500
        answer = await post(url, issuer.token(), CALL)
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "10"
    assert "can't be fetched now" in answer.json()["error_description"]
