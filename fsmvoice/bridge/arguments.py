"""Reading a call's arguments: accepted leniently, validated strictly, with faults that can be asked about."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, cast

from fsmvoice.bridge.coercion import MAX_INTEGER, NotThat, coerce
from fsmvoice.errors import ReasonCode
from fsmvoice.model.payload import Fault, InvalidPayload, Parameter, Payload
from fsmvoice.model.shapes import is_object

MAX_DEPTH = 32
"""The deepest nesting of an argument."""
MAX_TEXT = 10_000
"""The longest string, in characters."""
MAX_VALUES = 10_000
"""The most values in the arguments of a call, nested ones included."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The values that were read, or the faults. `reason` is set if the arguments can't be accepted."""

    values: Mapping[str, Any]
    faults: tuple[Fault, ...] = ()
    reason: ReasonCode | None = None


_NONE = Arguments(MappingProxyType({}))


def as_object(raw: Any) -> dict[str, Any] | None:
    """The arguments of a call as a dict: none are an empty one, a JSON string is decoded. None if not an object."""
    if not raw and (raw is None or raw in ("", {})):
        return {}
    if isinstance(raw, str) and len(raw) <= MAX_TEXT:
        try:
            raw = json.loads(raw)
        except (ValueError, RecursionError):
            return None
        if raw is None:
            return {}
    if not is_object(raw):
        return None
    return {str(key): value for key, value in raw.items()}


def read_arguments(payload: Payload | None, raw: Any) -> Arguments:
    """Read the arguments of an event as a client sent them. Without a payload, any object is accepted.

    An optional argument that is null, or the string "null", counts as missing.
    """
    given = as_object(raw)
    if given is None:
        return Arguments({}, reason="invalid-arguments")
    if not given and (payload is None or not payload.parameters):
        return _NONE
    if not _within_limits(given):
        return Arguments({}, reason="limit-exceeded")
    if payload is None:
        bad = tuple(Fault("bad", name, "has values that are not allowed") for name, item in given.items() if _odd(item))
        return Arguments({}, bad, "invalid-arguments") if bad else Arguments(given)
    values: dict[str, Any] = {}
    faults: list[Fault] = []
    texts = payload.texts
    for name, value in given.items():
        if value.__class__ is str and value in texts.get(name, ()):
            values[name] = value
            continue
        parameter = payload.parameters.get(name)
        if parameter is None:
            if value is not None:
                values[name] = value
            continue
        if _left_out(value, parameter):
            continue
        try:
            if _odd(value):
                raise NotThat
            values[name] = coerce(value, parameter.annotation)
        except NotThat:
            faults.append(Fault("bad", name, f"{name!r} does not fit", value))
    return _checked(payload, values, faults)


def _checked(payload: Payload, values: dict[str, Any], faults: list[Fault]) -> Arguments:
    try:
        checked = payload.validate(values)
    except InvalidPayload as error:
        bad = {fault.name for fault in faults}
        found = [fault for fault in error.faults if fault.name not in bad]
    else:
        found = []
        if not faults:
            return Arguments(checked)
    order = {name: place for place, name in enumerate(payload.parameters)}
    everything = sorted([*faults, *found], key=lambda fault: order.get(fault.name, -1))
    return Arguments({}, tuple(everything), "invalid-arguments")


def _left_out(value: Any, parameter: Parameter) -> bool:
    if value is None:
        return not (parameter.required and _takes_none(parameter))
    if parameter.required or not isinstance(value, str) or value.strip().lower() != "null":
        return False
    return "null" not in (parameter.choices or ())


def _takes_none(parameter: Parameter) -> bool:
    return type(None) in getattr(parameter.annotation, "__args__", ()) or parameter.annotation in (None, Any)


def is_sound(given: dict[str, Any]) -> bool:
    """Whether an object is within the limits of a call and contains only valid JSON values."""
    return _within_limits(given) and not _odd(given)


def _within_limits(value: dict[str, Any]) -> bool:
    """Whether `value` is within `MAX_DEPTH`, `MAX_TEXT` and `MAX_VALUES`. Iterative, for hostile nesting."""
    if all(item.__class__ is str and len(item) < MAX_TEXT for item in (*value, *value.values())) and len(value) < 100:
        return True
    left, waiting = MAX_VALUES, [(cast("Any", value), 0)]
    while waiting:
        item, depth = waiting.pop()
        left -= 1
        if left < 0 or depth > MAX_DEPTH:
            return False
        if isinstance(item, str):
            if len(item) > MAX_TEXT:
                return False
        elif isinstance(item, Mapping):
            members = cast("Mapping[object, Any]", item)
            if any(len(str(key)) > MAX_TEXT for key in members):
                return False
            waiting += [(inner, depth + 1) for inner in members.values()]
        elif isinstance(item, list | tuple):
            waiting += [(inner, depth + 1) for inner in cast("list[Any]", item)]
    return True


def _odd(value: Any) -> bool:
    """Whether `value` contains what JSON or a store can't represent: NaN, infinity, a lone surrogate, NUL."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, float):
            if not math.isfinite(item):
                return True
        elif isinstance(item, int):
            if abs(item) > MAX_INTEGER:
                return True
        elif isinstance(item, str):
            if "\x00" in item or any("\ud800" <= char <= "\udfff" for char in item):
                return True
        elif isinstance(item, Mapping):
            members = cast("Mapping[object, Any]", item)
            waiting += [*members, *members.values()]
        elif isinstance(item, list | tuple):
            waiting += cast("list[Any]", item)
    return False
