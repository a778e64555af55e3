"""What a user's function takes, and whether calling it returns a coroutine."""

from __future__ import annotations

import inspect
from typing import Any


def returns_coroutine(function: Any) -> bool:
    """Whether calling `function` returns a coroutine; an object with an async `__call__` counts."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - the method itself is inspected, not whether there is one
    )


def accepted_arguments(
    function: Any, known: tuple[str, ...], *, without_signature: tuple[str, ...], rule: str
) -> tuple[str, ...]:
    """Those names of `known` that `function` has parameters for, in the order of its parameters.

    Args:
        without_signature: the answer for a builtin whose signature can't be read.
        rule: what such a function may take, for the error.

    Raises:
        TypeError: if another parameter has no default.
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return without_signature
    accepted: list[str] = []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.name in known:
            accepted.append(parameter.name)
        elif parameter.default is parameter.empty:
            raise TypeError(f"takes {parameter.name!r}; {rule}")
    return tuple(accepted)
