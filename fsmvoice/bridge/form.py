"""A form that asks a human for arguments, with flat fields that offer only values the machine accepts now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from fsmvoice.bridge.client import Question
from fsmvoice.model.payload import Fault, Parameter, Payload, json_value

_KEPT: Mapping[str, tuple[str, ...]] = {
    "string": ("minLength", "maxLength", "format"),
    "integer": ("minimum", "maximum"),
    "number": ("minimum", "maximum"),
    "boolean": (),
}
"""The JSON Schema keywords that MCP allows in a field of a form, besides its title and description."""
_FORMATS = ("email", "uri", "date", "date-time")


def form_for(
    text: str, payload: Payload, faults: Sequence[Fault], accepted: Mapping[str, Sequence[Any]] | None = None
) -> Question | None:
    """A form for the arguments that are missing or invalid. None if a form can't ask for all of them."""
    schema = payload.json_schema(accepted)
    fields: dict[str, Any] = {}
    for fault in faults:
        parameter = payload.parameters.get(fault.name)
        if fault.kind == "unknown" or parameter is None:
            return None
        field = _field(parameter, schema["properties"].get(fault.name, {}), (accepted or {}).get(fault.name))
        if field is None:
            return None
        fields[fault.name] = field
    if not fields:
        return None
    return Question(text, {"type": "object", "properties": fields, "required": list(fields)})


def _field(parameter: Parameter, schema: Mapping[str, Any], accepted: Sequence[Any] | None) -> dict[str, Any] | None:
    told = {key: schema[key] for key in ("title", "description") if isinstance(schema.get(key), str)}
    choices = parameter.choices if accepted is None else accepted
    if choices is not None and set(map(type, choices)) != {bool}:
        values = [json_value(choice) for choice in choices]
        if not values or not all(isinstance(value, str | int | float) for value in values):
            return None
        # The protocol's enums hold strings only; a number can be read back from its string without loss.
        return {"type": "string", **told, "enum": [str(value) for value in values]}
    plain = _without_null(schema)
    kind = str(plain.get("type"))
    if kind not in _KEPT:
        return None
    kept = {key: plain[key] for key in _KEPT[kind] if key in plain}
    if kept.get("format") not in (None, *_FORMATS):
        del kept["format"]
    return {"type": kind, **told, **_inclusive(plain, kind), **kept}


def _without_null(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The only alternative besides null in the schema of an optional parameter."""
    options = [cast("Mapping[str, Any]", option) for option in schema.get("anyOf", ()) if option != {"type": "null"}]
    return options[0] if len(options) == 1 else schema


def _inclusive(schema: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """The exclusive bounds of an integer as inclusive ones, the only kind that a form may have."""
    if kind != "integer":
        return {}
    found: dict[str, Any] = {}
    if "exclusiveMinimum" in schema:
        found["minimum"] = schema["exclusiveMinimum"] + 1
    if "exclusiveMaximum" in schema:
        found["maximum"] = schema["exclusiveMaximum"] - 1
    return found
