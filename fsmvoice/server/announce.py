"""The text that a server prints when it starts: its address, its tools, its sessions and how to try it."""

from __future__ import annotations

import json
import shlex
import textwrap
from collections.abc import Mapping
from typing import Any

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.bridge.spec import ToolSpec
from fsmvoice.server.http import SharedOrNot
from fsmvoice.server.protocol import server_name

INSPECTOR = "npx -y -p node@22 -p @modelcontextprotocol/inspector@2.12 mcp-inspector"
WIDTH = 110
"""Characters of a line."""
_SHARED = "All callers share one conversation (--sessions per-client gives each connection its own)."
_PER_CLIENT = (
    "Each connection has a conversation of its own; clients of protocol 2026-07-28, which has none, share one."
)
_SIGNED_IN = " --header 'Authorization: Bearer TOKEN'"


def announcement(
    bridge: FsmMcpBridge,
    url: str,
    *,
    sessions: SharedOrNot,
    in_memory: bool,
    beyond: bool = False,
    page: str | None = None,
    issuer: str | None = None,
) -> str:
    """The text for a server at `url`.

    Args:
        in_memory: whether the sessions end with the process.
        beyond: whether other computers can reach it without signing in.
        page: the URL of its page, if any.
        issuer: the authorization server at which users sign in, if they must.
    """
    shared = _SHARED if sessions == "shared" else _PER_CLIENT
    if issuer is not None:
        shared = f"Each user has a conversation of their own, and signs in at {issuer}."
    kept = "They are kept in a store and outlive this process."
    if in_memory:
        kept = "They are kept in memory and end with this process; --store sqlite:///sessions.db keeps them."
    warning = ["Warning:   other computers can call these tools without signing in."] if beyond else []
    seen = [f"See it:    {page} shows the conversation, to watch and to tap (--no-ui turns it off)."] if page else []
    lines = [
        f"{server_name(bridge)} speaks MCP at {url}",
        "",
        *_tools(bridge),
        "",
        f"Sessions:  {shared}",
        f"           {kept}",
        *warning,
        *seen,
        f"Try it:    {inspector_command(bridge, url)}{_SIGNED_IN if issuer else ''}",
        "Stop with Ctrl-C.",
        "",
    ]
    return "\n".join(lines)


def url_of(host: str, port: int, path: str) -> str:
    """The URL for clients on this computer."""
    reached = "127.0.0.1" if host in ("0.0.0.0", "") else "::1" if host == "::" else host  # noqa: S104 - compared, not bound
    return f"http://{f'[{reached}]' if ':' in reached and not reached.startswith('[') else reached}:{port}{path}"


def inspector_command(bridge: FsmMcpBridge, url: str) -> str:
    """A command that calls the first tool with valid example arguments."""
    tool = bridge.tools[0]
    call = f"{INSPECTOR} --cli {url} --transport http --method tools/call --tool-name {tool.name}"
    arguments = example_arguments(tool.input_schema)
    return f"{call} --tool-args-json {shlex.quote(json.dumps(arguments, ensure_ascii=False))}" if arguments else call


def example_arguments(schema: Mapping[str, Any]) -> dict[str, Any]:
    """An example value for each required argument of a tool's input schema."""
    properties: Mapping[str, Any] = schema.get("properties", {})
    return {name: _example(properties.get(name, {}), schema) for name in schema.get("required", [])}


def _example(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    if "$ref" in schema:
        return _example(root.get("$defs", {}).get(str(schema["$ref"]).rpartition("/")[2], {}), root)
    for key in ("examples", "enum"):
        if schema.get(key):
            return schema[key][0]
    if "const" in schema:
        return schema["const"]
    if schema.get("anyOf"):
        return _example(schema["anyOf"][0], root)
    if schema.get("type") == "object":
        nested: Mapping[str, Any] = schema.get("properties", {})
        return {name: _example(nested.get(name, {}), root) for name in schema.get("required", [])}
    number = schema.get("minimum", 1)
    simple: dict[str, Any] = {"integer": number, "number": number, "boolean": True, "array": []}
    return simple.get(str(schema.get("type")), "text")


def _tools(bridge: FsmMcpBridge) -> list[str]:
    width = min(max(len(tool.name) for tool in bridge.tools), 40)
    return [line for tool in bridge.tools for line in _tool(tool, width)]


def _tool(tool: ToolSpec, width: int) -> list[str]:
    told = textwrap.wrap(" ".join(tool.description.split()), WIDTH - width - 4) or [""]
    indent = " " * (width + 4)
    head = f"  {tool.name:<{width}}  {told[0]}"
    return [head.rstrip(), *(indent + line for line in told[1:])]
