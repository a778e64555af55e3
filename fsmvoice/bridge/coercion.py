"""Converting values that clients send to the types they were meant as, without losing information.

Language models send `"5"` for 5, `3.0` for 3, `"true"`, or a JSON string for an object. `"12px"`, `""` and `True` are
not accepted as numbers.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import json
import math
import re
import types
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeGuard, Union

from pydantic import BaseModel
from typing_extensions import TypeAliasType, is_typeddict

from fsmvoice.model.payload import choices_of

MAX_INTEGER = 2**63 - 1
_INTEGER = re.compile(r"[+-]?[0-9]{1,19}(?:\.0{1,19})?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,3})?")
_TRUTH = {"true": True, "false": False, "yes": True, "no": False}
_TEMPORAL = (dt.date, dt.time, dt.timedelta)


class NotThat(ValueError):
    """A value can't be converted without losing or inventing information."""


def coerce(value: Any, annotation: Any) -> Any:
    """Convert `value` to a form that pydantic accepts for `annotation`, or return it unchanged.

    Raises:
        NotThat: if pydantic would wrongly accept it.
    """
    plain = _plain(annotation)
    if value is None:
        return value
    choices = choices_of(annotation) or choices_of(plain)
    if choices is not None:
        return _choice(value, choices)
    origin = typing.get_origin(plain)
    if origin in (Union, types.UnionType):
        return _member(value, [item for item in typing.get_args(plain) if item is not type(None)])
    rule = _RULES.get(plain)
    if rule is not None:
        return rule(value)
    kind: Any = origin or plain
    if not _is_class(kind):
        return value
    if issubclass(kind, _TEMPORAL):
        return _moment(value)
    if _is_object(kind):
        return _object(value, plain, kind)
    if issubclass(kind, list | tuple | set | frozenset) or kind in (Sequence, Collection):
        return _list(value, plain)
    return value


def _is_class(kind: Any) -> TypeGuard[type[Any]]:
    return isinstance(kind, type)


def _plain(annotation: Any) -> Any:
    if typing.get_origin(annotation) is typing.Annotated:
        return _plain(typing.get_args(annotation)[0])
    if isinstance(annotation, typing.NewType):
        return _plain(annotation.__supertype__)
    if isinstance(annotation, TypeAliasType):
        return _plain(annotation.__value__)
    return annotation


def _integer(value: Any) -> int:
    if isinstance(value, str):
        text = value.strip()
        if not _INTEGER.fullmatch(text):
            raise NotThat
        value = int(text.partition(".")[0])
    if isinstance(value, float):
        if not value.is_integer():
            raise NotThat
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MAX_INTEGER:
        raise NotThat
    return value


def _float(value: Any) -> int | float:
    if isinstance(value, str):
        text = value.strip()
        if not _NUMBER.fullmatch(text):
            raise NotThat
        value = float(text)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotThat
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        raise NotThat
    if not math.isfinite(value):
        raise NotThat
    return value


def _decimal(value: Any) -> Any:
    if isinstance(value, str):
        if not _NUMBER.fullmatch(value.strip()):
            raise NotThat
        return value.strip()
    return str(_float(value))


def _text(value: Any) -> str:
    """A string, or a number as a string. Booleans and structures are not accepted."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotThat
    return str(_integer(value)) if isinstance(value, int) or value.is_integer() else repr(_float(value))


def _moment(value: Any) -> Any:
    """A date or time as an ISO string. Numbers, which pydantic reads as seconds since 1970, are not accepted."""
    if not isinstance(value, str) or _NUMBER.fullmatch(value.strip()):
        raise NotThat
    return value.strip()


def _choice(value: Any, choices: Sequence[Any]) -> Any:
    """The choice that matches, ignoring case, spaces, hyphens and underscores."""
    if isinstance(value, list | dict):
        raise NotThat
    for choice in choices:
        raw = choice.value if isinstance(choice, enum.Enum) else choice
        if type(raw) is type(value) and raw == value:
            return choice
    if set(map(type, choices)) == {bool}:
        if isinstance(value, str) and (truth := _TRUTH.get(value.strip().lower())) is not None and truth in choices:
            return truth
        raise NotThat
    meant = _folded(value)
    found = [choice for choice in choices if meant in _names(choice)]
    if meant and len(found) == 1:
        return found[0]
    raise NotThat


def _names(choice: Any) -> set[str]:
    if isinstance(choice, enum.Enum):
        return {_folded(choice.value), _folded(choice.name)}
    return {_folded(choice)}


def _folded(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, str | int | float):
        return ""
    return " ".join(re.sub(r"[\s_-]+", " ", str(value)).split()).casefold()


def _member(value: Any, members: Sequence[Any]) -> Any:
    """A member of a union: the value itself if a member accepts it unchanged, or else the first conversion."""
    if len(members) == 1:
        return coerce(value, members[0])
    for member in members:
        plain = _plain(member)
        choices = choices_of(plain)
        if choices is not None:
            if any(type(choice) is type(value) and choice == value for choice in choices):
                return value
        elif plain in _RULES and type(value) is plain:
            return coerce(value, member)
    for member in members:
        try:
            return coerce(value, member)
        except NotThat:
            continue
    raise NotThat


def _is_object(kind: type[Any]) -> bool:
    return issubclass(kind, dict | BaseModel) or kind is Mapping or dataclasses.is_dataclass(kind) or is_typeddict(kind)


def _object(value: Any, annotation: Any, kind: type[Any]) -> Any:
    value = _decoded(value, dict)
    fields = _fields(kind)
    if fields:
        return {key: coerce(item, fields[key]) if key in fields else item for key, item in value.items()}
    arguments = typing.get_args(annotation)
    if len(arguments) == 2:
        return {key: coerce(item, arguments[1]) for key, item in value.items()}
    return value


def _fields(kind: type[Any]) -> dict[str, Any]:
    if issubclass(kind, BaseModel):
        return {
            spelling: info.annotation
            for name, info in kind.model_fields.items()
            for spelling in (name, info.alias)
            if spelling
        }
    if dataclasses.is_dataclass(kind) or is_typeddict(kind):
        return typing.get_type_hints(kind)
    return {}


def _list(value: Any, annotation: Any) -> Any:
    value = _decoded(value, list)
    arguments = [item for item in typing.get_args(annotation) if item is not Ellipsis]
    if not arguments:
        return value
    if len(arguments) > 1:
        return [coerce(item, kind) for item, kind in zip(value, arguments, strict=False)] + value[len(arguments) :]
    return [coerce(item, arguments[0]) for item in value]


def _decoded(value: Any, kind: type[Any]) -> Any:
    """A list or an object, decoded if it was sent as a JSON string."""
    if isinstance(value, str):
        try:
            value = json.loads(value, parse_constant=_refuse)
        except (ValueError, RecursionError):
            raise NotThat from None
    if not isinstance(value, kind):
        raise NotThat
    return value


def _refuse(constant: str) -> Any:
    raise NotThat(constant)


_RULES: Mapping[Any, Callable[[Any], Any]] = {
    int: _integer,
    float: _float,
    Decimal: _decimal,
    str: _text,
    dict: lambda value: _decoded(value, dict),
    list: lambda value: _decoded(value, list),
}
