"""The tools of a machine: one for each spoken event, and the bridge's own. They don't vary with the state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from pydantic.errors import PydanticUserError
from pydantic_core import PydanticSerializationError

from fsmvoice.bridge.calls import Calls
from fsmvoice.bridge.descriptions import description_of, states_of, title_of
from fsmvoice.bridge.result import OUTPUT_SCHEMA
from fsmvoice.bridge.spec import ToolHandler, ToolSpec
from fsmvoice.errors import DefinitionError, Problem
from fsmvoice.machine.payload import RESERVED_PARAMETERS
from fsmvoice.model.chart import Chart
from fsmvoice.model.naming import own_tool_name, tool_names
from fsmvoice.model.payload import Payload
from fsmvoice.voice import texts
from fsmvoice.voice.phrases.phrases import Phrases
from fsmvoice.voice.values import words

_SESSION: Mapping[str, Any] = {
    "type": "string",
    "description": "Which conversation this is for: the session that opening one gave. Without it, the caller's own.",
}

_REQUEST_ID: Mapping[str, Any] = {
    "type": "string",
    "description": "Any id of your own for this request. Sent again with the same one, it is done only once.",
}

_CONFIRM_TOKEN: Mapping[str, Any] = {
    "type": "string",
    "description": (
        "Leave it out at first: the result asks the user a question, and holds a token. Only when the user has said "
        "yes to that question, give the token here and call again with the same arguments."
    ),
}

_NO_SCHEMA = (PydanticUserError, PydanticSerializationError)


def spoken_tools(chart: Chart, namer: Callable[[str], str] | None = None) -> dict[str, str]:
    """The tool name of each spoken event, in declaration order.

    Raises:
        DefinitionError: if two events get the same name, or one has a parameter with the name of the bridge's own.
    """
    events = [event for event in chart.events if texts.is_spoken(chart, event)]
    names, problems = tool_names(chart.config.id, events, namer)
    for event in events:
        payload = chart.behaviour.payloads.get(event)
        problems += [
            Problem(f"event {event!r}", f"can't have a parameter {name!r}", f"{use}; rename it")
            for name, use in RESERVED_PARAMETERS.items()
            if payload is not None and name in payload.parameters
        ]
    if problems:
        raise DefinitionError(chart.name, problems)
    return names


def build_tools(
    chart: Chart,
    calls: Calls,
    names: Mapping[str, str],
    phrases: Phrases,
    *,
    describe: Callable[[str, Sequence[str]], str] | None = None,
    handles: bool = False,
) -> tuple[ToolSpec, ...]:
    """The tools in fixed order: events as declared, then status, start over and, with handles, start session.

    Raises:
        DefinitionError: if the type of a parameter has no JSON Schema, or `describe` returns no string.
    """
    session = session_argument(handles=handles)
    found: list[ToolSpec] = []
    for event, name in names.items():
        told = _described(chart, event, describe) or description_of(chart, event, phrases)
        schema = _event_schema(chart, event)
        once = {"request_id": dict(_REQUEST_ID)} if texts.is_irreversible(chart, event) else {}
        asked = {"confirm_token": dict(_CONFIRM_TOKEN)} if texts.confirm(chart, event) is not None else {}
        schema["properties"] = {**schema["properties"], **once, **asked, **session}
        hints = _hints(destructive=texts.event_meta(chart.config, event).get("destructive") is True)
        title, handler = title_of(chart, event), partial(calls.event, event)
        found.append(ToolSpec(name, title, told, schema, OUTPUT_SCHEMA, hints, handler, event))

    def own(tool: str, told: tuple[str, str], hints: Mapping[str, bool], handler: ToolHandler) -> None:
        takes = {} if tool == "start_session" else session
        schema: dict[str, Any] = {"type": "object", "properties": dict(takes), "additionalProperties": False}
        name = own_tool_name(chart.config.id, tool)
        found.append(ToolSpec(name, told[0], told[1], schema, OUTPUT_SCHEMA, hints, handler))

    subject = phrases.subject(words(chart.config.id) if chart.config.id else "")
    own("status", phrases.tool_status(subject), _hints(read_only=True, idempotent=True), calls.status)
    own("start_over", phrases.tool_start_over(subject), _hints(destructive=True), calls.start_over)
    if handles:
        own("start_session", phrases.tool_start_session(subject), _hints(), calls.start_session)
    return tuple(found)


def session_argument(*, handles: bool) -> dict[str, Any]:
    """The argument `session` with its schema, as properties of an input schema; none without handles."""
    return {"session": dict(_SESSION)} if handles else {}


def _described(chart: Chart, event: str, describe: Callable[[str, Sequence[str]], str] | None) -> str:
    """The description that the user's own function gives a tool, '' if none."""
    told: object = "" if describe is None else describe(event, states_of(chart, event))
    if not isinstance(told, str):  # pyright: ignore[reportUnnecessaryIsInstance] - the function is a user's, who may not check types
        message = f"got {type(told).__name__} from describe_tool"
        raise DefinitionError(chart.name, [Problem(f"event {event!r}", message, "it should return a string")])
    return told.strip()


def _event_schema(chart: Chart, event: str) -> dict[str, Any]:
    payload = chart.behaviour.payloads.get(event)
    if payload is None:
        return {"type": "object", "properties": {}, "additionalProperties": True}
    try:
        return payload.json_schema()
    except _NO_SCHEMA:
        raise DefinitionError(chart.name, list(_unspeakable(payload))) from None


def _unspeakable(payload: Payload) -> Iterator[Problem]:
    """A problem for each parameter whose type has no JSON Schema."""
    hint = "use a type that JSON can express: str, int, float, bool, a Literal, a list or a model"
    for parameter in payload.parameters.values():
        try:
            Payload(payload.event, [parameter]).json_schema()
        except _NO_SCHEMA:
            kind = getattr(parameter.annotation, "__name__", None) or str(parameter.annotation)
            message = f"has a parameter {parameter.name!r} of type {kind}, which JSON can't express"
            yield Problem(f"event {payload.event!r}", message, hint)


def _hints(*, read_only: bool = False, destructive: bool = False, idempotent: bool = False) -> Mapping[str, bool]:
    return {
        "readOnlyHint": read_only,
        "destructiveHint": destructive,
        "idempotentHint": idempotent,
        "openWorldHint": False,
    }
