"""Names derived from event names: tool names that every MCP host accepts, and spoken labels."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable

from fsmvoice.errors import Problem

MAX_TOOL_NAME = 64
OWN_TOOLS = ("status", "start_over", "start_session")
"""The bridge's own tools. An event's tool may not have one of these names."""


def snake_case(name: str) -> str:
    """Split camelCase, replace runs of other characters by `_`, and lower the case, as fsm-voice-mcp does."""
    split = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    return re.sub(r"[^a-zA-Z0-9]+", "_", split).lower()


def tool_name(machine_id: str | None, event: str) -> str:
    """The tool name of `event`, such as `coffee_order`.

    A name that is truncated, or has no letters or digits of the event, ends in a hash of the event.
    """
    prefix = re.sub(r"[^a-zA-Z0-9_-]+", "_", machine_id) + "_" if machine_id else ""
    return host_safe(prefix + snake_case(event), event, says_something=bool(snake_case(event).strip("_")))


def host_safe(name: str, event: str, *, says_something: bool = True) -> str:
    """`name` made to match `[a-zA-Z][a-zA-Z0-9_-]{0,63}`; if truncated, a hash of `event` keeps it unique."""
    safe = re.sub(r"[^a-zA-Z0-9_-]+", "_", name)
    if not safe[:1].isalpha():
        safe = f"event_{safe.lstrip('_-')}" if says_something or safe.strip("_-") else "event_"
    if says_something and len(safe) <= MAX_TOOL_NAME:
        return safe
    digest = hashlib.sha256(event.encode()).hexdigest()[:8]
    return f"{safe[: MAX_TOOL_NAME - 9].rstrip('_-')}_{digest}"


def own_tool_name(machine_id: str | None, tool: str) -> str:
    """The name of one of the bridge's own tools, such as `coffee_status`."""
    return tool_name(machine_id, tool)


def tool_names(
    machine_id: str | None, events: Iterable[str], namer: Callable[[str], str] | None = None
) -> tuple[dict[str, str], list[Problem]]:
    """The tool name of each event, and a `Problem` for each name that is taken or invalid."""
    names: dict[str, str] = {}
    problems: list[Problem] = []
    taken = {own_tool_name(machine_id, tool): f"the tool {tool!r} that every machine has" for tool in OWN_TOOLS}
    for event in events:
        given: object = tool_name(machine_id, event) if namer is None else namer(event)
        if not isinstance(given, str):  # pyright: ignore[reportUnnecessaryIsInstance] - a user's function
            told = f"got {type(given).__name__} from tool_name for its tool"
            problems.append(Problem(f"event {event!r}", told, "it should return a string"))
            continue
        name = given if namer is None else host_safe(given, event)
        if name in taken:
            problems.append(
                Problem(f"event {event!r}", f"makes the tool name {name!r}, as does {taken[name]}", "rename one")
            )
        taken.setdefault(name, f"the event {event!r}")
        names[event] = name
    return names, problems


def label_of(event: str) -> str:
    """The default spoken label of an event: "add item" for `ADD_ITEM` and `addItem`."""
    camel = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
    split = event if event.isupper() else re.sub(camel, " ", event)
    return " ".join(re.sub(r"[\W_]+", " ", split).lower().split()) or "go on"
