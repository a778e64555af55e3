"""A machine as clients meet it: over real HTTP, in both protocol eras."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from mcp import Client, MCPError
from mcp_types import TextResourceContents

from examples.coffee import Coffee
from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import asgi, mcp_server
from tests.server.running import BOTH_ERAS, Mode, facts_of, running, said, text_of

pytestmark = pytest.mark.parametrize("mode", BOTH_ERAS)


async def test_a_coffee_is_ordered(mode: Mode) -> None:
    async with running(asgi(create_fsm_mcp_bridge(Coffee))) as url, Client(f"{url}/mcp", mode=mode) as client:
        assert await said(client, "coffee_order", drink="latte") == "One medium latte. Shall I place it?"
        assert await said(client, "coffee_confirm") == "Brewing your latte now. You can say it is ready."
        assert await said(client, "coffee_ready") == "Your latte is ready. Enjoy!"


async def test_a_refusal_is_an_error_that_names_no_id_and_says_what_is_possible(mode: Mode) -> None:
    async with running(asgi(create_fsm_mcp_bridge(Coffee))) as url, Client(f"{url}/mcp", mode=mode) as client:
        result = await client.call_tool("coffee_ready", {})
        assert result.is_error
        assert text_of(result).startswith("You can't say it is ready right now. You can order a drink")
        assert facts_of(result)["reason"] == "no-transition"


async def test_a_missing_and_a_bad_argument_are_questions_that_name_the_values(mode: Mode) -> None:
    async with running(asgi(create_fsm_mcp_bridge(Coffee))) as url, Client(f"{url}/mcp", mode=mode) as client:
        for arguments in ({}, {"drink": "tea"}, {"drink": 5}, {"drink": None}, {"drink": ["latte"]}):
            result = await client.call_tool("coffee_order", cast("dict[str, Any]", arguments))
            assert result.is_error
            assert text_of(result).endswith("latte, espresso, cappuccino, americano or flat white?")
            assert facts_of(result)["changed"] is False


async def test_the_state_can_be_read_and_is_that_of_the_last_result(mode: Mode) -> None:
    async with running(asgi(create_fsm_mcp_bridge(Coffee))) as url, Client(f"{url}/mcp", mode=mode) as client:
        result = await client.call_tool("coffee_order", {"drink": "latte"})
        (content,) = (await client.read_resource("fsm://state")).contents
        assert isinstance(content, TextResourceContents)
        assert json.loads(content.text) == facts_of(result)["state"]
        assert json.loads(content.text)["value"] == "ordering"
        assert content.mime_type == "application/json"


async def test_a_finished_machine_says_so_and_can_be_started_over(mode: Mode) -> None:
    async with running(asgi(create_fsm_mcp_bridge(Coffee))) as url, Client(f"{url}/mcp", mode=mode) as client:
        for event, arguments in (("order", {"drink": "latte"}), ("confirm", {}), ("ready", {})):
            await client.call_tool(f"coffee_{event}", arguments)
        assert (await said(client, "coffee_order", drink="latte")).startswith("! We're finished here")
        assert await said(client, "coffee_start_over") == "Okay, starting over. What would you like?"
        assert await said(client, "coffee_order", drink="espresso") == "One medium espresso. Shall I place it?"


async def test_the_list_is_the_bridges_own_in_its_order(mode: Mode) -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    async with running(asgi(bridge)) as url, Client(f"{url}/mcp", mode=mode) as client:
        listed = (await client.list_tools()).tools
        await client.call_tool("coffee_order", {"drink": "latte"})
        assert (await client.list_tools()).tools == listed
    assert [(tool.name, tool.title, tool.description) for tool in listed] == [
        (tool.name, tool.title, tool.description) for tool in bridge.tools
    ]
    assert [tool.input_schema for tool in listed] == [tool.input_schema for tool in bridge.tools]
    assert [tool.output_schema for tool in listed] == [tool.output_schema for tool in bridge.tools]
    status = next(tool for tool in listed if tool.name == "coffee_status")
    assert status.annotations is not None
    assert status.annotations.read_only_hint is True


async def test_an_unknown_tool_is_an_error_with_the_nearest_name(mode: Mode) -> None:
    async with Client(mcp_server(create_fsm_mcp_bridge(Coffee)), mode=mode) as client:
        with pytest.raises(MCPError, match="Unknown tool: 'coffee_odrer'; did you mean 'coffee_order'"):
            await client.call_tool("coffee_odrer", {})


async def test_an_unknown_resource_is_an_error(mode: Mode) -> None:
    async with Client(mcp_server(create_fsm_mcp_bridge(Coffee)), mode=mode) as client:
        with pytest.raises(MCPError, match="fsm://stat"):
            await client.read_resource("fsm://stat")


async def test_a_session_of_ones_own_is_listed_as_a_template(mode: Mode) -> None:
    async with Client(mcp_server(create_fsm_mcp_bridge(Coffee, handles=True)), mode=mode) as client:
        opened = await client.call_tool("coffee_start_session", {})
        session = facts_of(opened)["session"]
        await client.call_tool("coffee_order", {"drink": "latte", "session": session})
        (template,) = (await client.list_resource_templates()).resource_templates
        (content,) = (await client.read_resource(template.uri_template.format(session=session))).contents
        assert isinstance(content, TextResourceContents)
        assert json.loads(content.text)["value"] == "ordering"
        assert await said(client, "coffee_status") == "You can order a drink. What would you like?"


async def test_the_server_introduces_itself(mode: Mode) -> None:
    async with Client(mcp_server(create_fsm_mcp_bridge(Coffee)), mode=mode) as client:
        assert client.server_info is not None
        assert (client.server_info.name, client.server_info.version) == ("coffee", "1")
        assert "Order a coffee by voice." in (client.instructions or "")
