"""Two processes on one store are one server: what one gives out the other takes, and each hears of the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ResourceUpdated

from fsmvoice import State, VoiceMachine, create_fsm_mcp_bridge, spoken, transition
from fsmvoice.server import OAuth, asgi
from fsmvoice.sessions.open_store import open_store
from tests.server.issuing import AUDIENCE, Issuer
from tests.server.running import facts_of, running, said, text_of
from tests.sessions.postgres_database import database

STATE = "fsm://state"


class Order(VoiceMachine, id="order"):
    placed = State(initial=True, prompt="It is on its way.")
    gone = State(final=True, prompt="There is no order any more.")

    @spoken("cancel the order", confirm="Cancel it?")
    @transition("CANCEL", source=placed, target=gone)
    def cancel(self) -> None: ...


@asynccontextmanager
async def replica(url: str, **options: Any) -> AsyncGenerator[str]:
    store = await open_store(url)
    bridge = create_fsm_mcp_bridge(Order, store=store, handles=True)
    async with running(asgi(bridge, **options)) as place:
        yield f"{place}/mcp"
    await bridge.aclose(0)
    await store.aclose()


async def test_a_question_of_one_is_answered_at_the_other() -> None:
    async with database() as url, replica(url) as first, replica(url) as second:
        async with Client(first) as client:
            asked = await client.call_tool("order_cancel", {})
        assert text_of(asked) == "Cancel it?"
        async with Client(second) as client:
            yes = {"confirm_token": facts_of(asked)["confirm_token"]}
            assert await said(client, "order_cancel", **yes) == "There is no order any more."


async def test_a_page_on_one_sees_what_is_said_to_the_other() -> None:
    async with (
        database() as url,
        replica(url) as first,
        replica(url) as second,
        Client(first) as watching,
        Client(second) as speaking,
    ):
        await speaking.call_tool("order_status", {})
        async with watching.listen(resource_subscriptions=[STATE]) as subscription, asyncio.timeout(10):
            asked = await speaking.call_tool("order_cancel", {})
            await speaking.call_tool("order_cancel", {"confirm_token": facts_of(asked)["confirm_token"]})
            assert await anext(aiter(subscription)) == ResourceUpdated(STATE)


@asynccontextmanager
async def signed_in(place: str, issuer: Issuer, user: str) -> AsyncGenerator[Client]:
    headers = {"Authorization": f"Bearer {issuer.token(sub=user)}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=10) as http,
        Client(streamable_http_client(place, http_client=http)) as client,
    ):
        yield client


async def refusal(client: Client, uri: str) -> str:
    with pytest.raises(MCPError) as caught:
        await client.read_resource(uri)
    return caught.value.message.replace(uri, "URI")


async def test_of_two_users_neither_reaches_anything_of_the_others_at_any_process() -> None:
    async with Issuer().listening() as issuer, database() as url:
        auth = OAuth(issuer.url, AUDIENCE)
        async with (
            replica(url, auth=auth) as first,
            replica(url, auth=auth) as second,
            signed_in(first, issuer, "ann") as ann,
            signed_in(second, issuer, "bob") as bob,
        ):
            handles = [facts_of(await ann.call_tool("order_start_session", {}))["session"] for _ in range(2)]
            asked = await ann.call_tool("order_cancel", {"session": handles[0]})
            token = facts_of(asked)["confirm_token"]
            for handle in handles:
                uris = [f"fsm://sessions/{session}/state" for session in (handle, "never-given-out")]
                assert await refusal(bob, uris[0]) == await refusal(bob, uris[1])
                async with bob.listen(resource_subscriptions=uris) as subscription:
                    assert not subscription.honored.resource_subscriptions
                for tool in ("order_cancel", "order_status", "order_start_over"):
                    foreign, missing = [
                        await bob.call_tool(tool, {"session": session}) for session in (handle, "never-given-out")
                    ]
                    assert (text_of(foreign), facts_of(foreign)) == (text_of(missing), facts_of(missing))
            stolen = await bob.call_tool("order_cancel", {"confirm_token": token})
            assert facts_of(stolen)["reason"] == "needs-confirmation"
            assert await said(ann, "order_status", session=handles[0]) == "It is on its way. You can cancel the order."
