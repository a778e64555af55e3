"""The payload of an event, read from its method's signature."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic.fields import FieldInfo

from fsmvoice.errors import Problem
from fsmvoice.machine.defaults import misfit
from fsmvoice.machine.place import place_of
from fsmvoice.model.payload import REQUIRED, Parameter

RESERVED_PARAMETERS: Mapping[str, str] = {
    "session": "tool calls use this name for the session's handle",
    "request_id": "tool calls use this name for their own id, so that a repeated call acts once",
    "confirm_token": "tool calls use this name for the answer to a confirmation",
}


def parameters_of(
    function: Callable[..., Any], names: Mapping[str, Any], problems: list[Problem], *, event: str = ""
) -> tuple[Parameter, ...]:
    """The parameters after `self`, with resolved annotations.

    Args:
        names: the namespace for annotations besides the function's module: the class body and its enclosing scope.
        problems: parameters that `event` can't have are appended here.
    """
    place = str(place_of(function))
    declared = list(inspect.signature(function).parameters.values())
    if not declared or declared[0].kind in (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD):
        problems.append(Problem(place, f"{function.__name__!r} takes no self", "it is called with the machine"))
        return ()
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        hint = "its code would never run; leave the yield out"
        problems.append(Problem(place, f"{function.__name__!r} has a yield, so it is a generator", hint))
    result: list[Parameter] = []
    for parameter in declared[1:]:
        name = parameter.name
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**"
            problems.append(
                Problem(place, f"{function.__name__!r} takes {stars}{name}", "name each parameter, with its type")
            )
            continue
        if parameter.kind is parameter.POSITIONAL_ONLY:
            problems.append(Problem(place, f"the parameter {name!r} is positional-only", "leave the / out"))
            continue
        if event and name in RESERVED_PARAMETERS:
            hint = f"{RESERVED_PARAMETERS[name]}; rename it"
            problems.append(Problem(place, f"{event} can't have a parameter {name!r}", hint))
        if isinstance(parameter.default, FieldInfo):
            hint = f"write {name}: Annotated[..., Field(...)] = default"
            problems.append(Problem(place, f"the default of {name!r} is a Field", hint))
            continue
        if parameter.annotation is parameter.empty:
            message = f"the parameter {name!r} of {function.__name__!r} has no type"
            problems.append(Problem(place, message, f"say it, such as {name}: str; the tool's schema is made from it"))
        annotation = _resolved(function, name, names, problems)
        default = REQUIRED if parameter.default is parameter.empty else parameter.default
        told = None if default is REQUIRED else misfit(annotation, default)
        if told is not None:
            message = f"the default of {name!r} is {default!r:.60}, and it {told}"
            problems.append(Problem(place, message, "give one that fits, or leave it out"))
        result.append(Parameter(name, annotation, default, _description(annotation)))
    return tuple(result)


def _resolved(function: Callable[..., Any], name: str, names: Mapping[str, Any], problems: list[Problem]) -> Any:
    annotation = function.__annotations__.get(name, Any)
    shim = types.SimpleNamespace(__annotations__={name: annotation})
    try:
        return typing.get_type_hints(shim, function.__globals__, dict(names), include_extras=True)[name]
    except Exception as error:  # an annotation is user code and may raise anything
        told = error.name if isinstance(error, NameError) and error.name else annotation
        problems.append(
            Problem(
                str(place_of(function)),
                f"the type of {name!r} can't be found: {told!r}"
                if isinstance(error, NameError)
                else f"the type of {name!r} can't be read: {error}",
                "import or define it above the class, not under TYPE_CHECKING: the tool's schema is made from it",
            )
        )
        return Any


def _description(annotation: Any) -> str:
    for item in getattr(annotation, "__metadata__", ()):
        if isinstance(item, FieldInfo) and item.description:
            return item.description
    return ""


def arguments_by_name(
    function: Callable[..., Any], machine: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The arguments of a call of a method, all by name, without `self`."""
    if not args:
        return kwargs
    given = inspect.signature(function).bind_partial(machine, *args, **kwargs).arguments
    return dict(list(given.items())[1:])


def is_unbounded(annotation: Any) -> bool:
    """Whether it is an int without a lower or an upper bound."""
    metadata: Sequence[Any] = getattr(annotation, "__metadata__", ())
    bare = _bare(annotation)
    arguments = [item for item in typing.get_args(bare) if item is not type(None)]
    if bare is not int and arguments != [int]:
        return False
    bounds = [*metadata]
    for item in metadata:
        bounds += item.metadata if isinstance(item, FieldInfo) else ()
    return not (_says(bounds, "ge", "gt") and _says(bounds, "le", "lt"))


def _says(bounds: Sequence[Any], *names: str) -> bool:
    return any(getattr(bound, name, None) is not None for bound in bounds for name in names)


def shape_of(parameters: Sequence[Parameter]) -> dict[str, Any]:
    """The names and bare types of parameters. Functions with the same shape can take the same payload."""
    return {parameter.name: _bare(parameter.annotation) for parameter in parameters}


def written(parameters: Sequence[Parameter]) -> str:
    """Parameters as in a signature, without `Annotated` metadata."""
    shown = [
        inspect.Parameter(
            parameter.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=parameter.default,
            annotation=_bare(parameter.annotation),
        )
        for parameter in parameters
    ]
    return "(" + ", ".join(str(item) for item in shown) + ")"


def _bare(annotation: Any) -> Any:
    return typing.get_args(annotation)[0] if typing.get_origin(annotation) is typing.Annotated else annotation
