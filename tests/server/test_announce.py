"""What a server says when it starts."""

from __future__ import annotations

from typing import Any

import pytest

from examples.coffee import Coffee
from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.server.announce import announcement, example_arguments, url_of

URL = "http://127.0.0.1:3100/mcp"


def test_it_names_the_endpoint_the_tools_and_a_command_to_try() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    text = announcement(bridge, URL, sessions="shared", in_memory=True)
    lines = text.splitlines()
    assert lines[0] == f"coffee speaks MCP at {URL}"
    for tool in bridge.tools:
        assert any(line.strip().startswith(f"{tool.name} ") for line in lines)
    assert "Order a drink." in text
    assert (
        "npx -y -p node@22 -p @modelcontextprotocol/inspector@2.12 mcp-inspector --cli http://127.0.0.1:3100/mcp "
        '--transport http --method tools/call --tool-name coffee_order --tool-args-json \'{"drink": "latte"}\''
    ) in text


def test_it_says_who_shares_a_conversation_and_where_it_is_kept() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    shared = announcement(bridge, URL, sessions="shared", in_memory=True)
    assert "All callers share one conversation" in shared
    assert "kept in memory" in shared
    assert "Each connection" in announcement(bridge, URL, sessions="per-client", in_memory=True)


def test_it_names_the_page_where_there_is_one() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    told = announcement(bridge, URL, sessions="shared", in_memory=True, page="http://127.0.0.1:3100/")
    assert "http://127.0.0.1:3100/ shows the conversation, to watch and to tap (--no-ui turns it off)." in told
    assert "--no-ui" not in announcement(bridge, URL, sessions="shared", in_memory=True)


def test_it_warns_of_a_server_that_others_reach() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    assert "can call these tools without signing in" in announcement(
        bridge, URL, sessions="shared", in_memory=True, beyond=True
    )


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string", "enum": ["a", "b"]}, "a"),
        ({"type": "string", "examples": ["x"]}, "x"),
        ({"type": "string"}, "text"),
        ({"type": "integer", "minimum": 3}, 3),
        ({"type": "boolean"}, True),
        ({"type": "array"}, []),
        ({"const": 7}, 7),
        ({"$ref": "#/$defs/Size"}, "small"),
        ({"anyOf": [{"type": "number"}, {"type": "null"}]}, 1),
        ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, {"a": "text"}),
    ],
)
def test_the_command_has_a_value_for_each_required_argument(schema: dict[str, Any], value: object) -> None:
    root = {
        "properties": {"it": schema, "other": {"type": "string"}},
        "required": ["it"],
        "$defs": {"Size": {"enum": ["small"]}},
    }
    assert example_arguments(root) == {"it": value}


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:1/mcp"),
        ("0.0.0.0", "http://127.0.0.1:1/mcp"),
        ("::1", "http://[::1]:1/mcp"),
        ("::", "http://[::1]:1/mcp"),
        ("localhost", "http://localhost:1/mcp"),
    ],
)
def test_the_endpoint_is_one_that_a_client_here_reaches(host: str, url: str) -> None:
    assert url_of(host, 1, "/mcp") == url
