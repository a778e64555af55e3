"""The structured results of calls, and states as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from pydantic_core import to_json

from fsmvoice.bridge.spec import ToolReply
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import ReasonCode
from fsmvoice.model.shapes import is_list, is_object
from fsmvoice.screen.screen import screen
from fsmvoice.voice.offers import Offer, closed_says

MAX_CONTEXT = 8 * 1024
"""Bytes of context in one result, at most."""

_TEXT = {"type": "string"}
_STATE = {
    "type": "object",
    "description": "Where the conversation stands.",
    "properties": {
        "value": {"anyOf": [{"type": "string"}, {"type": "object"}]},
        "context": {"type": "object"},
        "availableEvents": {"type": "array", "items": _TEXT},
        "blockedEvents": {
            "type": "array",
            "items": {"type": "object", "properties": {"event": _TEXT, "reason": _TEXT, "say": _TEXT}},
        },
        "done": {"type": "boolean"},
        "output": {
            "anyOf": [{"type": kind} for kind in ("object", "array", "string", "number", "boolean", "null")],
            "description": "What a finished conversation came to.",
        },
        "revision": {"type": "integer"},
        "truncated": {"type": "boolean", "description": "Whether fields of the context were too long to be shown."},
    },
}
OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "ok": {"type": "boolean", "description": "Whether it was done."},
        "say": {"type": "string", "description": "What to say to the user."},
        "reason": {"type": "string", "description": "Why it was not done, as a code."},
        "changed": {"type": "boolean", "description": "Whether anything changed."},
        "replayed": {"type": "boolean", "description": "Whether this repeats the result of an earlier call."},
        "state": _STATE,
        "actions": {
            "type": "array",
            "description": "What can be done now, and with which tool.",
            "items": {"type": "object", "properties": {"event": _TEXT, "label": _TEXT, "tool": _TEXT}},
        },
        "question": {"type": "string", "description": "What the user must say yes to before it is done."},
        "confirm_token": {
            "type": "string",
            "description": "To be given with the same call again, once the user has said yes to the question.",
        },
        "session": {"type": "string", "description": "The session to give with the next call."},
        "screen": {"type": "object", "description": "What a screen shows, for clients that show screens."},
    },
    "required": ["ok", "say"],
}
"""Only the fields of every result are required: a client validates failures too, and a lost session has no state."""


def state_json(snapshot: Snapshot[Any], locale: str | None = None) -> dict[str, Any]:
    """The state of a session as it appears in every result and in the state resource. A long context is cut.

    Args:
        locale: the language in which blocked events say why; the machine's own by default.
    """
    state = snapshot.to_dict()
    if locale is not None and state["blockedEvents"]:
        said = closed_says(snapshot, locale)
        state["blockedEvents"] = [{**blocked, "say": said[blocked["event"]]} for blocked in state["blockedEvents"]]
    context = cast("Mapping[str, Any]", state["context"])
    try:
        text = to_json(context, inf_nan_mode="null")
    except ValueError:
        context = state["context"] = _plain(context)
        text = to_json(context)
    if len(text) > MAX_CONTEXT:
        state["context"], state["truncated"] = _cut(context), True
    return state


def json_text(value: object) -> str:
    """`value` as JSON that every reader accepts: NaN becomes null, and lone surrogates are escaped."""
    try:
        return to_json(value, inf_nan_mode="null").decode()
    except ValueError:
        return json.dumps(value)


def _plain(value: Any) -> Any:
    """`value` without lone surrogates, which an SDK can't write."""
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if is_object(value):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if is_list(value):
        return [_plain(item) for item in value]
    return value


def _cut(context: Mapping[str, Any]) -> dict[str, Any]:
    """As many whole fields as fit. A field that is too long on its own doesn't push out those after it."""
    kept: dict[str, Any] = {}
    room = MAX_CONTEXT
    for name, value in context.items():
        size = len(json_text({name: value}).encode())
        if size <= room:
            kept[name] = value
            room -= size
    return kept


def reply(
    say: str,
    *,
    reason: ReasonCode | None = None,
    changed: bool = False,
    replayed: bool = False,
    snapshot: Snapshot[Any] | None = None,
    offered: Sequence[Offer] = (),
    tools: Mapping[str, str] | None = None,
    session: str | None = None,
    locale: str | None = None,
    more: Mapping[str, Any] | None = None,
) -> ToolReply:
    """A reply whose text and data say the same. With a `reason` it is a refusal.

    A replayed reply repeats the earlier words with the current facts; nothing changed this time. `more` holds fields
    that few replies have, and `locale` is the language of the screen.
    """
    structured: dict[str, Any] = {"ok": reason is None, "say": say}
    if reason is not None:
        structured["reason"] = reason
    structured["changed"] = changed
    if replayed:
        structured["replayed"] = True
    if snapshot is not None:
        names = tools or {}
        structured["state"] = state_json(snapshot, locale)
        structured["actions"] = [
            {"event": offer.event, "label": offer.label, "tool": names[offer.event]}
            for offer in offered
            if offer.verdict.possible
        ]
    if more is not None:
        structured.update(more)
    if session is not None:
        structured["session"] = session
    if snapshot is None:
        return ToolReply(say, structured, reason is not None)
    return ToolReply(say, structured, reason is not None, partial(_screen, snapshot, locale, say, tools, offered))


def _screen(
    snapshot: Snapshot[Any], locale: str | None, say: str, tools: Mapping[str, str] | None, offered: Sequence[Offer]
) -> dict[str, Any]:
    return screen(snapshot, locale, say=say, tools=tools, offered=offered).to_dict()
