"""Type guards for JSON values; `isinstance` alone would leave the types of their items unknown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

_OTHERS = frozenset({str, int, float, bool, type(None), list, tuple})
"""The classes of JSON values that are no objects: to ask `Mapping` of each takes ten times as long."""


def is_object(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether `value` is a JSON object."""
    return type(value) is dict or (type(value) not in _OTHERS and isinstance(value, Mapping))


def is_list(value: Any) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Whether `value` is a JSON array; a tuple counts too."""
    return type(value) is list or isinstance(value, (list, tuple))
