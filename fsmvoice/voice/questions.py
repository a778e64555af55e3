"""Questions for missing or invalid arguments. They name only values that would be accepted now."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, cast

from fsmvoice.model.payload import Fault, Parameter, Payload
from fsmvoice.voice.phrases.phrases import Phrases, ValueKind
from fsmvoice.voice.values import clean, spoken, words
from fsmvoice.voice.wording import Wording

MAX_CHOICES = 7
"""The most values that a question lists; of more, a few are named as examples."""
EXAMPLES = 3
MAX_ECHO = 30
"""The longest wrong value, in characters, that is repeated to the user."""

Accepted = Mapping[str, Sequence[Any]]


class Asking:
    """The wording of questions: the framework's phrases, and a machine's names and values."""

    phrases: Phrases

    def __init__(self, phrases: Phrases, wording: Wording | None = None) -> None:
        self.phrases, self._wording = phrases, wording

    def name(self, parameter: Parameter) -> str:
        """The spoken name of a parameter."""
        return words(parameter.name) if self._wording is None else self._wording.name(parameter)

    def values(self, name: str, values: Sequence[Any]) -> list[str]:
        """The spoken forms of a parameter's values, without those that have none."""
        said = [value if self._wording is None else self._wording.prepared(name, value) for value in values]
        return [word for word in (spoken(value, self.phrases) for value in said) if word]


_FORMATS: Mapping[str, ValueKind] = {"date": "date", "date-time": "date", "time": "time"}
_TYPES: Mapping[str, ValueKind] = {
    "integer": "integer",
    "number": "number",
    "array": "list",
    "object": "details",
}


def question(asking: Asking, payload: Payload, parameter: Parameter, accepted: Accepted | None = None) -> str:
    """The question that asks for `parameter`."""
    phrases, name = asking.phrases, asking.name(parameter)
    choices = (accepted or {}).get(parameter.name)
    if choices is None:
        choices = parameter.choices
    if choices is not None and set(map(type, choices)) == {bool} and len(choices) == 2:
        return phrases.whether(name)
    said = asking.values(parameter.name, tuple(choices or ()))
    if said:
        if len(said) <= MAX_CHOICES:
            return phrases.which(name, said)
        return phrases.which_of_many(name, said[:EXAMPLES])
    schema = cast("Mapping[str, Any]", payload.json_schema()["properties"].get(parameter.name, {}))
    kind = _FORMATS.get(str(schema.get("format"))) or _TYPES.get(str(schema.get("type")), "text")
    low, high = _bounds(schema) if kind in ("integer", "number") else _lengths(schema)
    return phrases.what(name, kind, spoken(low, phrases), spoken(high, phrases))


def _lengths(schema: Mapping[str, Any]) -> tuple[Any, Any]:
    """The length limits of a text or a list. A minimum of 1 is not worth saying, so it is None."""
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


def ask(asking: Asking, payload: Payload, faults: Sequence[Fault], label: str, accepted: Accepted | None = None) -> str:
    """What to say about invalid arguments: the first fault, and at most one more.

    An unknown name comes before a missing argument, because it is often a misspelling of that.
    """
    unknown = [fault for fault in faults if fault.kind == "unknown"]
    known = [fault for fault in faults if fault.kind != "unknown" and fault.name in payload.parameters]
    phrases = asking.phrases
    if unknown:
        return _unknown(asking, payload, unknown[0], label)
    if not known:
        return phrases.failed("invalid-arguments")
    first, second = known[0], known[1] if len(known) > 1 else None
    parts: list[str] = []
    name = asking.name(payload.parameters[first.name])
    if first.kind == "bad":
        parts.append(_complaint(asking, payload, payload.parameters[first.name], first))
    if second is not None:
        more = asking.name(payload.parameters[second.name])
        both_missing = first.kind == second.kind == "missing"
        parts.append(phrases.also_needed(name, more) if both_missing else phrases.also_wrong(more))
    parts.append(question(asking, payload, payload.parameters[first.name], accepted))
    return phrases.joined(parts)


def _complaint(asking: Asking, payload: Payload, parameter: Parameter, fault: Fault) -> str:
    phrases, value = asking.phrases, fault.value
    low, high = _lengths(payload.json_schema()["properties"].get(parameter.name, {}))
    if isinstance(value, str | list) and parameter.choices is None:
        length = len(cast("Sequence[Any]", value))
        if high is not None and length > high:
            return phrases.too_long(asking.name(parameter))
        if low is not None and length < low:
            return phrases.too_short(asking.name(parameter))
    echo = clean(value, MAX_ECHO) if isinstance(value, str) and len(value) <= MAX_ECHO else ""
    if parameter.choices is not None and echo and any(char.isalnum() for char in echo):
        return phrases.not_a_choice(echo)
    number = spoken(value, phrases) if isinstance(value, int | float) and not isinstance(value, bool) else None
    if number is not None and len(number) <= MAX_ECHO and parameter.choices is None:
        return phrases.not_possible(number)
    return phrases.not_understood(asking.name(parameter))


def _unknown(asking: Asking, payload: Payload, fault: Fault, label: str) -> str:
    name = clean(fault.name, MAX_ECHO) or "?"
    names = {words(name): asking.name(parameter) for name, parameter in payload.parameters.items()}
    close = difflib.get_close_matches(words(fault.name), names, n=1, cutoff=0.6)
    known = list(names.values())[:EXAMPLES]
    return asking.phrases.unknown_detail(name.lower(), names[close[0]] if close else None, known, label)
