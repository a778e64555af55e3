"""Adds the tools, resources and prompts of bridges to an existing MCP server."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterable
from typing import Any, cast

from mcp.server.mcpserver import MCPServer

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.errors import DefinitionError, Problem
from fsmvoice.server.beside import Beside
from fsmvoice.server.caller import caller_of
from fsmvoice.server.on_fastmcp import add_to_fastmcp, answer_beside_fastmcp, caller_on_fastmcp
from fsmvoice.server.on_mcpserver import add_to_mcpserver, answer_beside_mcpserver, own_names
from fsmvoice.sessions.keys import CallContext


class _Guests:
    """The bridges on one server, and the requests that they answer together."""

    def __init__(self) -> None:
        self.bridges: list[FsmMcpBridge] = []
        self.beside = Beside()


_guests: weakref.WeakKeyDictionary[Any, _Guests] = weakref.WeakKeyDictionary()


def register_fsm_mcp_bridge(server: Any, bridge: FsmMcpBridge, *, per_client: bool = False) -> None:
    """Add a bridge to an `mcp.server.MCPServer`, or to a `FastMCP` of the package fastmcp 4.

    Call it once for each bridge. Tools, resources, the prompt, completions and change notifications are added. A
    refusal is an error result of the call; an unknown resource is reported by that package's own error.

    Args:
        per_client: whether each connection has a session of its own, if the protocol has connections.

    Raises:
        DefinitionError: if the server already has a tool, resource or prompt of the same name.
        TypeError: if the server is of another kind.
    """
    whose: Callable[..., CallContext]
    if isinstance(server, MCPServer):
        add, answer, whose = add_to_mcpserver, answer_beside_mcpserver, caller_of
        taken = own_names(cast("Any", server))
    elif _is_fastmcp(server):
        add, answer, whose = add_to_fastmcp, answer_beside_fastmcp, caller_on_fastmcp
        taken = frozenset[tuple[str, str]]()
    else:
        raise TypeError(
            f"can't add to a {type(server).__module__}.{type(server).__qualname__}; give an mcp.server.MCPServer or a "
            "fastmcp.FastMCP. To serve the bridge by itself, use serve(), asgi() or mcp_server()"
        )
    guests = _guests.get(server) or _Guests()
    problems = [*_clashes(bridge, guests.bridges), *_hidden(bridge, taken)]
    if problems:
        raise DefinitionError(f"the bridge of {bridge.chart.name} on this server", problems)
    add(cast("Any", server), bridge, per_client=per_client)
    if not guests.bridges:
        answer(cast("Any", server), guests.beside)
        _guests[server] = guests
    guests.bridges.append(bridge)

    def caller(ctx: Any) -> CallContext:
        return whose(ctx, per_client=per_client)

    guests.beside.add(bridge, caller)


def _clashes(bridge: FsmMcpBridge, there: Iterable[FsmMcpBridge]) -> list[Problem]:
    """The names that `bridge` shares with bridges already on the server."""
    problems: list[Problem] = []
    for other in there:
        uris = {resource.uri for resource in other.resources}
        names = {tool.name for tool in other.tools}
        mine = [resource.uri for resource in bridge.resources if resource.uri in uris]
        if mine:
            message = f"the bridge of {other.chart.name} on this server has {', '.join(mine)} too"
            hint = f"give one of them a URI of its own: state_resource_uri='fsm://{bridge.machine_id or 'other'}/state'"
            problems.append(Problem("resources", message, hint))
        double = [tool.name for tool in bridge.tools if tool.name in names]
        if double:
            message = f"the bridge of {other.chart.name} on this server has {', '.join(double)} too"
            problems.append(Problem("tools", message, "give each machine an id of its own"))
    return problems


def _hidden(bridge: FsmMcpBridge, taken: frozenset[tuple[str, str]]) -> list[Problem]:
    ours = [*(("tool", tool.name) for tool in bridge.tools), *(("prompt", prompt.name) for prompt in bridge.prompts)]
    return [
        Problem(f"{kind} {name!r}", f"the server has a {kind} of that name", "rename one, or use tool_name=")
        for kind, name in ours
        if (kind, name) in taken
    ]


def _is_fastmcp(server: object) -> bool:
    """Whether it is a FastMCP. The package isn't imported for this: whoever has an instance has imported it."""
    module = sys.modules.get("fastmcp")
    return module is not None and isinstance(server, module.FastMCP)
