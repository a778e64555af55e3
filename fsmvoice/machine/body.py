"""The namespace of a class body. It detects declarations that are lost because their name is bound again."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from fsmvoice.errors import Problem
from fsmvoice.machine.place import Place, here


class Body(dict[str, Any]):
    """A class body. `problems` reports lost declarations; `places` records where each name was bound."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[Problem] = []
        self.lost: list[Any] = []
        self.places: dict[str, Place] = {}
        self._unnamed: list[tuple[Place, Any]] = []

    def declare(self, value: Any) -> None:
        """Record a declaration that needs no name."""
        self._unnamed.append((here(), value))

    def attributes(self) -> dict[str, Any]:
        """The class's attributes. Declarations without a name are stored under their place."""
        named = {id(value) for value in self.values()}
        bare = {f"{place} {n}": value for n, (place, value) in enumerate(self._unnamed) if id(value) not in named}
        return {**self, **bare}

    def __setitem__(self, name: str, value: Any) -> None:
        place = here()
        kind = kind_of(self.get(name))
        if kind:
            self.lost.append(self[name])
            self.problems.append(
                Problem(
                    str(place),
                    f"{name!r} is already {kind} (line {self.places[name].line}), which would be lost",
                    "rename one of the two",
                )
            )
        self.places[name] = place
        super().__setitem__(name, value)


def kind_of(value: object) -> str:
    """What `value` declares, as errors call it, such as "a state"; '' if it is not a declaration.

    The types of declarations have this word in `__fsmvoice__`; functions have their hooks there.
    """
    if isinstance(value, FunctionType):
        return "a hook" if "__fsmvoice__" in value.__dict__ else ""
    return getattr(type(value), "__fsmvoice__", "")
