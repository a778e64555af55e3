"""Finding a machine class's context type: the `Ctx` of `VoiceMachine[Ctx]`, through any generic bases."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any


def context_argument(cls: type, root: type, names: Mapping[str, Any]) -> Any:
    """The context type; a TypeVar if a generic base leaves it open, or None if it is not given.

    Args:
        root: `VoiceMachine`.
        names: the namespace for types written as strings.
    """
    bases: tuple[Any, ...] = cls.__dict__.get("__orig_bases__", cls.__bases__)
    for base in bases:
        origin = typing.get_origin(base) or base
        if not isinstance(origin, type) or not issubclass(origin, root):
            continue
        arguments = typing.get_args(base)
        if origin is root:
            return _evaluated(arguments[0], names) if arguments else None
        inherited = context_argument(origin, root, names)
        if not isinstance(inherited, typing.TypeVar):
            return inherited
        parameters: tuple[Any, ...] = getattr(origin, "__parameters__", ())
        chosen = dict(zip(parameters, arguments, strict=False)).get(inherited)
        return None if chosen is None else _evaluated(chosen, names)
    return None


def _evaluated(argument: Any, names: Mapping[str, Any]) -> Any:
    """The type argument itself, or the type that it names if it is written as a string."""
    if not isinstance(argument, typing.ForwardRef):
        return argument
    holder = type("Holder", (), {"__annotations__": {"context": argument}})
    return typing.get_type_hints(holder, localns=dict(names), include_extras=True)["context"]
