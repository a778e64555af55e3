"""A bridge on a server that has other tools too."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.client.context import ClientRequestContext
from mcp.server.mcpserver import MCPServer

from examples.coffee import Coffee
from fsmvoice import DefinitionError, create_fsm_mcp_bridge
from fsmvoice.server import register_fsm_mcp_bridge
from tests.server.running import BOTH_ERAS, Mode, facts_of, said
from tests.server.test_watching import Ears, subscribe, unsubscribe


class Kiosk(Coffee, id="kiosk"):
    """Another machine with the same events."""


def mcpserver() -> Any:
    server: MCPServer[Any] = MCPServer("shop", log_level="ERROR")
    return server


def fastmcp() -> Any:
    package = pytest.importorskip("fastmcp", reason="pip install 'fsmvoice[fastmcp]'")
    return package.FastMCP("shop")


def wire(server: Any) -> Any:
    """What the SDK's client connects to in memory."""
    return getattr(server, "_mcp_server", server)


either = pytest.mark.parametrize("make", [mcpserver, fastmcp])
both_eras = pytest.mark.parametrize("mode", BOTH_ERAS)
Make = Callable[[], Any]


@either
@both_eras
async def test_its_tools_stand_beside_the_servers_own(make: Make, mode: Mode) -> None:
    server = make()

    def opening_hours() -> str:
        return "always"

    server.tool()(opening_hours)

    register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Coffee))
    async with Client(wire(server), mode=mode) as client:
        assert await said(client, "opening_hours") == "always"
        assert await said(client, "coffee_order", drink="latte") == "One medium latte. Shall I place it?"
        assert (await said(client, "coffee_ready")).startswith("! You can't say it is ready right now.")


@either
@both_eras
async def test_schemas_are_exact_and_arguments_arrive_as_they_were_sent(make: Make, mode: Mode) -> None:
    server, bridge = make(), create_fsm_mcp_bridge(Coffee, handles=True)
    register_fsm_mcp_bridge(server, bridge)
    async with Client(wire(server), mode=mode) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        for tool in bridge.tools:
            told = listed[tool.name]
            assert (told.title, told.description) == (tool.title, tool.description)
            assert told.input_schema == tool.input_schema
            assert told.output_schema == tool.output_schema
        assert "Did you mean the drink?" in await said(client, "coffee_order", drnk="latte")
        result = await client.call_tool("coffee_order", {"drink": "tea"})
        assert facts_of(result)["reason"] == "invalid-arguments"


@either
@both_eras
async def test_resources_are_read_for_the_caller(make: Make, mode: Mode) -> None:
    server = make()
    register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Coffee, handles=True))
    async with Client(wire(server), mode=mode) as client:
        opened = await client.call_tool("coffee_start_session", {})
        session = facts_of(opened)["session"]
        await client.call_tool("coffee_order", {"drink": "latte"})
        (shared,) = (await client.read_resource("fsm://state")).contents
        (own,) = (await client.read_resource(f"fsm://sessions/{session}/state")).contents
        assert '"ordering"' in getattr(shared, "text", "")
        assert '"idle"' in getattr(own, "text", "")
        assert own.mime_type == "application/json"
        with pytest.raises(MCPError, match="can't find that conversation"):
            await client.read_resource("fsm://sessions/somebody-elses/state")


@either
@both_eras
async def test_a_human_is_asked_for_what_is_missing(make: Make, mode: Mode) -> None:
    server = make()
    register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Coffee))

    async def show(context: ClientRequestContext, params: types.ElicitRequestParams) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={"drink": "latte"})

    async with Client(wire(server), mode=mode, elicitation_callback=show) as client:
        assert await said(client, "coffee_order", size="large") == "One large latte. Shall I place it?"


@either
@both_eras
async def test_its_prompt_and_completions_stand_beside_the_servers_own(make: Make, mode: Mode) -> None:
    server = make()

    async def complete(ref: Any, argument: Any, context: Any) -> types.Completion:
        return types.Completion(values=["the server's own"])

    def greet(name: str) -> str:
        return f"Hello {name}"

    server.prompt()(greet)
    if mode == "auto":  # a server with completions of its own, and one without
        (server.completion() if make is mcpserver else server.completion)(complete)
    register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Coffee))
    register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Kiosk, state_resource_uri="fsm://kiosk/state"))

    async with Client(wire(server), mode=mode) as client:
        listed = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
        assert list(listed) == ["greet", "coffee_what_can_i_do", "kiosk_what_can_i_do"]
        told = listed["coffee_what_can_i_do"]
        assert (told.title, [argument.name for argument in told.arguments or ()]) == ("What can I do?", ["action"])
        (message,) = (await client.get_prompt("coffee_what_can_i_do", {"action": "order a drink"})).messages
        assert (message.role, getattr(message.content, "text", "")[:11]) == ("assistant", "Which drink")
        await said(client, "coffee_order", drink="latte")
        assert client.server_capabilities.completions is not None
        for name, labels in (
            ("coffee_what_can_i_do", ["place the order", "cancel the order"]),
            ("kiosk_what_can_i_do", ["order a drink"]),
        ):
            ref = types.PromptReference(name=name)
            found = (await client.complete(ref, {"name": "action", "value": ""})).completion
            assert found.values == labels
        if mode == "auto":
            own = await client.complete(types.PromptReference(name="greet"), {"name": "name", "value": ""})
            assert own.completion.values == ["the server's own"]


@either
async def test_changes_are_told_to_subscribers(make: Make) -> None:
    server, ears = make(), Ears()
    bridge = create_fsm_mcp_bridge(Coffee)
    register_fsm_mcp_bridge(server, bridge)
    register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Kiosk, state_resource_uri="fsm://kiosk/state"))

    async with Client(wire(server), mode="legacy", message_handler=ears) as client:
        resources = client.server_capabilities.resources
        assert resources is not None
        assert resources.subscribe
        await subscribe(client, "fsm://state")
        await subscribe(client, "fsm://kiosk/state")
        await bridge.call("coffee_order", {"drink": "latte"})
        assert await ears.news() == "fsm://state"
        await said(client, "kiosk_order", drink="latte")
        assert await ears.news() == "fsm://kiosk/state"
        await unsubscribe(client, "fsm://state")
        await bridge.call("coffee_cancel")
        await said(client, "kiosk_cancel")
        assert await ears.news() == "fsm://kiosk/state"
        assert ears.heard.count("fsm://state") == 1
        with pytest.raises(MCPError):
            await subscribe(client, "fsm://sessions/guess/state")


@either
async def test_changes_are_told_to_listeners(make: Make) -> None:
    server, ears = make(), Ears()
    bridge = create_fsm_mcp_bridge(Coffee)
    register_fsm_mcp_bridge(server, bridge)
    register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Kiosk, state_resource_uri="fsm://kiosk/state"))

    async with Client(wire(server), mode="auto") as client:
        wanted = ["fsm://state", "fsm://kiosk/state", "fsm://nothing"]
        async with client.listen(resource_subscriptions=wanted) as subscription:
            assert subscription.honored.resource_subscriptions == wanted[:2]
            following = asyncio.create_task(ears.follow(subscription))
            await bridge.call("coffee_order", {"drink": "latte"})
            assert await ears.news() == "fsm://state"
            await said(client, "kiosk_order", drink="latte")
            assert await ears.news() == "fsm://kiosk/state"
            following.cancel()


@either
@both_eras
async def test_two_bridges_share_a_server_if_their_uris_differ(make: Make, mode: Mode) -> None:
    server = make()
    register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Coffee, handles=True))
    with pytest.raises(DefinitionError, match="state_resource_uri='fsm://kiosk/state'"):
        register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Kiosk))
    register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Kiosk, handles=True, state_resource_uri="fsm://kiosk/state"))
    async with Client(wire(server), mode=mode) as client:
        await said(client, "coffee_order", drink="latte")
        assert await said(client, "kiosk_status") == "You can order a drink. What would you like?"


@either
def test_the_same_machine_twice_is_refused(make: Make) -> None:
    server = make()
    register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Coffee))
    with pytest.raises(DefinitionError, match=r"coffee_order.* too; give each machine an id of its own"):
        register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Coffee, state_resource_uri="fsm://two/state"))


def test_a_tool_of_the_servers_own_is_not_hidden() -> None:
    server = mcpserver()

    def coffee_order() -> str:
        return "mine"

    server.tool()(coffee_order)
    server.prompt("coffee_what_can_i_do")(coffee_order)

    with pytest.raises(DefinitionError, match="'coffee_order': the server has a tool of that name") as caught:
        register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Coffee))
    assert "prompt 'coffee_what_can_i_do': the server has a prompt of that name" in str(caught.value)


async def test_a_tool_called_in_the_process_gets_its_arguments() -> None:
    server = mcpserver()
    register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Coffee))
    result = await server.call_tool("coffee_order", {"drink": "latte"})
    assert result.structured_content["state"]["value"] == "ordering"


async def test_a_tool_called_by_another_gets_that_ones_arguments() -> None:
    server = mcpserver()
    register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Coffee))

    async def usual(drink: str) -> str:
        """Order what one always has."""
        result = await server.call_tool("coffee_order", {"drink": "latte", "size": "large"})
        return f"{drink}: {result.structured_content['state']['context']['size']}"

    server.tool()(usual)

    async with Client(server) as client:
        assert await said(client, "usual", drink="ignored") == "ignored: large"


def test_another_kind_of_server_is_refused_with_what_there_is() -> None:
    with pytest.raises(TypeError, match=r"can't add to a builtins\.dict; give an mcp\.server\.MCPServer"):
        register_fsm_mcp_bridge({}, create_fsm_mcp_bridge(Coffee))
