"""One prompt says what can be done, for the caller's own session; its argument is completed from what is possible."""

from __future__ import annotations

import mcp_types as types
import pytest
from mcp import Client, MCPError

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import asgi, mcp_server
from tests.bridge.machines import Coffee
from tests.server.running import BOTH_ERAS, Mode, facts_of, running, said

pytestmark = pytest.mark.parametrize("mode", BOTH_ERAS)

NAME = "coffee_what_can_i_do"
PROMPT = types.PromptReference(name=NAME)


async def told(client: Client, **arguments: str) -> str:
    (message,) = (await client.get_prompt(NAME, arguments)).messages
    assert isinstance(message.content, types.TextContent)
    return message.content.text


async def completed(client: Client, name: str, typed: str = "", ref: types.PromptReference = PROMPT) -> list[str]:
    return (await client.complete(ref, {"name": name, "value": typed})).completion.values


async def test_the_prompt_says_what_status_says(mode: Mode) -> None:
    async with running(asgi(create_fsm_mcp_bridge(Coffee))) as url, Client(f"{url}/mcp", mode=mode) as client:
        (prompt,) = (await client.list_prompts()).prompts
        assert (prompt.name, prompt.title) == (NAME, "What can I do?")
        assert [argument.name for argument in prompt.arguments or ()] == ["action"]
        assert not any(argument.required for argument in prompt.arguments or ())
        assert await told(client) == "You can order a drink. What would you like?"
        await client.call_tool("coffee_order", {"drink": "latte"})
        assert await told(client) == await said(client, "coffee_status")


async def test_the_prompt_says_how_one_thing_is_done_or_why_not(mode: Mode) -> None:
    async with Client(mcp_server(create_fsm_mcp_bridge(Coffee)), mode=mode) as client:
        assert (
            await told(client, action="order a drink") == "Which drink would you like: latte, espresso or flat white?"
        )
        refused = await told(client, action="place the order")
        assert refused == "You can't place the order right now. You can order a drink."
        assert await told(client, action="fly to the moon") == "You can order a drink. What would you like?"
        await client.call_tool("coffee_order", {"drink": "latte"})
        assert await told(client, action="place the order") == "You can place the order."


async def test_what_is_possible_now_is_completed(mode: Mode) -> None:
    async with Client(mcp_server(create_fsm_mcp_bridge(Coffee)), mode=mode) as client:
        assert await completed(client, "action") == ["order a drink"]
        await client.call_tool("coffee_order", {"drink": "latte"})
        assert await completed(client, "action") == ["place the order", "cancel the order"]
        assert await completed(client, "action", "CANCEL") == ["cancel the order"]
        assert await completed(client, "action", "order") == ["place the order", "cancel the order"]
        assert await completed(client, "action", "tea") == []
        assert await completed(client, "size") == []


async def test_a_session_is_named_and_never_listed(mode: Mode) -> None:
    async with Client(mcp_server(create_fsm_mcp_bridge(Coffee, handles=True)), mode=mode) as client:
        session = facts_of(await client.call_tool("coffee_start_session", {}))["session"]
        await client.call_tool("coffee_order", {"drink": "latte", "session": session})
        assert await told(client) == "You can order a drink. What would you like?"
        assert (await told(client, session=session)).startswith("One medium latte.")
        assert await told(client, session="lost") == "I can't find that conversation. Please begin a new one."
        assert await completed(client, "session") == []
        in_session = await client.complete(PROMPT, {"name": "action", "value": ""}, {"session": session})
        assert in_session.completion.values == ["place the order", "cancel the order"]
        template = types.ResourceTemplateReference(uri="fsm://sessions/{session}/state")
        assert (await client.complete(template, {"name": "session", "value": ""})).completion.values == []


async def test_what_does_not_exist_is_an_error(mode: Mode) -> None:
    async with Client(mcp_server(create_fsm_mcp_bridge(Coffee)), mode=mode) as client:
        with pytest.raises(MCPError, match=f"Unknown prompt: 'other'; there is {NAME}"):
            await client.get_prompt("other")
        with pytest.raises(MCPError, match="Unknown prompt"):
            await completed(client, "action", ref=types.PromptReference(name="other"))
        with pytest.raises(MCPError, match="there is no resource template 'x://y'"):
            await client.complete(types.ResourceTemplateReference(uri="x://y"), {"name": "a", "value": ""})
