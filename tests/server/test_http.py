"""The ASGI app: mounted, shared by many callers, stopped and started again."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client
from starlette.applications import Starlette
from starlette.routing import Mount

from examples.coffee import Coffee
from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import asgi
from tests.server.running import BOTH_ERAS, Mode, running, said

ORDERING = "One medium latte. You can place the order or cancel the order. Shall I place it?"


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_of_a_hundred_calls_of_one_event_one_is_taken_and_the_others_are_told_why_not(mode: Mode) -> None:
    async with running(asgi(create_fsm_mcp_bridge(Coffee))) as url, Client(f"{url}/mcp", mode=mode) as client:
        answers = await asyncio.gather(*(said(client, "coffee_order", drink="latte") for _ in range(100)))
    assert answers.count("One medium latte. Shall I place it?") == 1
    refused = [answer for answer in answers if answer.startswith("! You can't order a drink right now.")]
    assert len(refused) == 99


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_it_can_be_mounted_without_its_lifespan(mode: Mode) -> None:
    app = Starlette(routes=[Mount("/voice", asgi(create_fsm_mcp_bridge(Coffee)))])
    async with running(app) as url, Client(f"{url}/voice/mcp", mode=mode) as client:
        assert await said(client, "coffee_order", drink="latte") == "One medium latte. Shall I place it?"


async def test_it_can_be_mounted_with_its_lifespan() -> None:
    voice = asgi(create_fsm_mcp_bridge(Coffee))

    @asynccontextmanager
    async def lifespan(_app: Starlette):  # type: ignore[no-untyped-def] # noqa: ANN202, RUF100 - as users write it
        async with voice.router.lifespan_context(voice):
            yield

    app = Starlette(routes=[Mount("/", voice)], lifespan=lifespan)
    async with running(app) as url, Client(f"{url}/mcp") as client:
        assert await said(client, "coffee_status") == "You can order a drink. What would you like?"


async def test_it_can_be_stopped_and_started_again() -> None:
    app = asgi(create_fsm_mcp_bridge(Coffee))
    async with running(app) as url, Client(f"{url}/mcp") as client:
        await said(client, "coffee_order", drink="latte")
    async with running(app) as url, Client(f"{url}/mcp") as client:
        assert await said(client, "coffee_status") == ORDERING


async def test_all_callers_share_one_conversation() -> None:
    async with (
        running(asgi(create_fsm_mcp_bridge(Coffee))) as url,
        Client(f"{url}/mcp", mode="legacy") as spoken,
        Client(f"{url}/mcp", mode="auto") as tapped,
    ):
        await said(spoken, "coffee_order", drink="latte")
        assert await said(tapped, "coffee_status") == ORDERING


async def test_with_per_client_each_connection_has_its_own() -> None:
    async with (
        running(asgi(create_fsm_mcp_bridge(Coffee), sessions="per-client")) as url,
        Client(f"{url}/mcp", mode="legacy") as one,
        Client(f"{url}/mcp", mode="legacy") as other,
    ):
        await said(one, "coffee_order", drink="latte")
        assert await said(other, "coffee_status") == "You can order a drink. What would you like?"
        assert await said(one, "coffee_status") == ORDERING


@pytest.mark.parametrize("json_response", [False, True])
@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_stateless_server_answers_alike(mode: Mode, json_response: bool) -> None:
    app = asgi(create_fsm_mcp_bridge(Coffee), stateless=True, json_response=json_response)
    async with running(app) as url, Client(f"{url}/mcp", mode=mode) as client:
        await said(client, "coffee_order", drink="latte")
        assert await said(client, "coffee_confirm") == "Brewing your latte now. You can say it is ready."


async def test_it_says_that_it_is_well() -> None:
    async with running(asgi(create_fsm_mcp_bridge(Coffee))) as url, httpx2.AsyncClient() as web:
        answer = await web.get(f"{url}/healthz")
    assert answer.json() == {"status": "ok", "machine": "coffee"}


@pytest.mark.parametrize(
    ("header", "value", "status", "told"),
    [
        ("Host", "evil.example", 421, "--allowed-host evil.example"),
        ("Origin", "http://evil.example:81", 403, "--allowed-host evil.example"),
    ],
)
async def test_a_page_elsewhere_can_not_reach_it(header: str, value: str, status: int, told: str) -> None:
    async with running(asgi(create_fsm_mcp_bridge(Coffee))) as url, httpx2.AsyncClient() as web:
        answer = await web.post(f"{url}/mcp", headers={header: value}, json={})
    assert answer.status_code == status
    assert told in answer.text


async def test_a_name_that_is_allowed_reaches_it() -> None:
    app = asgi(create_fsm_mcp_bridge(Coffee), allowed_hosts=["voice.example.com"])
    async with running(app) as url, httpx2.AsyncClient() as web:
        headers = {"Host": "voice.example.com", "Origin": "https://voice.example.com"}
        answer = await web.post(f"{url}/mcp", headers=headers, json={})
    assert answer.status_code not in (403, 421)


def test_options_that_contradict_each_other_are_refused() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    with pytest.raises(ValueError, match="no connections"):
        asgi(bridge, stateless=True, sessions="per-client")
    with pytest.raises(ValueError, match="start with '/'"):
        asgi(bridge, path="mcp")
