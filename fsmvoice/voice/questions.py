"""Asking for an argument that is missing or does not fit: a question that names only what would be accepted now."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, cast

from fsmvoice.model.payload import Fault, Parameter, Payload
from fsmvoice.voice.phrases.phrases import Phrases, ValueKind
from fsmvoice.voice.values import clean, spoken, words

MAX_CHOICES = 7
"""So many values can be listened to; of more, a few are named as examples."""
EXAMPLES = 3
MAX_ECHO = 30
"""A wrong value no longer than this is said back."""

Accepted = Mapping[str, Sequence[Any]]

_FORMATS: Mapping[str, ValueKind] = {"date": "date", "date-time": "date", "time": "time"}
_TYPES: Mapping[str, ValueKind] = {
    "integer": "integer",
    "number": "number",
    "array": "list",
    "object": "details",
}


def question(phrases: Phrases, payload: Payload, parameter: Parameter, accepted: Accepted | None = None) -> str:
    """Ask for `parameter`."""
    name = words(parameter.name)
    choices = (accepted or {}).get(parameter.name)
    if choices is None:
        choices = parameter.choices
    if choices is not None and set(map(type, choices)) == {bool} and len(choices) == 2:
        return phrases.whether(name)
    said = [word for word in (spoken(choice, phrases) for choice in choices or ()) if word]
    if said:
        if len(said) <= MAX_CHOICES:
            return phrases.which(name, said)
        return phrases.which_of_many(name, said[:EXAMPLES])
    schema = cast("Mapping[str, Any]", payload.json_schema()["properties"].get(parameter.name, {}))
    kind = _FORMATS.get(str(schema.get("format"))) or _TYPES.get(str(schema.get("type")), "text")
    low, high = _bounds(schema) if kind in ("integer", "number") else _lengths(schema)
    return phrases.what(name, kind, spoken(low, phrases), spoken(high, phrases))


def _lengths(schema: Mapping[str, Any]) -> tuple[Any, Any]:
    """How short and how long a text or a list may be; that it may not be empty goes without saying."""
    of = {"string": "Length", "array": "Items"}.get(str(schema.get("type")), "")
    low, high = (schema.get(f"min{of}"), schema.get(f"max{of}")) if of else (None, None)
    return low if low and low > 1 else None, high


def _bounds(schema: Mapping[str, Any]) -> tuple[Any, Any]:
    whole = schema.get("type") == "integer"
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None and whole and "exclusiveMinimum" in schema:
        low = schema["exclusiveMinimum"] + 1
    if high is None and whole and "exclusiveMaximum" in schema:
        high = schema["exclusiveMaximum"] - 1
    return low, high


def ask(
    phrases: Phrases, payload: Payload, faults: Sequence[Fault], label: str, accepted: Accepted | None = None
) -> str:
    """What to say about arguments that do not fit: about the first fault, and at most one more.

    A misspelt name comes before what is missing, because it is often the same thing.
    """
    unknown = [fault for fault in faults if fault.kind == "unknown"]
    known = [fault for fault in faults if fault.kind != "unknown" and fault.name in payload.parameters]
    if unknown:
        return _unknown(phrases, payload, unknown[0], label)
    if not known:
        return phrases.failed("invalid-arguments")
    first, second = known[0], known[1] if len(known) > 1 else None
    parts: list[str] = []
    name = words(first.name)
    if first.kind == "bad":
        parts.append(_complaint(phrases, payload, payload.parameters[first.name], first))
    if second is not None:
        more = words(second.name)
        both_missing = first.kind == second.kind == "missing"
        parts.append(phrases.also_needed(name, more) if both_missing else phrases.also_wrong(more))
    parts.append(question(phrases, payload, payload.parameters[first.name], accepted))
    return " ".join(parts)


def _complaint(phrases: Phrases, payload: Payload, parameter: Parameter, fault: Fault) -> str:
    value = fault.value
    low, high = _lengths(payload.json_schema()["properties"].get(parameter.name, {}))
    if isinstance(value, str | list) and parameter.choices is None:
        length = len(cast("Sequence[Any]", value))
        if high is not None and length > high:
            return phrases.too_long(words(parameter.name))
        if low is not None and length < low:
            return phrases.too_short(words(parameter.name))
    echo = clean(value, MAX_ECHO) if isinstance(value, str) and len(value) <= MAX_ECHO else ""
    if parameter.choices is not None and echo and any(char.isalnum() for char in echo):
        return phrases.not_a_choice(echo)
    number = spoken(value, phrases) if isinstance(value, int | float) and not isinstance(value, bool) else None
    if number is not None and len(number) <= MAX_ECHO and parameter.choices is None:
        return phrases.not_possible(number)
    return phrases.not_understood(words(parameter.name))


def _unknown(phrases: Phrases, payload: Payload, fault: Fault, label: str) -> str:
    name = clean(fault.name, MAX_ECHO) or "?"
    spoken_names = [words(parameter) for parameter in payload.parameters]
    close = difflib.get_close_matches(words(fault.name), spoken_names, n=1, cutoff=0.6)
    return phrases.unknown_detail(name.lower(), close[0] if close else None, spoken_names[:EXAMPLES], label)
