"""Rules about refusals, confirmations and tools."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from fsmvoice.check.finding import Found
from fsmvoice.check.rule import rule
from fsmvoice.check.subject import Subject
from fsmvoice.check.wording import at_guard
from fsmvoice.engine.configuration import Configuration
from fsmvoice.model.naming import tool_name
from fsmvoice.model.nodes import Arc
from fsmvoice.model.shapes import is_list, is_object
from fsmvoice.model.slots import slots_of
from fsmvoice.voice import texts
from fsmvoice.voice.authored import event_meta


@rule(
    "V09",
    "error",
    source="after a refusal without a reason, people don't know what to do",
    right='give the guard or forbid a reason: @guard("We are out of {drink}.")',
)
def no_reason(subject: Subject) -> Iterator[Found]:
    """A guard or forbid that can refuse an event without a reason, so that "You can't do that right now." is said."""
    told: set[object] = set()
    for standing in subject.standings:
        for event in standing.events:
            if event not in subject.spoken or subject.is_sure(standing, event):
                continue
            for arc in _silent(subject, standing, event):
                key = arc.where if arc.guard is None else arc.guard.name
                if key not in told:
                    told.add(key)
                    yield _without_reason(subject, arc, event)


def _silent(subject: Subject, standing: Configuration, event: str) -> list[Arc]:
    """The first of the arcs that may refuse an event, if none of them has a reason."""
    arcs = [arc for arc in standing.candidates(event).all() if arc.guard is not None or arc.forbids]
    if not arcs or texts.reason(subject.chart, [arc.config for arc in arcs]) is not None:
        return []
    return arcs[:1]


def _without_reason(subject: Subject, arc: Arc, event: str) -> Found:
    if arc.guard is None:
        return Found(subject.at_arc(arc), f"it forbids {event} without a reason", "a reason that can be spoken")
    spot = at_guard(subject, arc.guard.name).also(*() if not arc.source.path else (arc.source,), events=(event,))
    return Found(spot, f"it can refuse {event} without a reason", "a reason that can be spoken")


@rule(
    "V13",
    "error",
    source="speech is misheard, so what can't be undone must be confirmed first",
    right='add a confirmation: @spoken(..., confirm="Cancel your {drink}?")',
)
def unconfirmed(subject: Subject) -> Iterator[Found]:
    """An event that is destructive or irreversible, but has no confirmation."""
    for event in subject.spoken:
        meta = event_meta(subject.chart.config, event)
        what = next((word for word in ("destructive", "irreversible") if meta.get(word) is True), None)
        if what is not None and texts.confirm(subject.chart, event) is None:
            yield Found(subject.at_event(event), f"it is {what}, but not confirmed", "a question in confirm=")


@rule(
    "V14",
    "error",
    source="a misheard value is only noticed when it is read back",
    right="name the values in the question: confirm='Send {amount} to {person}?'",
)
def not_read_back(subject: Subject) -> Iterator[Found]:
    """A confirmation that does not read back a required value of the event."""
    for language in subject.languages:
        for event in subject.spoken:
            question = texts.confirm(subject.chart, event, language)
            if question is None:
                continue
            slots = {name for _, name, _ in slots_of(question)}
            needed = [it.name for it in subject.payload(event).parameters.values() if it.required]
            missing = [name for name in needed if name not in slots]
            if missing:
                message = f"the question {question!r} leaves out {' and '.join(missing)}"
                right = " ".join(f"{{{name}}}" for name in missing) + " in the question"
                spot = subject.translated(subject.at_event(event), ("events", event, "confirm"), language)
                yield Found(spot, message, right, locale=subject.told(language))


@rule(
    "V17",
    "warning",
    source="a language model fills in described parameters, and guesses others",
    right='describe it: Annotated[str, Field(description="...")]',
)
def undescribed_text(subject: Subject) -> Iterator[Found]:
    """A parameter that may be any string, or a list of strings, without a description."""
    for event in subject.spoken:
        payload = subject.payload(event)
        for parameter in payload.parameters.values():
            schema = payload.json_schema()["properties"].get(parameter.name, {})
            described = parameter.description or schema.get("description")
            if parameter.choices is None and not described and _is_any_text(schema):
                message = f"the parameter {parameter.name!r} may be any string and has no description"
                yield Found(subject.at_event(event), message, "a description")


def _is_any_text(schema: Mapping[str, Any]) -> bool:
    if schema.get("type") == "array" and is_object(schema.get("items")):
        return _is_any_text(schema["items"])
    options = schema.get("anyOf")
    if is_list(options):
        return any(is_object(option) and _is_any_text(option) for option in options)
    return schema.get("type") == "string" and not {"enum", "const", "format", "pattern"} & schema.keys()


@rule(
    "V19",
    "error",
    source="MCP hosts accept tool names of up to 64 letters, digits, _ and -",
    right="give the event or the machine's id a shorter name of letters",
)
def hashed_tool(subject: Subject) -> Iterator[Found]:
    """An event whose tool name had to be shortened or replaced by a hash, which nobody can read."""
    for event in subject.spoken:
        name = tool_name(subject.chart.id, event)
        if name.endswith(f"_{hashlib.sha256(event.encode()).hexdigest()[:8]}"):
            yield Found(subject.at_event(event), f"its tool is called {name!r}", "a shorter name of letters")
