"""The page at `/`: on this computer alone, by a strict policy, behind the same checks as MCP itself."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import AsyncGenerator

import httpx2
import pytest
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from pydantic import AnyHttpUrl
from starlette.applications import Starlette
from starlette.routing import Mount

from examples.coffee import Coffee as Order
from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import asgi
from tests.bridge.machines import Coffee
from tests.server.running import serving

HERE = "http://127.0.0.1:3100"


def browser(app: Starlette, base_url: str = HERE) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url=base_url)


@pytest.fixture
async def page() -> AsyncGenerator[httpx2.AsyncClient]:
    async with browser(asgi(create_fsm_mcp_bridge(Coffee), ui=True)) as client:
        yield client


async def test_it_is_there_and_says_what_it_is(page: httpx2.AsyncClient) -> None:
    answer = await page.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "<title>Coffee</title>" in answer.text
    assert "the conversation that all clients of this server share" in answer.text


async def test_its_policy_lets_just_its_own_script_and_style_run(page: httpx2.AsyncClient) -> None:
    answer = await page.get("/")
    policy = answer.headers["content-security-policy"]
    for tag in (r'<script type="module">(.*?)</script>', r"<style>(.*?)</style>"):
        (part,) = re.findall(tag, answer.text, re.DOTALL)
        assert f"'sha256-{base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()}'" in policy
    assert "unsafe-inline" not in policy
    assert "'unsafe-eval'" not in policy
    for directive in ("default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "trusted-types picture"):
        assert directive in policy


async def test_it_speaks_the_readers_language_where_the_machine_does() -> None:
    async with browser(asgi(create_fsm_mcp_bridge(Order), ui=True)) as client:
        german = (await client.get("/", headers={"accept-language": "de-AT,en;q=0.5"})).text
        assert '<html lang="de">' in german
        assert "Von vorn beginnen" in german
        assert '<html lang="en">' in (await client.get("/", headers={"accept-language": "nl"})).text


@pytest.mark.parametrize("path", ["/", "/diagram.dot", "/diagram.json", "/viz-global.js", "/draw.js"])
async def test_a_rebound_name_gets_nothing(page: httpx2.AsyncClient, path: str) -> None:
    assert (await page.get(path, headers={"host": "evil.example"})).status_code == 421
    assert (await page.get(path, headers={"origin": "http://evil.example"})).status_code == 403


async def test_the_picture_comes_with_the_elements_of_its_states(page: httpx2.AsyncClient) -> None:
    assert (await page.get("/diagram.dot")).text.startswith("digraph")
    drawing = (await page.get("/diagram.json")).json()
    assert drawing["states"]["ordering"] == "state-ordering"
    assert {"source": "idle", "event": "ORDER", "target": "ordering"}.items() <= drawing["arcs"][0].items()


async def test_graphviz_for_the_browser_is_served_from_here(page: httpx2.AsyncClient) -> None:
    answer = await page.get("/viz-global.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert len(answer.content) > 1_000_000


async def test_only_the_thread_that_draws_may_run_web_assembly(page: httpx2.AsyncClient) -> None:
    assert "wasm" not in (await page.get("/")).headers["content-security-policy"]
    draw = await page.get("/draw.js")
    assert draw.headers["content-type"].startswith("text/javascript")
    assert draw.headers["content-security-policy"] == "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"


async def test_it_is_not_there_unless_it_is_wanted() -> None:
    async with browser(asgi(create_fsm_mcp_bridge(Coffee))) as client:
        for path in ("/", "/diagram.json", "/viz-global.js", "/draw.js"):
            assert (await client.get(path)).status_code == 404
        assert (await client.post("/hear", json={"text": "a latte"})).status_code == 404


async def test_it_finds_its_server_where_it_is_mounted() -> None:
    app = Starlette(routes=[Mount("/voice", asgi(create_fsm_mcp_bridge(Coffee), ui=True))])
    async with browser(app) as client:
        text = (await client.get("/voice/")).text
    assert '"mcp": "mcp"' in text
    assert 'createScriptURL("draw.js")' in text


async def test_where_clients_share_nothing_the_page_has_its_own_conversation() -> None:
    async with browser(asgi(create_fsm_mcp_bridge(Coffee), ui=True, sessions="per-client")) as client:
        assert '"own": true' in (await client.get("/")).text


class Verifier:
    async def verify_token(self, token: str) -> AccessToken | None:
        return None


def test_it_does_not_go_with_signing_in() -> None:
    auth = AuthSettings(issuer_url=AnyHttpUrl("https://id.example"), resource_server_url=None)
    with pytest.raises(ValueError, match="has no sign-in"):
        asgi(create_fsm_mcp_bridge(Coffee), ui=True, auth=auth, token_verifier=Verifier())


def test_it_does_not_stand_where_mcp_is_spoken() -> None:
    with pytest.raises(ValueError, match="the page is at '/' too"):
        asgi(create_fsm_mcp_bridge(Coffee), ui=True, path="/")


@pytest.mark.parametrize(
    ("options", "status"), [((), 200), (("--no-ui",), 404), (("--host", "0.0.0.0", "--insecure"), 404)]
)
def test_a_served_machine_has_it_on_this_computer_unless_told(options: tuple[str, ...], status: int) -> None:
    with serving("examples/coffee.py", *options) as (_, endpoint):
        assert httpx2.get(endpoint.removesuffix("mcp")).status_code == status
