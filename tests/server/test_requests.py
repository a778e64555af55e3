"""Repeated requests, expected revisions and sessions by name, on the wire of both protocol eras."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import pytest
from mcp import Client
from pydantic import Field

from fsmvoice import State, VoiceMachine, create_fsm_mcp_bridge, spoken, transition
from fsmvoice.server import asgi
from tests.bridge.machines import Coffee
from tests.server.running import BOTH_ERAS, Mode, facts_of, running, said, text_of

pytestmark = pytest.mark.parametrize("mode", BOTH_ERAS)


class Till(VoiceMachine, id="till"):
    ready = State(initial=True, prompt="How much?")

    @spoken("pay", irreversible=True, says="Paid.")
    @transition("PAY", source=ready, target=ready)
    async def pay(self, cents: Annotated[int, Field(ge=1, le=99)]) -> None:
        """Pay."""
        await asyncio.sleep(0)
        self.context["paid"] = self.context.get("paid", 0) + cents

    @spoken("ask")
    @transition("ASK", source=ready, target=ready)
    def ask(self) -> None: ...


def meta(**keys: Any) -> Any:
    return {f"dev.fsmvoice/{name.replace('_', '-')}": value for name, value in keys.items()}


async def test_of_32_identical_calls_at_once_one_is_done(mode: Mode) -> None:
    async with running(asgi(create_fsm_mcp_bridge(Till))) as url, Client(f"{url}/mcp", mode=mode) as client:
        calls = [client.call_tool("till_pay", {"cents": 5}, meta=meta(request_id="r")) for _ in range(32)]
        facts = [facts_of(result) for result in await asyncio.gather(*calls)]

    assert {fact["say"] for fact in facts} == {"Paid."}
    assert [fact["changed"] for fact in facts].count(True) == 1
    assert [fact.get("replayed") for fact in facts].count(True) == 31
    assert {fact["state"]["context"]["paid"] for fact in facts} == {5}


async def test_only_what_cannot_be_undone_takes_its_request_id_as_an_argument(mode: Mode) -> None:
    async with running(asgi(create_fsm_mcp_bridge(Till))) as url, Client(f"{url}/mcp", mode=mode) as client:
        listed = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}
        assert [name for name, schema in listed.items() if "request_id" in schema["properties"]] == ["till_pay"]

        await client.call_tool("till_pay", {"cents": "5", "request_id": "r"})
        again = await client.call_tool("till_pay", {"cents": "5", "request_id": "r"})
        assert (facts_of(again)["replayed"], facts_of(again)["state"]["revision"]) == (True, 1)
        other = await client.call_tool("till_pay", {"cents": 7, "request_id": "r"}, meta=meta(request_id="other"))
        assert facts_of(other)["reason"] == "request-id-reused"
        assert text_of(other) == "Sorry, something got mixed up there, so I did nothing. Please ask where we are."
        assert facts_of(await client.call_tool("till_ask", {"request_id": "r"}))["reason"] == "invalid-arguments"


async def test_another_revision_than_the_expected_one_changes_nothing(mode: Mode) -> None:
    async with running(asgi(create_fsm_mcp_bridge(Coffee))) as url, Client(f"{url}/mcp", mode=mode) as client:
        for tool, arguments in (("coffee_order", {"drink": "latte"}), ("coffee_order", {}), ("coffee_start_over", {})):
            result = await client.call_tool(tool, arguments, meta=meta(expected_revision=1))
            assert (facts_of(result)["reason"], facts_of(result)["state"]["revision"]) == ("version-conflict", 0)
        done = await client.call_tool("coffee_order", {"drink": "latte"}, meta=meta(expected_revision=0))
        assert facts_of(done)["state"]["revision"] == 1


async def test_starting_over_is_repeated_as_any_event_is(mode: Mode) -> None:
    async with running(asgi(create_fsm_mcp_bridge(Coffee))) as url, Client(f"{url}/mcp", mode=mode) as client:
        results = [await client.call_tool("coffee_start_over", {}, meta=meta(request_id="r")) for _ in range(2)]
        assert [facts_of(result)["state"]["revision"] for result in results] == [1, 1]
        assert text_of(results[0]) == text_of(results[1]) == "Okay, starting over. What would you like?"


async def test_meta_that_cannot_be_read_changes_nothing(mode: Mode) -> None:
    async with running(asgi(create_fsm_mcp_bridge(Coffee))) as url, Client(f"{url}/mcp", mode=mode) as client:
        for bad in (meta(request_id=[]), meta(expected_revision="soon"), meta(request_id="")):
            result = await client.call_tool("coffee_order", {"drink": "latte"}, meta=bad)
            assert facts_of(result)["reason"] == "invalid-arguments"
        assert await said(client, "coffee_status") == "You can order a drink. What would you like?"
        lost = await client.call_tool("coffee_status", {}, meta=meta(session=["x"]))
        assert facts_of(lost)["reason"] == "session-not-found"


async def test_clients_with_a_session_each_are_apart_and_those_without_share(mode: Mode) -> None:
    app = asgi(create_fsm_mcp_bridge(Coffee), sessions="per-client")
    own = {"meta": meta(session="one")} if mode == "auto" else {}
    async with (
        running(app) as url,
        Client(f"{url}/mcp", mode=mode) as first,
        Client(f"{url}/mcp", mode=mode) as second,
    ):
        await first.call_tool("coffee_order", {"drink": "latte"}, **own)
        assert facts_of(await first.call_tool("coffee_status", {}, **own))["state"]["value"] == "ordering"
        assert await said(second, "coffee_status") == "You can order a drink. What would you like?"
        assert facts_of(await second.call_tool("coffee_status", {}, meta=meta(session="two")))["state"]["revision"] == 0
    shared = asgi(create_fsm_mcp_bridge(Coffee))
    async with (
        running(shared) as url,
        Client(f"{url}/mcp", mode=mode) as first,
        Client(f"{url}/mcp", mode="auto") as second,
    ):
        await first.call_tool("coffee_order", {"drink": "latte"})
        assert await said(second, "coffee_status") == await said(first, "coffee_status")


async def test_a_session_is_opened_and_named_in_an_argument_or_in_meta(mode: Mode) -> None:
    async with (
        running(asgi(create_fsm_mcp_bridge(Coffee, handles=True), stateless=True)) as url,
        Client(f"{url}/mcp", mode=mode) as client,
    ):
        opened = await client.call_tool("coffee_start_session", {})
        session = facts_of(opened)["session"]
        assert text_of(opened) == "You can order a drink. What would you like?"
        ordered = await client.call_tool("coffee_order", {"drink": "latte", "session": session})
        assert facts_of(ordered)["session"] == session
        assert await said(client, "coffee_status") == "You can order a drink. What would you like?"
        placed = await client.call_tool("coffee_confirm", {}, meta=meta(session=session))
        assert facts_of(placed)["state"]["value"] == "brewing"
        for lost in ({"session": "lost"}, {"session": 5}):
            result = await client.call_tool("coffee_confirm", lost)
            assert (facts_of(result)["reason"], "state" in facts_of(result)) == ("session-not-found", False)
