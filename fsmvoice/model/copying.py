"""Copies of plain data, by copiers compiled once for each type: containers and models anew, immutable leaves shared."""

from __future__ import annotations

import copy
import dataclasses
import datetime as dt
import decimal
import enum
import uuid
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

Copier = Callable[[Any], Any]

IMMUTABLE: frozenset[type] = frozenset(
    {
        *(str, int, float, bool, complex, bytes, type(None), frozenset),
        *(dt.date, dt.datetime, dt.time, dt.timedelta, decimal.Decimal, uuid.UUID),
    }
)
"""Types whose values are shared and not copied."""

_new, _put = object.__new__, object.__setattr__
_COPIERS: dict[type[Any], Copier] = {}


def copied(value: Any) -> Any:
    """A copy of plain data: dicts, lists, sets and models anew, leaves shared, anything else by `copy.deepcopy`."""
    kind: Any = value.__class__
    if kind in IMMUTABLE:
        return value
    if kind is dict:
        return copied_dict(value)
    if kind is list:
        return [item if item.__class__ in IMMUTABLE else copied(item) for item in value]
    if kind is set:
        return set(value)
    if kind is tuple:
        return tuple(copied(item) for item in value)
    if isinstance(value, enum.Enum):
        return value
    if isinstance(value, BaseModel) or (dataclasses.is_dataclass(value) and not isinstance(value, type)):
        return copier_of(kind)(value)
    return copy.deepcopy(value)


def copied_dict(value: dict[Any, Any]) -> dict[Any, Any]:
    """`copied` for a dict."""
    for item in value.values():
        if item.__class__ not in IMMUTABLE:
            return {key: copied(inner) for key, inner in value.items()}
    return value.copy()


def copier_of(kind: type[Any]) -> Copier:
    """The copier of a model or dataclass; made once."""
    made = _COPIERS.get(kind)
    if made is None:
        made = _COPIERS[kind] = _copy_model if issubclass(kind, BaseModel) else _dataclass_copier(kind)
    return made


def _setter(slot: str) -> Callable[[Any, Any], None]:
    """What `object.__setattr__` does for a slot of a model, in half the time."""
    put: Callable[[Any, Any], None] = vars(BaseModel)[slot].__set__
    return put


_put_dict, _put_set = _setter("__dict__"), _setter("__pydantic_fields_set__")
_put_extra, _put_private = _setter("__pydantic_extra__"), _setter("__pydantic_private__")


def _copy_model(value: Any) -> Any:
    twin = _new(value.__class__)
    _put_dict(twin, copied_dict(value.__dict__))
    _put_set(twin, value.__pydantic_fields_set__.copy())
    extra, private = value.__pydantic_extra__, value.__pydantic_private__
    _put_extra(twin, extra and copied_dict(extra))
    _put_private(twin, private and copied_dict(private))
    return twin


def _dataclass_copier(kind: type[Any]) -> Copier:
    names = tuple(f.name for f in dataclasses.fields(kind))

    def copy_dataclass(value: Any) -> Any:
        twin = _new(kind)
        for name in names:
            item = getattr(value, name)
            _put(twin, name, item if item.__class__ in IMMUTABLE else copied(item))
        return twin

    return copy_dataclass


def holds_itself(value: Any, around: set[int]) -> bool:
    """Whether a container is inside itself. `around` are the ids of those that it is in."""
    if value.__class__ not in (dict, list, tuple):
        return False
    own = id(value)
    if own in around:
        return True
    around.add(own)
    found = any(holds_itself(item, around) for item in (value.values() if value.__class__ is dict else value))
    around.remove(own)
    return found
