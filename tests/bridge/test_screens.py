"""A bridge's screen: one document for all tools, and a screen for each reply that asks for one."""

from __future__ import annotations

from fsmvoice import VoiceMachine, create_fsm_mcp_bridge
from fsmvoice.bridge.screens import screen_uri
from fsmvoice.screen.screen import screen
from tests.bridge.machines import Coffee


def test_every_tool_names_the_same_document_and_it_can_be_read() -> None:
    bridge = create_fsm_mcp_bridge(Coffee, handles=True)
    assert {tool.meta["ui"]["resourceUri"] for tool in bridge.tools} == {"ui://coffee/screen.html"}
    (app,) = [resource for resource in bridge.resources if resource.uri == "ui://coffee/screen.html"]
    assert app.mime_type == "text/html;profile=mcp-app"


async def test_the_document_knows_the_tools_that_belong_to_no_event() -> None:
    text = await create_fsm_mcp_bridge(Coffee, handles=True).read("ui://coffee/screen.html")
    for told in ('"coffee_status"', '"coffee_start_over"', '"coffee_start_session"', '"handles": true'):
        assert told in text


async def test_the_document_is_the_same_whoever_reads_it_and_whatever_was_done() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    before = await bridge.read("ui://coffee/screen.html")
    await bridge.call("coffee_order", {"drink": "latte"})
    assert await bridge.read("ui://coffee/screen.html") == before


def test_a_machine_without_an_id_has_one_too() -> None:
    assert screen_uri(None) == "ui://fsmvoice/screen.html"
    assert screen_uri("進行中") == "ui://fsmvoice/screen.html"
    assert screen_uri("my shop/2") == "ui://my-shop-2/screen.html"


def test_who_wants_no_screen_has_none() -> None:
    bridge = create_fsm_mcp_bridge(Coffee, screen=False)
    assert all(not tool.meta for tool in bridge.tools)
    assert all(not resource.uri.startswith("ui:") for resource in bridge.resources)


async def test_a_reply_has_a_screen_that_says_what_it_says_and_none_in_its_facts() -> None:
    reply = await create_fsm_mcp_bridge(Coffee).call("coffee_order", {"drink": "latte"})
    assert reply.screen is not None
    shown = reply.screen()
    assert shown["say"] == reply.text
    assert [action["tool"] for action in shown["actions"]] == ["coffee_confirm", "coffee_cancel"]
    assert "screen" not in reply.structured
    assert "4111" not in str(shown)


async def test_a_refusal_has_the_screen_as_it_is() -> None:
    reply = await create_fsm_mcp_bridge(Coffee).call("coffee_order", {"drink": "mocha"})
    assert reply.is_error
    assert reply.screen is not None
    assert reply.screen()["value"] == "idle"
    assert reply.screen()["say"] == reply.text


async def test_tools_with_names_of_their_own_are_those_of_the_buttons() -> None:
    bridge = create_fsm_mcp_bridge(Coffee, tool_name=lambda event: f"do-{event.lower()}")
    reply = await bridge.call("coffee_status")
    assert reply.screen is not None
    assert [action["tool"] for action in reply.screen()["actions"]] == ["do-order"]


async def test_a_session_that_is_not_there_has_no_screen() -> None:
    reply = await create_fsm_mcp_bridge(Coffee, handles=True).call("coffee_status", {"session": "nobody"})
    assert reply.screen is None


def test_a_machine_of_ones_own_and_its_bridge_show_the_same() -> None:
    machine: VoiceMachine = Coffee()
    assert [action.tool for action in screen(machine.snapshot).actions] == ["coffee_order"]
