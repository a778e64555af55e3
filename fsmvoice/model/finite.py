"""Numbers that JSON can't hold: NaN and the infinities."""

from __future__ import annotations

import collections
import dataclasses
import math
from collections.abc import Iterable, Mapping
from typing import Any, cast

from pydantic import BaseModel


def not_finite(context: Any) -> tuple[str, float] | None:
    """The first number in a context that is not finite, and the name of its field."""
    waiting: list[tuple[str, Any]] = [("", context)]
    seen: set[int] = set()
    while waiting:
        name, item = waiting.pop()
        kind = item.__class__
        if kind is float:
            if not math.isfinite(item):
                return name, cast("float", item)
        elif kind not in _SIMPLE and id(item) not in seen:
            seen.add(id(item))
            waiting += [(name or str(key), inner) for key, inner in _inside(item)]
    return None


_SIMPLE = frozenset({str, int, bool, bytes, type(None)})


def _inside(item: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(item, Mapping):
        return cast("Mapping[Any, Any]", item).items()  # type: ignore[redundant-cast]  # pyright needs it
    if isinstance(item, list | tuple | set | frozenset | collections.deque):
        return enumerate(cast("Iterable[Any]", item))
    if isinstance(item, BaseModel):
        return [*item.__dict__.items(), *(item.__pydantic_extra__ or {}).items()]
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        return [(field.name, getattr(item, field.name, None)) for field in dataclasses.fields(item)]
    return [(0, float(item))] if isinstance(item, float) else ()
