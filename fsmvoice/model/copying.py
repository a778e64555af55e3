"""Copying plain data fast: containers and models are copied, immutable leaves are shared."""

from __future__ import annotations

import collections
import copy
import dataclasses
import datetime as dt
import decimal
import enum
import functools
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, RootModel

from fsmvoice.errors import message_of

Copier = Callable[[Any], Any]


class NotData(TypeError):
    """A value can't be copied."""


IMMUTABLE: frozenset[type] = frozenset(
    {
        *(str, int, float, bool, complex, bytes, type(None), frozenset),
        *(dt.date, dt.datetime, dt.time, dt.timedelta, decimal.Decimal, uuid.UUID),
    }
)
"""Types whose values are shared instead of copied."""

_new, _put = object.__new__, object.__setattr__
_ABSENT = object()
_COPIERS: dict[type[Any], Copier] = {}


def copied(value: Any) -> Any:
    """A copy of plain data: new dicts, lists, sets and models, shared leaves, and `copy.deepcopy` for anything else."""
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
    try:
        return copy.deepcopy(value)
    except RecursionError:
        raise
    except Exception as error:
        raise NotData(
            f"a {kind.__name__}, which can't be copied ({message_of(error):.100}); "
            "a context holds data, so keep it in an attribute of the machine"
        ) from error


def copied_dict(value: dict[Any, Any]) -> dict[Any, Any]:
    """`copied` for a dict."""
    for item in value.values():
        if item.__class__ not in IMMUTABLE:
            return {key: copied(inner) for key, inner in value.items()}
    return value.copy()


def copier_of(kind: type[Any]) -> Copier:
    """The cached copier of a model or dataclass type."""
    made = _COPIERS.get(kind)
    if made is None:
        made = _COPIERS[kind] = _model_copier(kind) if issubclass(kind, BaseModel) else _dataclass_copier(kind)
    return made


def remembered(kind: type[Any]) -> frozenset[str]:
    """The attributes of a class that are worked out once and then kept (`cached_property`): no data of its own.

    A copy is without them, as it is made to be changed.
    """
    names = (
        name
        for base in kind.__mro__
        for name, value in vars(base).items()
        if isinstance(value, functools.cached_property)
    )
    return frozenset(names)


def _setter(slot: str) -> Callable[[Any, Any], None]:
    """The slot's own setter, which takes half the time of `object.__setattr__`."""
    put: Callable[[Any, Any], None] = vars(BaseModel)[slot].__set__
    return put


_put_dict, _put_set = _setter("__dict__"), _setter("__pydantic_fields_set__")
_put_extra, _put_private = _setter("__pydantic_extra__"), _setter("__pydantic_private__")


def _model_copier(kind: type[Any]) -> Copier:
    forgotten = remembered(kind)
    if not forgotten:
        return _copy_model

    def copy_model(value: Any) -> Any:
        twin = _copy_model(value)
        for name in forgotten:
            twin.__dict__.pop(name, None)
        return twin

    return copy_model


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
    known = {*names} | remembered(kind)

    def copy_dataclass(value: Any) -> Any:
        twin = _new(kind)
        for name in names:
            item = getattr(value, name)
            _put(twin, name, item if item.__class__ in IMMUTABLE else copied(item))
        own: Mapping[str, Any] = getattr(value, "__dict__", {})
        for name in own.keys() - known:  # what `__post_init__` made beside the fields
            _put(twin, name, copied(own[name]))
        return twin

    return copy_dataclass


def differing(before: Any, after: Any) -> list[str]:
    """The fields in which a context is not what it was, of which `after` was a copy."""
    if before.__class__ is not after.__class__:
        return [after.__class__.__name__]
    old, new = _parts(before), _parts(after)
    return [str(name) for name in {**old, **new} if not _same(old.get(name, _ABSENT), new.get(name, _ABSENT), set())]


def _parts(value: Any) -> Mapping[Any, Any]:
    """The fields of a dict, a model or another object, and what it keeps beside them."""
    if isinstance(value, dict):
        return {**value}
    own: dict[str, Any] = {**getattr(value, "__dict__", {})}
    forgotten = remembered(value.__class__)
    if isinstance(value, BaseModel):
        own |= {**(value.__pydantic_extra__ or {}), **(value.__pydantic_private__ or {})}
    elif dataclasses.is_dataclass(value):
        own |= {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    return {name: item for name, item in own.items() if name not in forgotten} if forgotten else own


def _same(old: Any, new: Any, around: set[int]) -> bool:
    """Whether a copy is still as its original. Identity is no sign, nor is an `__eq__` that goes by it."""
    kind: Any = new.__class__
    if old is new or id(new) in around:
        return True
    if old.__class__ is not kind:
        return False
    if kind in IMMUTABLE:
        return bool(old == new or old != old)  # noqa: PLR0124 - which NaN is not
    around.add(id(new))
    if kind in (list, tuple, collections.deque):
        return len(old) == len(new) and all(_same(a, b, around) for a, b in zip(old, new, strict=True))
    if isinstance(new, dict | BaseModel) or dataclasses.is_dataclass(kind) or kind.__eq__ is object.__eq__:
        before, after = _parts(old), _parts(new)
        return before.keys() == after.keys() and all(_same(before[key], after[key], around) for key in before)
    try:
        return bool(old == new)
    except Exception:  # noqa: BLE001, RUF100 - an `__eq__` of its own may do anything, such as give an array
        return True


def plain(value: Any) -> Any:
    """`value` with models and dataclasses as dicts; pydantic would accept their instances without validating them.

    Raises:
        NotData: if something in it can't be copied.
    """
    if isinstance(value, RootModel):
        return plain(vars(value)["root"])
    if isinstance(value, BaseModel):
        own = {name: plain(getattr(value, name)) for name in type(value).model_fields if hasattr(value, name)}
        return own | {name: plain(item) for name, item in (value.__pydantic_extra__ or {}).items()}
    kind: Any = value.__class__
    if kind in IMMUTABLE:
        return value
    if kind is list:
        return [plain(item) for item in value]
    if kind is dict:
        return {key: plain(item) for key, item in value.items()}
    if dataclasses.is_dataclass(kind):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(kind)}
    copied(value)
    return value


def holds_itself(value: Any, around: set[int]) -> bool:
    """Whether a container is inside itself. `around` are the ids of those that it is in.

    Raises:
        NotData: if something in it can't be copied.
    """
    if value.__class__ not in (dict, list, tuple):
        copied(value)
        return False
    own = id(value)
    if own in around:
        return True
    around.add(own)
    found = any(holds_itself(item, around) for item in (value.values() if value.__class__ is dict else value))
    around.remove(own)
    return found
