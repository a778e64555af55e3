"""The functions that `invoke` names, and how the engine calls them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

_CALLABLE_WITH = ("context", "input", "send")


class Send(Protocol):
    """Sends an event to the machine that a service works for; from any thread."""

    def __call__(self, event: str | Mapping[str, Any], /, **payload: Any) -> None: ...


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """What a service gets when it starts.

    Attributes:
        context: the context as it was committed; a copy, so that nothing outside a step changes it.
        input: what the config's `invoke` says in `input`.
        machine: the `self` of a class's methods; None for a config.
    """

    context: Any
    input: Any
    machine: Any
    send: Send


@dataclass(frozen=True, slots=True)
class ServiceCode:
    """A service made callable by the engine.

    Attributes:
        is_async: whether calling it returns a coroutine, which needs an event loop.
        sends: whether it keeps running and sends events. Its return value is then not a result, but may be a function
            that stops it.
    """

    name: str
    call: Callable[[ServiceCall], Any]
    is_async: bool = False
    sends: bool = False


def service_code(name: str, function: Any) -> ServiceCode:
    """Make a config's service callable: it gets those of `context, input, send` that it names.

    Raises:
        TypeError: if it is not a function, is a machine, or needs an argument that nothing gives.
    """
    if isinstance(function, ServiceCode):
        return function
    if isinstance(function, type) or not callable(function):
        raise TypeError(_no_function(function))
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError("is a generator; a service that sends several events takes `send` and calls it")
    wanted = _arguments(function)
    is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - an object with an async __call__ is a coroutine function too
    )

    def call(given: ServiceCall) -> Any:
        return function(**{argument: getattr(given, argument) for argument in wanted})

    return ServiceCode(name, call, is_async, sends="send" in wanted and not is_async)


def _no_function(given: Any) -> str:
    kind = given if isinstance(given, type) else type(given)
    if isinstance(given, Mapping) or hasattr(kind, "chart") or hasattr(kind, "__fsmvoice_definition__"):
        return (
            "is a machine; a machine can't be invoked by another yet: "
            "nest its states, or write an async function that runs it"
        )
    return f"is {'a class' if isinstance(given, type) else kind.__name__}; it should be a function"


def _arguments(function: Any) -> tuple[str, ...]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ()
    wanted: list[str] = []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.name in _CALLABLE_WITH:
            wanted.append(parameter.name)
        elif parameter.default is parameter.empty:
            raise TypeError(f"takes {parameter.name!r}; a service may take {', '.join(_CALLABLE_WITH)}")
    return tuple(wanted)
