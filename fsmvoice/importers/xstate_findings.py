"""What an import collects besides the config: notes, problems, generated names, and functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from fsmvoice.errors import Problem
from fsmvoice.model.behaviour import Function, InState
from fsmvoice.model.shapes import is_list, is_object


class Findings:
    """Notes, problems, names and functions of one import. Reading continues after a problem, to report all of them."""

    def __init__(self, document: Any) -> None:
        self.notes: list[str] = []
        self.problems: list[Problem] = []
        self.actions: dict[str, Function] = {}
        self.guards: dict[str, Function | InState] = {}
        self.places: dict[str, str] = {}
        """For what has moved: its JSON path in the config, and the one in the document."""
        self.settled: set[str] = set()
        """Where arcs of version 4 stand in the config that were written otherwise, to do what they did."""
        self._document = document
        self._taken: set[str] | None = None

    def note(self, where: str, text: str) -> None:
        """Record something that was left out, renamed or assumed."""
        self.notes.append(f"{where}: {text}")

    def refuse(self, where: str, message: str, hint: str = "") -> None:
        """Record something that has no meaning here."""
        self.problems.append(Problem(where, message, hint))

    def fresh(self, *words: str) -> str:
        """Generate a snake_case name that the document doesn't use, for something that has no name."""
        name = re.sub(r"\W+", "_", re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", " ".join(words))).strip("_").lower()
        name = base = name or "unnamed"
        number = 1
        if self._taken is None:
            self._taken = set(_texts(self._document))
        while name in self._taken:
            number += 1
            name = f"{base}_{number}"
        self._taken.add(name)
        return name

    def action(self, kind: str, function: Function) -> str:
        """The name of an action that comes with the import; the same for all its uses."""
        for name, known in self.actions.items():
            if known is function:
                return name
        name = self.fresh(kind)
        self.actions[name] = function
        return name

    def moved(self, problem: Problem) -> Problem:
        """A problem of the config with its path in the document."""
        parts = problem.where
        while parts:
            if parts in self.places:
                return Problem(self.places[parts] + problem.where[len(parts) :], problem.message, problem.hint)
            parts = parts[: max(parts.rfind("."), parts.rfind("["), 0)]
        return problem


def _texts(document: Any) -> Iterator[str]:
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif is_list(value):
            waiting += value
        elif is_object(value):
            waiting += value.values()
