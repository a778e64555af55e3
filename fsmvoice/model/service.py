"""The functions that `invoke` names, and how the engine calls them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from fsmvoice.model.signature import accepted_arguments, returns_coroutine

_CALLABLE_WITH = ("context", "input", "send")
_MAY_TAKE = f"a service may take {', '.join(_CALLABLE_WITH)}"


class Send(Protocol):
    """Sends an event to the machine that started the service. Thread-safe."""

    def __call__(self, event: str | Mapping[str, Any], /, **payload: Any) -> None: ...


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """What a service is started with.

    Attributes:
        context: a copy of the committed context; changes to it have no effect.
        input: the `input` of the config's `invoke`.
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
    """Make a config's service callable by the engine.

    It is passed those of `context, input, send` that it has parameters for.

    Raises:
        TypeError: if it is not a function, is a machine, or requires any other argument.
    """
    if isinstance(function, ServiceCode):
        return function
    if isinstance(function, type) or not callable(function):
        raise TypeError(_no_function(function))
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError("is a generator; a service that sends several events takes `send` and calls it")
    wanted = accepted_arguments(function, _CALLABLE_WITH, without_signature=(), rule=_MAY_TAKE)
    is_async = returns_coroutine(function)

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
