"""Decorators for methods that run without an event: `on_enter`, `on_exit`, `on_done`, `always`, `after`, `invoke`."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from types import FunctionType
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, cast

from typing_extensions import TypeVar

from fsmvoice.machine.misplaced import bare, misplaced
from fsmvoice.machine.place import Place, here
from fsmvoice.machine.running import M
from fsmvoice.machine.states import StateRef
from fsmvoice.machine.transitions import GuardRef, R
from fsmvoice.model.chart import milliseconds

S = TypeVar("S", bound="Mapping[str, Any] | Awaitable[Mapping[str, Any] | None] | None")
HookKind: TypeAlias = Literal["entry", "exit", "done", "always", "after", "invoke"]
_MARK = "__fsmvoice__"


class Hook(NamedTuple):
    """What one of these decorators records on a method."""

    kind: HookKind
    source: StateRef
    place: Place
    target: StateRef | None = None
    guard: GuardRef = None
    says: str | None = None
    milliseconds: float = 0
    error: StateRef | None = None
    on_restart: Literal["restart", "error"] = "restart"


class DecorateHook(Protocol):
    """A decorator of a sync or async method that takes and returns nothing."""

    def __call__(self, function: Callable[[M], R], /) -> Callable[[M], R]: ...


class DecorateService(Protocol):
    """A decorator of a sync or async method that takes nothing and returns context fields or None."""

    def __call__(self, function: Callable[[M], S], /) -> Callable[[M], S]: ...


def on_enter(state: StateRef) -> DecorateHook:
    """Run the method each time the state is entered."""
    return _hooking("@on_enter", Hook("entry", state, here()))


def on_exit(state: StateRef) -> DecorateHook:
    """Run the method each time the state is exited."""
    return _hooking("@on_exit", Hook("exit", state, here()))


def on_done(state: StateRef, *, target: StateRef | None = None) -> DecorateHook:
    """Run the method when a compound state reaches a final state, or when all regions of a parallel state have.

    Args:
        target: the state to go to then, if any.
    """
    return _hooking("@on_done", Hook("done", state, here(), target=target))


def always(*, source: StateRef, target: StateRef, guard: str | Callable[[M], bool] | None = None) -> DecorateHook:
    """Take this transition without an event, as soon as the guard holds. The method is its action."""
    return _hooking("@always", Hook("always", source, here(), target=target, guard=guard))


def after(
    delay: float | timedelta,
    *,
    source: StateRef,
    target: StateRef,
    guard: str | Callable[[M], bool] | None = None,
    says: str | None = None,
) -> DecorateHook:
    """Take this transition once `source` has been active for `delay`. The method is its action.

    Args:
        delay: a timedelta, or a number of seconds.
        source: the state that waits; exiting it cancels the timer.
        target: the state to go to.
        guard: if it does not hold when the timer fires, nothing happens.
        says: a text said after it, in the next reply.
    """
    known = None if isinstance(delay, str) else milliseconds(delay)
    waits = math.nan if known is None else known if isinstance(delay, timedelta) else known * 1000
    hook = Hook("after", source, here(), target=target, guard=guard, says=says, milliseconds=waits)
    return _hooking("@after", hook)


def invoke(
    *,
    during: StateRef,
    done: StateRef | None = None,
    error: StateRef | None = None,
    says: str | None = None,
    on_restart: Literal["restart", "error"] = "restart",
) -> DecorateService:
    """Run the method as a service while a state is active. It starts after the commit, and is cancelled on exit.

    Args:
        during: the state in which it runs.
        done: the state to go to when it returns. The mapping of context fields that it returned is applied first.
        error: the state to go to if it raises.
        says: a text said when it is done: in the reply to the event that started it, or at the start of the next one.
        on_restart: what happens when the process dies meanwhile: "restart" runs it again with the same
            `self.idempotency_key`; "error", for services that must not start twice, goes to `error`.
    """
    return _hooking(
        "@invoke", Hook("invoke", during, here(), target=done, error=error, says=says, on_restart=on_restart)
    )


def hooks_of(function: object) -> tuple[Hook, ...]:
    """The hooks of a method, topmost decorator first."""
    return tuple(getattr(function, _MARK, ())) if isinstance(function, FunctionType) else ()


def _hooking(decorator: str, hook: Hook) -> Callable[[Any], Any]:
    given: Any = hook.source
    if isinstance(given, FunctionType):
        return cast("Any", bare(decorator, given, f"{decorator}(state)"))  # type: ignore[no-any-return]  # no decorator

    def decorate(function: Any) -> Any:
        if not isinstance(function, FunctionType):
            return misplaced(decorator, function, hook.place)
        setattr(function, _MARK, (hook, *hooks_of(function)))
        return function

    return decorate
