"""Why something is closed: `guard` gives a method its spoken reason, `forbid` closes an event in a state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from typing_extensions import TypeVar

from fsmvoice.machine.body import Body
from fsmvoice.machine.misplaced import misplaced
from fsmvoice.machine.place import Place, here, user_frame
from fsmvoice.machine.states import StateRef

G = TypeVar("G", bound=Callable[..., bool])

_REASON = "__fsmvoice_reason__"


@dataclass(frozen=True, slots=True)
class Forbidden:
    """An event that is closed in a state, with the reason to say. Made by `forbid`."""

    event: str
    source: StateRef
    reason: str
    place: Place

    __fsmvoice__ = "a forbid"


def guard(reason: str) -> Callable[[G], G]:
    """Give a guard the reason that is spoken when it says no: "We are out of {drink}.".

    A guard is a plain method that only looks: it takes nothing, or exactly the event's parameters, and returns a bool.
    """
    place = here()

    def decorate(function: Any) -> Any:
        if not isinstance(function, FunctionType):
            return misplaced("@guard", function, place)
        setattr(function, _REASON, reason)
        return function

    return decorate


def reason_of(function: object) -> str | None:
    """What `@guard` said of a function."""
    return getattr(function, _REASON, None)


def forbid(event: str, *, source: StateRef, reason: str) -> object:
    """Close an event in a state, whatever the states around it would do.

    It stands in the class body: alone as a line, or as `hot = forbid("POWER", source=heating, reason="It is hot.")`,
    which has a name, so that a subclass can lift it with `hot = None`.
    """
    forbidden = Forbidden(event, source, reason, here())
    body = user_frame().f_locals
    if isinstance(body, Body):
        body.declare(forbidden)
    return forbidden
