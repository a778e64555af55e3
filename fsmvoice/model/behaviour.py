"""The functions that the names in a config refer to, and how the engine calls them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NoReturn, Protocol, TypeAlias

from fsmvoice.model.config import TransitionConfig
from fsmvoice.model.context import ContextType, DictContext
from fsmvoice.model.locale_files import LocaleFiles
from fsmvoice.model.payload import Payload
from fsmvoice.model.purity import only_looks
from fsmvoice.model.service import ServiceCode
from fsmvoice.model.signature import accepted_arguments, returns_coroutine

_CALLABLE_WITH = ("context", "event", "params", "queue", "later", "idempotency_key")
_MAY_TAKE = f"a config's function may take {', '.join(_CALLABLE_WITH)} (the payload is in event)"
_FOR_ACTIONS = {"queue": "raise events", "later": "ask for effects"}
_EMPTY: Mapping[str, Any] = MappingProxyType({})


class Step(Protocol):
    """What a running step provides to actions and guards. The context is a draft until the step commits."""

    @property
    def context(self) -> Any: ...
    @property
    def event(self) -> Mapping[str, Any]:
        """The event being handled: its `type` and payload fields in one mapping."""
        ...

    @property
    def payload(self) -> Mapping[str, Any]:
        """The payload fields, without `type`."""
        ...

    @property
    def machine(self) -> Any:
        """The `self` of a class's methods; None for a config."""
        ...

    def ask(self, guard: Ask, params: Mapping[str, Any] | None) -> Any:
        """Call a guard on a copy of the context. Raises TypeError if it changed that."""
        ...

    def queue(self, event: Mapping[str, Any] | str, /) -> None:
        """Raise an event to be handled within this macrostep."""
        ...

    def later(self, effect: str, /, **arguments: Any) -> None:
        """Request an effect; it runs after the step is committed."""
        ...

    @property
    def idempotency_key(self) -> str:
        """Identifies this step: unique, and unchanged when the same request is repeated."""
        ...


Ask: TypeAlias = Callable[[Step, Mapping[str, Any] | None], Any]


@dataclass(frozen=True, slots=True)
class StepCode:
    """A function as the engine calls it: `call(step, params)`. A mapping it returns is merged into the context."""

    name: str
    call: Ask
    is_async: bool = False
    on_context: Callable[[Any], Any] | None = None
    """The function itself if it takes only the context; a fast path that bypasses `call`."""
    on_machine: Callable[[Any], Any] | None = None
    """The method itself if it takes only `self`; a fast path that bypasses `call`."""


@dataclass(frozen=True, slots=True)
class InState:
    """A guard that holds while the state `ref` (`#id` or a dotted path) is active, as XState's `stateIn`.

    With `also`, the guard of that name must hold too.
    """

    ref: str
    also: str | None = None


Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The functions behind a config's names. `speak` puts outcomes into words; without it `Outcome.say` is empty."""

    actions: Mapping[str, StepCode] = field(default_factory=lambda: _EMPTY)
    guards: Mapping[str, StepCode | InState] = field(default_factory=lambda: _EMPTY)
    services: Mapping[str, Function | ServiceCode] = field(default_factory=lambda: _EMPTY)
    delays: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    effects: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)
    payloads: Mapping[str, Payload] = field(default_factory=lambda: _EMPTY)
    context: ContextType = field(default_factory=DictContext)
    speak: Speak | None = None
    locales: LocaleFiles | None = None
    """The texts in other languages; each file is read on first use."""
    migrations: tuple[Any, ...] = ()
    """`fsmvoice.model.versions.Migration` objects that upgrade runs stored by earlier versions."""
    place: Callable[[Any], Any] | None = None
    """For a class: `place(run_state)` makes an instance in that state without running any code."""


class Speak(Protocol):
    """Puts outcomes into words. Called lazily, when `Outcome.say` is read."""

    def outcome(self, outcome: Any, /) -> str:
        """The reply to an event, or its refusal."""
        ...

    def status(self, snapshot: Any, /) -> str:
        """The current state and the events possible in it."""
        ...

    def reason(
        self, snapshot: Any, event: str, arcs: tuple[TransitionConfig, ...], payload: Mapping[str, Any], /
    ) -> str:
        """Why none of `arcs` can be taken: their guards' reasons, or why they forbid `event`. '' if none is given."""
        ...


def refuse_result(result: object) -> NoReturn:
    """Raise for a method that returned a value: methods change `self.context` and return None."""
    if inspect.iscoroutine(result):
        result.close()
        raise TypeError("it returned a coroutine that nobody awaits; make it an async method, or await it there")
    raise TypeError(f"it returned {type(result).__name__}; a method changes self.context and returns nothing")


def named_code(name: str, function: Function, *, role: str = "action") -> StepCode:
    """Make a config's function callable by the engine.

    It is passed those of `context, event, params, queue, later, idempotency_key` that it has parameters for.

    Raises:
        TypeError: if it is not a function, or requires any other argument.
    """
    if not callable(function):
        raise TypeError(f"is {type(function).__name__}; it should be a function")
    wanted = accepted_arguments(function, _CALLABLE_WITH, without_signature=("context", "event"), rule=_MAY_TAKE)
    is_async = returns_coroutine(function)
    if role == "guard":
        if is_async:
            raise TypeError("is async; a guard decides at once, so make it a plain function")
        asks = next((asked for asked in _FOR_ACTIONS if asked in wanted), None)
        if asks is not None:
            raise TypeError(f"takes {asks!r}; a guard only looks, so {_FOR_ACTIONS[asks]} in an action")
        if not only_looks(function):
            return StepCode(name, asked(_adapter(function, wanted)), is_async)
    return StepCode(name, _adapter(function, wanted), is_async, _on_context(function, wanted))


def asked(guard: Ask) -> Ask:
    """How a guard is called that may change the context: through `Step.ask`."""
    return lambda step, params: step.ask(guard, params)


def _on_context(function: Function, wanted: tuple[str, ...]) -> Function | None:
    if wanted != ("context",):
        return None
    first = next(iter(inspect.signature(function).parameters.values()))
    return function if first.name == "context" and first.kind is first.POSITIONAL_OR_KEYWORD else None


def _adapter(function: Function, wanted: tuple[str, ...]) -> Callable[[Step, Mapping[str, Any] | None], Any]:
    """Adapt `function` to the engine's calling convention; the common signatures avoid building a dict per call."""
    if wanted == ():
        return lambda step, params: function()  # noqa: ARG005 - one shape for every adapter
    if wanted == ("context",):
        return lambda step, params: function(context=step.context)  # noqa: ARG005 - one shape for every adapter
    if wanted == ("event",):
        return lambda step, params: function(event=step.event)  # noqa: ARG005 - one shape for every adapter
    if set(wanted) == {"context", "event"}:
        return lambda step, params: function(context=step.context, event=step.event)  # noqa: ARG005 - one shape for every adapter

    def call(step: Step, params: Mapping[str, Any] | None) -> Any:
        return function(**{name: (params or _EMPTY) if name == "params" else getattr(step, name) for name in wanted})

    return call
