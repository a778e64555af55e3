"""The namespace of a class body that notices when a declaration is lost because its name is bound again."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from fsmvoice.errors import Problem
from fsmvoice.machine.place import Place, here


class Body(dict[str, Any]):
    """A class body. `problems` are the declarations lost in it, `places` says where each name was bound."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[Problem] = []
        self.places: dict[str, Place] = {}
        self._unnamed: list[tuple[Place, Any]] = []

    def declare(self, value: Any) -> None:
        """Note what works without a name too."""
        self._unnamed.append((here(), value))

    def attributes(self) -> dict[str, Any]:
        """The class's attributes; what was declared without a name stands under its place."""
        named = {id(value) for value in self.values()}
        bare = {f"{place} {n}": value for n, (place, value) in enumerate(self._unnamed) if id(value) not in named}
        return {**self, **bare}

    def __setitem__(self, name: str, value: Any) -> None:
        place = here()
        kind = kind_of(self.get(name))
        if kind:
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
    """How an error calls what `value` declares, such as "a state"; '' where it declares nothing.

    The types of declarations carry the word in `__fsmvoice__`; a function carries its hooks there.
    """
    if isinstance(value, FunctionType):
        return "a hook" if "__fsmvoice__" in value.__dict__ else ""
    return getattr(type(value), "__fsmvoice__", "")
