"""`Private`: the mark of what is stored and never shown to clients."""

from __future__ import annotations

import dataclasses
import functools
import typing
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, RootModel

from fsmvoice.model.copying import IMMUTABLE
from fsmvoice.model.shapes import is_list, is_object

_LEAVES = IMMUTABLE - {frozenset}


class Private:
    """Marks a context field that is stored but never leaves the server: `Annotated[str | None, Private] = None`.

    It may stand in the models that a context holds too.
    """


def is_private(mark: Any) -> bool:
    """Whether a mark in `Annotated` is `Private`."""
    return mark is Private or isinstance(mark, Private)


def without_private(value: Any, data: Any) -> Any:
    """What may be shown of `data`, the JSON form of `value`: without private fields, wherever they are."""
    if value.__class__ in _LEAVES:
        return data
    found: Any = value
    if isinstance(value, RootModel):
        return without_private(found.root, data)
    if is_object(data):
        if isinstance(value, Mapping):
            if len(found) != len(data):  # keys such as 1 and "1" are one in JSON, so nobody knows whose item it is
                return {}
            return {name: without_private(found[key], data[name]) for key, name in zip(found, data, strict=True)}
        hidden = _private_fields(found.__class__)
        return {k: without_private(getattr(found, k, None), item) for k, item in data.items() if k not in hidden}
    if is_list(data) and isinstance(value, Iterable):
        return [without_private(inner, item) for inner, item in zip(found, data, strict=False)]
    return data


@functools.lru_cache(maxsize=1024)
def _private_fields(kind: type[Any]) -> frozenset[str]:
    if issubclass(kind, BaseModel):
        marks: dict[str, Iterable[Any]] = {name: field.metadata for name, field in kind.model_fields.items()}
    elif dataclasses.is_dataclass(kind):
        try:
            hints = typing.get_type_hints(kind, include_extras=True)
        except NameError:  # made in a function; what its annotations say is all that is known
            return frozenset(f.name for f in dataclasses.fields(kind) if "Private" in str(f.type))
        marks = {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}
    else:
        return frozenset()
    return frozenset(name for name, given in marks.items() if any(map(is_private, given)))
