"""Changes are told to who may read them, in both protocol eras, and nothing is left when they leave."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.client.context import ClientRequestContext
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ResourceUpdated, Subscription
from mcp.shared.exceptions import MCPDeprecationWarning
from starlette.applications import Starlette

from fsmvoice import CallContext, create_fsm_mcp_bridge
from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.server import asgi, mcp_server
from fsmvoice.server.watching import Listening, Subscriptions, watch_of
from tests.bridge.machines import Coffee
from tests.server.running import BOTH_ERAS, ROOT, Mode, command, environment, facts_of, running, said
from tests.server.test_caller import SignIn

STATE = "fsm://state"


class Ears:
    """What a client hears of changes, of either era."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._news = asyncio.Event()

    async def __call__(self, message: Any) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            self.hear(str(message.params.uri))

    def hear(self, uri: str) -> None:
        self.heard.append(uri)
        self._news.set()

    async def news(self) -> str:
        async with asyncio.timeout(5):
            await self._news.wait()
        self._news.clear()
        return self.heard[-1]

    async def follow(self, subscription: Subscription) -> None:
        async for event in subscription:
            assert isinstance(event, ResourceUpdated)
            self.hear(event.uri)


async def subscribe(client: Client, uri: str) -> None:
    with pytest.warns(MCPDeprecationWarning):
        await client.subscribe_resource(uri)  # pyright: ignore[reportDeprecated] - what that era has


async def unsubscribe(client: Client, uri: str) -> None:
    with pytest.warns(MCPDeprecationWarning):
        await client.unsubscribe_resource(uri)  # pyright: ignore[reportDeprecated] - what that era has


@asynccontextmanager
async def connected(url: str, mode: Mode, user: str = "", ears: Ears | None = None) -> AsyncGenerator[Client]:
    headers = {"x-user": user} if user else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=10) as web,
        Client(streamable_http_client(f"{url}/mcp", http_client=web), mode=mode, message_handler=ears) as client,
    ):
        yield client


@asynccontextmanager
async def listening(url: str, mode: Mode, *uris: str, user: str = "") -> AsyncGenerator[Ears]:
    """A client that is told of changes of `uris`, in the way of its era."""
    ears = Ears()
    async with connected(url, mode, user, ears if mode == "legacy" else None) as client:
        if mode == "legacy":
            for uri in uris:
                await subscribe(client, uri)
            yield ears
            return
        async with client.listen(resource_subscriptions=uris) as subscription:
            assert subscription.honored.resource_subscriptions == list(uris)
            following = asyncio.create_task(ears.follow(subscription))
            yield ears
        await following


def watched(bridge: FsmMcpBridge) -> int:
    """How many sessions of a bridge are listened to."""
    return len(bridge._calls.sessions.feed)  # pyright: ignore[reportPrivateUsage] - a leak shows nowhere else


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_change_that_one_client_makes_is_told_to_another(mode: Mode) -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    async with running(asgi(bridge)) as url, connected(url, "auto") as other:
        async with listening(url, mode, STATE) as ears:
            await other.call_tool("coffee_order", {"drink": "latte"})
            assert await ears.news() == STATE
            await other.call_tool("coffee_status", {})
            await other.call_tool("coffee_order", {"drink": "tea"})
            await other.call_tool("coffee_confirm", {})
            assert await ears.news() == STATE
            assert ears.heard == [STATE, STATE]
            assert watched(bridge) == 1
        await other.call_tool("coffee_start_over", {})
        await gone(bridge)


async def gone(bridge: FsmMcpBridge) -> None:
    """Wait until nobody listens."""
    async with asyncio.timeout(5):
        while watched(bridge):  # noqa: ASYNC110 - a server lets go of a stream without telling
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_a_listener_of_another_principal_hears_nothing(mode: Mode) -> None:
    app = asgi(create_fsm_mcp_bridge(Coffee))
    app.add_middleware(SignIn)
    async with (
        running(app) as url,
        listening(url, mode, STATE, user="ann") as anns,
        listening(url, mode, STATE, user="bob") as bobs,
        connected(url, "auto", "ann") as ann,
    ):
        await ann.call_tool("coffee_order", {"drink": "latte"})
        assert await anns.news() == STATE
        async with connected(url, "legacy", "bob") as bob:
            await bob.call_tool("coffee_order", {"drink": "latte"})
        assert await bobs.news() == STATE
        assert (anns.heard, bobs.heard) == ([STATE], [STATE])


async def handle_of(client: Client) -> str:
    return str(facts_of(await client.call_tool("coffee_start_session", {}))["session"])


def signed_in(bridge: FsmMcpBridge) -> Starlette:
    app = asgi(bridge)
    app.add_middleware(SignIn)
    return app


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_the_state_of_a_session_is_told_to_its_owner_alone(mode: Mode) -> None:
    bridge = create_fsm_mcp_bridge(Coffee, handles=True)
    async with running(signed_in(bridge)) as url, connected(url, mode, "ann") as ann:
        mine, other = await handle_of(ann), await handle_of(ann)
        uri = f"fsm://sessions/{mine}/state"
        async with listening(url, mode, uri, user="ann") as ears:
            await ann.call_tool("coffee_order", {"drink": "latte", "session": other})
            await ann.call_tool("coffee_order", {"drink": "latte", "session": mine})
            assert await ears.news() == uri
            assert ears.heard == [uri]
        async with connected(url, "legacy", "bob") as bob:
            said = [await refusal(bob, f"fsm://sessions/{session}/state") for session in (mine, "never-given-out")]
            assert said[0] == said[1] == "I can't find that conversation. Please begin a new one."
        async with (
            connected(url, "auto", "bob") as bob,
            bob.listen(resource_subscriptions=[uri, STATE, "fsm://nothing"]) as subscription,
        ):
            assert subscription.honored.resource_subscriptions == [STATE]
        await gone(bridge)


async def refusal(client: Client, uri: str) -> str:
    with pytest.raises(MCPError) as caught:
        await subscribe(client, uri)
    return caught.value.message


async def test_unsubscribing_ends_it_and_what_never_changes_is_never_told() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    async with running(asgi(bridge)) as url, listening(url, "legacy", STATE, "fsm://config"):
        assert watched(bridge) == 1
    async with running(asgi(bridge)) as url, connected(url, "legacy") as client:
        await subscribe(client, STATE)
        await subscribe(client, STATE)
        assert watched(bridge) == 1
        await unsubscribe(client, STATE)
        await unsubscribe(client, STATE)
        assert watched(bridge) == 0


async def test_a_server_says_of_itself_only_what_it_does() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    for mode, stateless, subscribes in (("legacy", False, True), ("legacy", True, False), ("auto", True, True)):
        async with Client(mcp_server(bridge, stateless=stateless), mode=mode) as client:
            said = client.server_capabilities
            assert said.resources is not None
            assert said.tools is not None
            assert said.prompts is not None
            assert said.resources.subscribe is subscribes
            assert (said.resources.list_changed, said.tools.list_changed, said.prompts.list_changed) == (False,) * 3
            assert said.completions is not None
            assert said.logging is None


async def test_so_many_can_listen_and_no_more() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    listener = Listening(watch_of(bridge, lambda _ctx: CallContext()), limit=0)

    with pytest.raises(MCPError, match="0 clients are listening already"):
        await listener(None, types.SubscriptionsListenRequestParams(notifications=types.SubscriptionFilter()))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] - refused before it is looked at
    assert len(listener) == 0
    assert len(Subscriptions(watch_of(bridge, lambda _ctx: CallContext()))) == 0


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_over_a_pipe_changes_are_reported_and_a_human_is_asked(mode: Mode) -> None:
    program, *arguments = command("serve", "examples/coffee.py", "--stdio")
    ears = Ears()

    async def show(context: ClientRequestContext, params: types.ElicitRequestParams) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"drink": "latte"})

    pipe = StdioServerParameters(command=program, args=arguments, env=environment(), cwd=ROOT)
    handler = ears if mode == "legacy" else None
    async with Client(pipe, mode=mode, message_handler=handler, elicitation_callback=show) as client:
        if mode == "legacy":
            await subscribe(client, STATE)
            assert await said(client, "coffee_order") == "One medium latte. Shall I place it?"
            assert await ears.news() == STATE
        else:
            async with client.listen(resource_subscriptions=[STATE]) as subscription:
                assert await said(client, "coffee_order") == "One medium latte. Shall I place it?"
                assert await anext(aiter(subscription)) == ResourceUpdated(STATE)


@pytest.mark.parametrize("mode", BOTH_ERAS)
async def test_changes_are_reported_where_calls_are_answered_with_one_document(mode: Mode) -> None:
    app = asgi(create_fsm_mcp_bridge(Coffee), json_response=True)
    async with running(app) as url, listening(url, mode, STATE) as ears, connected(url, "auto") as other:
        await other.call_tool("coffee_order", {"drink": "latte"})
        assert await ears.news() == STATE
