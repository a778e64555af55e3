"""The functions that a config's names stand for, and how the engine calls them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NoReturn, Protocol

from fsmvoice.model.config import TransitionConfig
from fsmvoice.model.context import ContextType, DictContext
from fsmvoice.model.locale_files import LocaleFiles
from fsmvoice.model.payload import Payload
from fsmvoice.model.service import ServiceCode

_CALLABLE_WITH = ("context", "event", "params", "queue", "later", "idempotency_key")
_FOR_ACTIONS = {"queue": "raise events", "later": "ask for effects"}
_EMPTY: Mapping[str, Any] = MappingProxyType({})


class Step(Protocol):
    """What a running step offers to step code. The context is a draft until the step commits."""

    @property
    def context(self) -> Any: ...
    @property
    def event(self) -> Mapping[str, Any]:
        """The event being handled: its `type` and its payload, in one mapping."""
        ...

    @property
    def payload(self) -> Mapping[str, Any]:
        """The payload alone."""
        ...

    @property
    def machine(self) -> Any:
        """The `self` of a class's methods; None for a config."""
        ...

    def queue(self, event: Mapping[str, Any] | str, /) -> None:
        """Raise an event of this macrostep."""
        ...

    def later(self, effect: str, /, **arguments: Any) -> None:
        """Have an effect run once the step is committed."""
        ...

    @property
    def idempotency_key(self) -> str:
        """What tells this step from every other one, and stays the same when it is done again."""
        ...


@dataclass(frozen=True, slots=True)
class StepCode:
    """A function made callable by the engine: `call(step, params)`; a mapping it returns is merged into the context."""

    name: str
    call: Callable[[Step, Mapping[str, Any] | None], Any]
    is_async: bool = False
    on_context: Callable[[Any], Any] | None = None
    """The function itself where all it takes is the context, so that most calls need no step in between."""
    on_machine: Callable[[Any], Any] | None = None
    """As `on_context`, for a method that takes nothing else."""


@dataclass(frozen=True, slots=True)
class InState:
    """A guard that holds while the state `ref` (`#id`, or a dotted path) is active: XState's `stateIn`.

    With `also`, the guard of that name has to say yes too.
    """

    ref: str
    also: str | None = None


Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Everything a config names. `machine` makes the `self` its code runs on; `speak` puts outcomes into words."""

    actions: Mapping[str, StepCode] = field(default_factory=lambda: _EMPTY)
    guards: Mapping[str, StepCode | InState] = field(default_factory=lambda: _EMPTY)
    services: Mapping[str, Function | ServiceCode] = field(default_factory=lambda: _EMPTY)
    delays: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    effects: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    payloads: Mapping[str, Payload] = field(default_factory=lambda: _EMPTY)
    context: ContextType = field(default_factory=DictContext)
    speak: Speak | None = None
    locales: LocaleFiles | None = None
    """The texts in other languages; read when one is first asked for."""
    migrations: tuple[Any, ...] = ()
    """What turns stored runs of earlier versions into those of this (`fsmvoice.model.versions.Migration`)."""
    place: Callable[[Any], Any] | None = None
    """For a class: `place(run_state)` gives an instance that stands there; nothing runs."""


class Speak(Protocol):
    """Puts what happened into words. The engine asks only when someone reads `Outcome.say`."""

    def outcome(self, outcome: Any, /) -> str:
        """What to say after an event: the reply, or the refusal."""
        ...

    def status(self, snapshot: Any, /) -> str:
        """Where we are and what can be done."""
        ...

    def reason(
        self, snapshot: Any, event: str, arcs: tuple[TransitionConfig, ...], payload: Mapping[str, Any], /
    ) -> str:
        """Why `arcs`, each of whose guards said no (or which forbid `event`), are closed now; '' if nothing says it."""
        ...


def refuse_result(result: object) -> NoReturn:
    """What a class's method gave back that should have given nothing."""
    if inspect.iscoroutine(result):
        result.close()
        raise TypeError("it returned a coroutine that nobody awaits; make it an async method, or await it there")
    raise TypeError(f"it returned {type(result).__name__}; a method changes self.context and returns nothing")


def named_code(name: str, function: Function, *, role: str = "action") -> StepCode:
    """Make a config's function callable: it gets those of `context, event, params, queue, later` that it names.

    Raises:
        TypeError: if it is not a function, or needs an argument that nothing gives.
    """
    if not callable(function):
        raise TypeError(f"is {type(function).__name__}; it should be a function")
    wanted = _arguments(function)
    is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 - an object with an async __call__ is a coroutine function too
    )
    if role == "guard":
        if is_async:
            raise TypeError("is async; a guard decides at once, so make it a plain function")
        asks = next((asked for asked in _FOR_ACTIONS if asked in wanted), None)
        if asks is not None:
            raise TypeError(f"takes {asks!r}; a guard only looks, so {_FOR_ACTIONS[asks]} in an action")
    return StepCode(name, _adapter(function, wanted), is_async, _on_context(function, wanted))


def _on_context(function: Function, wanted: tuple[str, ...]) -> Function | None:
    if wanted != ("context",):
        return None
    first = next(iter(inspect.signature(function).parameters.values()))
    return function if first.name == "context" and first.kind is first.POSITIONAL_OR_KEYWORD else None


def _arguments(function: Function) -> tuple[str, ...]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ("context", "event")
    wanted: list[str] = []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.name in _CALLABLE_WITH:
            wanted.append(parameter.name)
        elif parameter.default is parameter.empty:
            raise TypeError(
                f"takes {parameter.name!r}; a config's function may take {', '.join(_CALLABLE_WITH)} "
                "(the payload is in event)"
            )
    return tuple(wanted)


def _adapter(function: Function, wanted: tuple[str, ...]) -> Callable[[Step, Mapping[str, Any] | None], Any]:
    """A call that hands over just the arguments asked for; the common shapes without building a dict."""
    if wanted == ():
        return lambda step, params: function()  # noqa: ARG005 - one shape for every adapter
    if wanted == ("context",):
        return lambda step, params: function(context=step.context)  # noqa: ARG005 - one shape for every adapter
    if wanted == ("event",):
        return lambda step, params: function(event=step.event)  # noqa: ARG005 - one shape for every adapter
    if set(wanted) == {"context", "event"}:
        return lambda step, params: function(context=step.context, event=step.event)  # noqa: ARG005 - as above

    def call(step: Step, params: Mapping[str, Any] | None) -> Any:
        return function(**{name: (params or _EMPTY) if name == "params" else getattr(step, name) for name in wanted})

    return call
