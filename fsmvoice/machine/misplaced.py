"""Decorators on what they can't decorate, recorded until the class is created, to report all problems at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fsmvoice.errors import Problem
from fsmvoice.machine.place import Place, place_of


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A placeholder in the class body for an invalid declaration, with its problem."""

    problem: Problem

    @property
    def __isabstractmethod__(self) -> bool:
        return False


def bare(decorator: str, function: Any, hint: str) -> Misplaced:
    """The placeholder for `function`, which a decorator was put on without its arguments."""
    return Misplaced(Problem(str(place_of(function)), f"{decorator} stands without its arguments", f"write {hint}"))


def misplaced(decorator: str, found: object, place: Place) -> Misplaced:
    """The placeholder for `found`, which `decorator` can't decorate."""
    kind = type(found).__name__
    hint = "put it on a plain method"
    if decorator == "@spoken":
        hint = "put it above the @transition of an event"
    if kind in ("classmethod", "staticmethod", "property"):
        hint = f"leave the {kind} out: the method's first parameter is the running machine"
    return Misplaced(Problem(str(place), f"{decorator} decorates a {kind}", hint))
