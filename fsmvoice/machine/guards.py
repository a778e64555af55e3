"""`guard` gives a guard method its spoken reason; `forbid` forbids an event in a state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any, cast

from typing_extensions import TypeVar

from fsmvoice.machine.body import Body
from fsmvoice.machine.misplaced import bare, misplaced
from fsmvoice.machine.place import Place, here, user_frame
from fsmvoice.machine.states import StateRef

G = TypeVar("G", bound=Callable[..., bool])

_REASON = "__fsmvoice_reason__"


@dataclass(frozen=True, slots=True)
class Forbidden:
    """An event that is forbidden in a state, with the spoken reason. Made by `forbid`."""

    event: str
    source: StateRef
    reason: str
    place: Place

    __fsmvoice__ = "a forbid"


def guard(reason: str) -> Callable[[G], G]:
    """Decorate a guard with the reason that is spoken when it does not hold: "We are out of {drink}.".

    A guard is a sync method without side effects. It takes no arguments, or exactly the event's parameters, and returns
    a bool.
    """
    place = here()
    given: Any = reason
    if isinstance(given, FunctionType):
        return cast("Any", bare("@guard", given, '@guard("Why not.")'))  # type: ignore[no-any-return]  # no decorator

    def decorate(function: Any) -> Any:
        if not isinstance(function, FunctionType):
            return misplaced("@guard", function, place)
        setattr(function, _REASON, reason)
        return function

    return decorate


def reason_of(function: object) -> str | None:
    """The reason given to a function by `@guard`."""
    return getattr(function, _REASON, None)


def forbid(event: str, *, source: StateRef, reason: str) -> object:
    """Forbid an event in a state, even if an enclosing state handles it.

    Call it in the class body. Assigned to a name, as in `hot = forbid("POWER", source=heating, reason="It is hot.")`, a
    subclass can remove it with `hot = None`.
    """
    forbidden = Forbidden(event, source, reason, here())
    body = user_frame().f_locals
    if isinstance(body, Body):
        body.declare(forbidden)
    return forbidden
