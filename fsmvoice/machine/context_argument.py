"""Finding a machine class's context type: the `Ctx` of `VoiceMachine[Ctx]`, through any generic bases."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Mapping
from typing import Any


def context_argument(cls: type, root: type, names: Mapping[str, Any]) -> Any:
    """The context type; a TypeVar if a generic base leaves it open, or None if it is not given.

    Of several bases' types it is the one that is a subclass of all others.

    Args:
        root: `VoiceMachine`.
        names: the namespace for types written as strings.

    Raises:
        TypeError: if there is no such type, or it is annotated in place of being given.
    """
    bases: tuple[Any, ...] = cls.__dict__.get("__orig_bases__", cls.__bases__)
    found = [_given_by(base, root, names) for base in bases]
    given = list(dict.fromkeys(one for one in found if one is not None and not isinstance(one, typing.TypeVar)))
    if not given:
        annotated = _annotated(cls)
        if annotated is not None:
            told = annotated if isinstance(annotated, str) else getattr(annotated, "__name__", repr(annotated))
            raise TypeError(f"{cls.__name__} annotates its context; write class {cls.__name__}(VoiceMachine[{told}])")
        return next((one for one in found if one is not None), None)
    for one in given:
        if all(one is other or _is_subclass(one, other) for other in given):
            return one
    told = " and ".join(getattr(one, "__name__", repr(one)) for one in given)
    raise TypeError(f"the bases of {cls.__name__} have the contexts {told}; derive one of them from the others")


def _given_by(base: Any, root: type, names: Mapping[str, Any]) -> Any:
    """The context type that a base stands for, or None."""
    origin = typing.get_origin(base) or base
    if not isinstance(origin, type) or not issubclass(origin, root):
        return None
    arguments = typing.get_args(base)
    if origin is root:
        return _evaluated(arguments[0], names) if arguments else None
    inherited = context_argument(origin, root, names)
    if not isinstance(inherited, typing.TypeVar):
        return inherited
    parameters: tuple[Any, ...] = getattr(origin, "__parameters__", ())
    chosen = dict(zip(parameters, arguments, strict=False)).get(inherited)
    return None if chosen is None else _evaluated(chosen, names)


def _annotated(cls: type) -> Any:
    """What a class body annotates its context with, or None."""
    try:
        return inspect.get_annotations(cls).get("context")
    except NameError:  # Python 3.14 looks up all of them
        return None


def _is_subclass(one: Any, other: Any) -> bool:
    return isinstance(one, type) and isinstance(other, type) and issubclass(one, other)


def _evaluated(argument: Any, names: Mapping[str, Any]) -> Any:
    """The type argument itself, or the type that it names if it is written as a string."""
    if not isinstance(argument, typing.ForwardRef):
        return argument
    holder = type("Holder", (), {"__annotations__": {"context": argument}})
    return typing.get_type_hints(holder, localns=dict(names), include_extras=True)["context"]
