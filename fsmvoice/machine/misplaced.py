"""A decorator on what it can't decorate: kept until the class is created, so that all errors are told at once."""

from __future__ import annotations

from dataclasses import dataclass

from fsmvoice.errors import Problem
from fsmvoice.machine.place import Place


@dataclass(frozen=True, slots=True)
class Misplaced:
    """Stands in the class body where a declaration would, with what is wrong."""

    problem: Problem

    @property
    def __isabstractmethod__(self) -> bool:
        return False


def misplaced(decorator: str, found: object, place: Place) -> Misplaced:
    """The stand-in for `found`, which `decorator` can't take."""
    kind = type(found).__name__
    hint = "put it on a plain method"
    if decorator == "@spoken":
        hint = "it stands above the @transition of an event"
    if kind in ("classmethod", "staticmethod", "property"):
        hint = f"leave the {kind} out: the method's first parameter is the running machine"
    return Misplaced(Problem(str(place), f"{decorator} decorates a {kind}", hint))
