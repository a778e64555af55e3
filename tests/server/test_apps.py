"""MCP Apps on the wire: who asks for screens gets them, in both protocol eras, and nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from mcp import Client
from mcp.client.extension import ClientExtension
from mcp.server.mcpserver import MCPServer

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server import mcp_server, register_fsm_mcp_bridge
from tests.bridge.machines import Coffee
from tests.server.running import BOTH_ERAS, Mode, facts_of


class Apps(ClientExtension):
    identifier = "io.modelcontextprotocol/ui"

    def __init__(self, *mime_types: str) -> None:
        self._mime_types = list(mime_types)

    def settings(self) -> dict[str, Any]:
        return {"mimeTypes": self._mime_types}


APP = "text/html;profile=mcp-app"
both_eras = pytest.mark.parametrize("mode", BOTH_ERAS)


def servers() -> list[Any]:
    beside: MCPServer[Any] = MCPServer("shop", log_level="ERROR")
    register_fsm_mcp_bridge(beside, create_fsm_mcp_bridge(Coffee))
    return [mcp_server(create_fsm_mcp_bridge(Coffee)), beside]


def fastmcp() -> Any:
    package = pytest.importorskip("fastmcp", reason="pip install 'fsmvoice[fastmcp]'")
    server = package.FastMCP("shop")
    register_fsm_mcp_bridge(server, create_fsm_mcp_bridge(Coffee))
    return server._mcp_server


@both_eras
@pytest.mark.parametrize("which", ["alone", "beside", "fastmcp"])
async def test_a_client_that_shows_apps_gets_screens(which: str, mode: Mode) -> None:
    server = fastmcp() if which == "fastmcp" else servers()[which == "beside"]
    async with Client(server, mode=mode, extensions=[Apps(APP)]) as client:
        screen = facts_of(await client.call_tool("coffee_status", {}))["screen"]
        assert screen["actions"][0]["tool"] == "coffee_order"
        refused = facts_of(await client.call_tool("coffee_confirm", {}))
        assert refused["screen"]["say"] == refused["say"]


@both_eras
@pytest.mark.parametrize("asking", [[], [Apps("text/html")]])
async def test_one_that_shows_none_or_others_gets_none(mode: Mode, asking: list[ClientExtension]) -> None:
    async with Client(servers()[0], mode=mode, extensions=asking) as client:
        assert "screen" not in facts_of(await client.call_tool("coffee_status", {}))


@both_eras
async def test_a_call_from_an_app_may_say_so_itself(mode: Mode) -> None:
    async with Client(servers()[0], mode=mode) as client:
        meta: Any = {"dev.fsmvoice/screen": True}
        result = await client.call_tool("coffee_status", {}, meta=meta)
        assert facts_of(result)["screen"]["title"] == "Coffee"


@both_eras
@pytest.mark.parametrize("which", ["alone", "beside", "fastmcp"])
async def test_tools_name_their_document_and_it_can_be_read(which: str, mode: Mode) -> None:
    server = fastmcp() if which == "fastmcp" else servers()[which == "beside"]
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        uris = {(tool.meta or {})["ui"]["resourceUri"] for tool in tools}
        assert uris == {"ui://coffee/screen.html"}
        listed = {str(one.uri): one for one in (await client.list_resources()).resources}
        assert listed["ui://coffee/screen.html"].mime_type == APP
        (content,) = (await client.read_resource("ui://coffee/screen.html")).contents
        assert content.mime_type == APP
        assert "<!doctype html>" in getattr(content, "text", "")


@both_eras
async def test_a_host_reads_that_the_document_needs_nothing_from_outside(mode: Mode) -> None:
    async with Client(servers()[0], mode=mode) as client:
        (content,) = (await client.read_resource("ui://coffee/screen.html")).contents
        assert (content.meta or {})["ui"]["csp"] == {}
