"""Who a request counts for, as far as it was verified."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from examples.coffee import Coffee
from fsmvoice import CallContext, create_fsm_mcp_bridge
from fsmvoice.server import asgi
from fsmvoice.server.caller import accepted_languages
from tests.server.running import BOTH_ERAS, Mode, running, said, text_of

ORDERING = "One medium latte. You can place the order or cancel the order. Shall I place it?"
SPOOFED = {"mcp-session-id": "stolen", "accept-language": "de-AT;q=0.9, en"}


class SignIn:
    """Takes the name in a header for the subject of a token, as an authenticating gateway would."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = AuthContextMiddleware(app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = dict(scope.get("headers", [])).get(b"x-user", b"").decode()
        if name:
            token = AccessToken(token=name, client_id="app", scopes=[], subject=name)
            scope = {**scope, "user": AuthenticatedUser(token)}
        await self.app(scope, receive, send)


async def seen_by(app_of: Any, mode: Mode, headers: Mapping[str, str], meta: dict[str, Any]) -> CallContext:
    """The caller that a bridge sees when a client calls with these headers and this `_meta`."""
    seen: list[CallContext] = []

    def remember(ctx: CallContext) -> str | None:
        seen.append(ctx)
        return None

    app = app_of(create_fsm_mcp_bridge(Coffee, get_session_id=remember))
    async with (
        running(app) as url,
        httpx2.AsyncClient(headers=headers) as web,
        Client(streamable_http_client(f"{url}/mcp", http_client=web), mode=mode) as client,
    ):
        await client.call_tool("coffee_status", {}, meta=meta)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] - typed for the SDK's own keys
    return seen[-1]


def per_client(bridge: Any) -> Starlette:
    return asgi(bridge, sessions="per-client")


def stateless(bridge: Any) -> Starlette:
    return asgi(bridge, stateless=True)


async def test_a_connection_of_the_handshake_era_has_an_id_that_was_verified() -> None:
    caller = await seen_by(per_client, "legacy", {}, {})
    assert caller.session_id is not None
    assert len(caller.session_id) == 32


async def test_a_header_that_nothing_verified_is_not_believed() -> None:
    assert (await seen_by(per_client, "auto", SPOOFED, {})).session_id is None
    assert (await seen_by(stateless, "legacy", SPOOFED, {})).session_id is None


async def test_where_all_share_a_conversation_connections_do_not_count() -> None:
    assert (await seen_by(asgi, "legacy", {}, {})).session_id is None


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_the_language_comes_from_meta_else_from_the_header(mode: Mode) -> None:
    assert (await seen_by(asgi, mode, {"accept-language": "de-AT, en;q=0.9"}, {})).locale == "de-AT"
    assert (await seen_by(asgi, mode, {"accept-language": "de"}, {"dev.fsmvoice/locale": "fr"})).locale == "fr"
    assert (await seen_by(asgi, mode, {"accept-language": "*"}, {})).locale is None


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_client_is_answered_in_its_language_and_may_change_it(mode: Mode) -> None:
    meta: Any = {"dev.fsmvoice/locale": "fr"}
    headers = {"accept-language": "tlh, de-AT;q=0.9, en;q=0.8"}
    async with (
        running(asgi(create_fsm_mcp_bridge(Coffee))) as url,
        httpx2.AsyncClient(headers=headers) as web,
        Client(streamable_http_client(f"{url}/mcp", http_client=web), mode=mode) as client,
    ):
        assert await said(client, "coffee_order", drink="latte") == "Einmal Latte, mittel. Soll ich das bestellen?"
        assert text_of(await client.call_tool("coffee_cancel", {}, meta=meta)) == (
            "J'ai annulé votre commande. Que désirez-vous ?"
        )
        assert await said(client, "coffee_status") == "Du kannst etwas zu trinken bestellen. Was möchtest du?"


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_meta_is_handed_on(mode: Mode) -> None:
    caller = await seen_by(asgi, mode, {}, {"dev.fsmvoice/session": "s1"})
    assert caller.meta["dev.fsmvoice/session"] == "s1"


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_each_who_signed_in_has_a_conversation_of_their_own(mode: Mode) -> None:
    app = asgi(create_fsm_mcp_bridge(Coffee))
    app.add_middleware(SignIn)

    async def status(url: str, user: str, *, order: bool = False) -> str:
        async with (
            httpx2.AsyncClient(headers={"x-user": user}) as web,
            Client(streamable_http_client(f"{url}/mcp", http_client=web), mode=mode) as client,
        ):
            return await (said(client, "coffee_order", drink="latte") if order else said(client, "coffee_status"))

    async with running(app) as url:
        assert await status(url, "ann", order=True) == "One medium latte. Shall I place it?"
        assert await status(url, "bob") == "You can order a drink. What would you like?"
        assert await status(url, "ann") == ORDERING


@pytest.mark.parametrize(
    ("header", "languages"),
    [
        ("de-AT", ("de-AT",)),
        ("de-AT;q=0.9, en", ("en", "de-AT")),
        ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", ("fr-CH", "fr", "en", "de")),
        ("en;q=0, de;q=0.1", ("de",)),
        ("*", ()),
        ("", ()),
        ("de;q=high, fr;q=nan, es", ("es",)),
        (",".join(["x" * 50] * 1000), ("x" * 50,) * 19),
    ],
)
def test_the_languages_of_a_header_are_in_the_order_of_their_weights(header: str, languages: tuple[str, ...]) -> None:
    assert accepted_languages(header)[:19] == languages
