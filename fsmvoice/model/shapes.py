"""What kind of JSON a value is, told to the type checkers too (isinstance alone leaves its items unknown)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard


def is_object(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether it is a JSON object."""
    return type(value) is dict or isinstance(value, Mapping)


def is_list(value: Any) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Whether it is a JSON array (a tuple stands for one too)."""
    return type(value) is list or isinstance(value, (list, tuple))
