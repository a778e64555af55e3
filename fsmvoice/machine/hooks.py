"""What runs without an event: entering, leaving and finishing states, `always`, `after` and `invoke`."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from types import FunctionType
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from typing_extensions import TypeVar

from fsmvoice.machine.misplaced import misplaced
from fsmvoice.machine.place import Place, here
from fsmvoice.machine.running import M
from fsmvoice.machine.states import StateRef
from fsmvoice.machine.transitions import GuardRef, R
from fsmvoice.model.chart import milliseconds

S = TypeVar("S", bound="Mapping[str, Any] | Awaitable[Mapping[str, Any] | None] | None")
HookKind: TypeAlias = Literal["entry", "exit", "done", "always", "after", "invoke"]
_MARK = "__fsmvoice__"


class Hook(NamedTuple):
    """One decorator that ties a method to a state."""

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
    """The decorator of a method that takes nothing and returns nothing; sync or async."""

    def __call__(self, function: Callable[[M], R], /) -> Callable[[M], R]: ...


class DecorateService(Protocol):
    """The decorator of a method that takes nothing and returns context fields, or nothing."""

    def __call__(self, function: Callable[[M], S], /) -> Callable[[M], S]: ...


def on_enter(state: StateRef) -> DecorateHook:
    """Run the method each time the state is entered."""
    return _hooking("@on_enter", Hook("entry", state, here()))


def on_exit(state: StateRef) -> DecorateHook:
    """Run the method each time the state is left."""
    return _hooking("@on_exit", Hook("exit", state, here()))


def on_done(state: StateRef, *, target: StateRef | None = None) -> DecorateHook:
    """Run the method when a state that has states of its own is done: its final state is reached, or all its regions'.

    Args:
        target: where that leads.
    """
    return _hooking("@on_done", Hook("done", state, here(), target=target))


def always(*, source: StateRef, target: StateRef, guard: str | Callable[[M], bool] | None = None) -> DecorateHook:
    """Take this transition as soon as the guard holds, without an event; the method runs on the way."""
    return _hooking("@always", Hook("always", source, here(), target=target, guard=guard))


def after(
    delay: float | timedelta,
    *,
    source: StateRef,
    target: StateRef,
    guard: str | Callable[[M], bool] | None = None,
    says: str | None = None,
) -> DecorateHook:
    """Take this transition when the source has been active for `delay`; the method runs on the way.

    Args:
        delay: how long; a number is seconds.
        source: the state that waits; leaving it stops the clock.
        target: where it leads.
        guard: must hold when the time has come, else nothing happens.
        says: what is said of it.
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
    """Run the method as a service while a state is active: it starts after the commit and is cancelled on leaving.

    What it returns, a mapping of context fields, is applied on the way to `done`; if it raises, `error` is next.
    If its process dies, it is run again under the same `self.idempotency_key`, or with `on_restart="error"`, for what
    must not be begun twice, `error` is next. `says` is said when it is done: in the reply to the event that started it,
    or if that is over, before the next one.
    """
    return _hooking(
        "@invoke", Hook("invoke", during, here(), target=done, error=error, says=says, on_restart=on_restart)
    )


def hooks_of(function: object) -> tuple[Hook, ...]:
    """The hooks of a method, the top decorator first."""
    return tuple(getattr(function, _MARK, ())) if isinstance(function, FunctionType) else ()


def _hooking(decorator: str, hook: Hook) -> Callable[[Any], Any]:
    def decorate(function: Any) -> Any:
        if not isinstance(function, FunctionType):
            return misplaced(decorator, function, hook.place)
        setattr(function, _MARK, (hook, *hooks_of(function)))
        return function

    return decorate
