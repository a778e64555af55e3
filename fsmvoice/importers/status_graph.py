"""`fsm_from_status_graph`: a machine from a workflow `{status: [next statuses]}`, as issue trackers have it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fsmvoice.errors import DefinitionError, Problem, did_you_mean
from fsmvoice.model.behaviour import Function, named_code
from fsmvoice.model.forms import step
from fsmvoice.model.imported import Imported
from fsmvoice.model.parse import parse_config


def fsm_from_status_graph(
    *,
    initial: str,
    graph: Mapping[str, Iterable[str]],
    id: str | None = None,
    context: Mapping[str, Any] | None = None,
    prompts: Mapping[str, str | list[str]] | None = None,
    on_enter: Mapping[str, Function] | None = None,
    event_name: Callable[[str], str] | None = None,
) -> Imported:
    """Make a machine from a status graph. Each destination gets an event `MOVE_TO_<STATUS>`; an empty list is final.

    Args:
        prompts: the prompt of each status.
        on_enter: for each status, a function (async or not) run by every transition into it, before the reply. It is
            passed those of `context, event, params, queue` that it has parameters for, and returns the context fields
            to change. It does not run at the start or on starting over.
        event_name: returns the event that moves into a status, instead of `MOVE_TO_<STATUS>`.

    Raises:
        DefinitionError: listing everything that is wrong with the graph.
    """
    reader = _Reader(graph, prompts or {}, on_enter or {}, event_name)
    if reader.readable:
        reader.check(initial)
    subject = f"status graph {id!r}" if id else "the status graph"
    if reader.problems:
        raise DefinitionError(subject, reader.problems)
    config = {
        "id": id,
        "initial": _reference(id, initial),
        "context": {} if context is None else context,
        "states": {status: reader.state(id, status) for status in reader.moves},
        "meta": reader.labels(),
    }
    actions = {_action(status): function for status, function in reader.on_enter.items()}
    return Imported(parse_config(config, subject), actions, tuple(reader.notes))


class _Reader:
    """The graph as given, and the problems found in it."""

    def __init__(
        self,
        graph: Mapping[str, Iterable[str]],
        prompts: Mapping[str, str | list[str]],
        on_enter: Mapping[str, Function],
        event_name: Callable[[str], str] | None,
    ) -> None:
        self.prompts, self.on_enter, self.event_name = prompts, on_enter, event_name
        self.problems: list[Problem] = []
        self.notes: list[str] = []
        self.moves: dict[str, list[str]] = {}
        for where, given in (("graph", graph), ("prompts", prompts), ("on_enter", on_enter)):
            if not isinstance(given, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - a graph is often read from a file
                self.problems.append(Problem(where, f"should be an object, not {type(given).__name__}"))
                continue
            self.problems += [
                Problem(where, f"the status {status!r} should be a string")
                for status in given
                if not isinstance(status, str) or not status  # pyright: ignore[reportUnnecessaryIsInstance] - read from a file
            ]
        self.readable = not self.problems
        if self.readable:
            self.moves = {status: self._moves(status, targets) for status, targets in graph.items()}

    def _moves(self, status: str, targets: Iterable[str]) -> list[str]:
        where = f"graph{step(status)}"
        if isinstance(targets, str) or not isinstance(targets, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] - read from a file
            single = isinstance(targets, str)  # pyright: ignore[reportUnnecessaryIsInstance] - read from a file
            hint = f"write [{targets!r}]" if single else "an empty list ends the workflow"
            self.problems.append(Problem(where, "should be a list of statuses", hint))
            return []
        moves = list(targets)
        for number, move in enumerate(moves):
            if not isinstance(move, str):  # pyright: ignore[reportUnnecessaryIsInstance] - read from a file
                self.problems.append(Problem(f"{where}[{number}]", f"the status {move!r} should be a string"))
                return []
        once = list(dict.fromkeys(moves))
        self.notes += [f"{status!r} lists {move!r} more than once" for move in once if moves.count(move) > 1]
        return once

    def check(self, initial: str) -> None:
        """Report every name that is not a status, and every event that would lead to two statuses."""
        if not self.moves:
            self.problems.append(Problem("graph", "has no statuses", 'for example {"todo": ["done"], "done": []}'))
        self._known("initial", initial)
        for status, moves in self.moves.items():
            for number, move in enumerate(moves):
                self._known(f"graph{step(status)}[{number}]", move)
        for status in self.prompts:
            self._known(f"prompts{step(status)}", status)
        for status, function in self.on_enter.items():
            where = f"on_enter{step(status)}"
            self._known(where, status)
            try:
                named_code(_action(status), function)
            except TypeError as error:
                self.problems.append(Problem(where, str(error)))
            if status in self.moves and not any(status in moves for moves in self.moves.values()):
                self.notes.append(f"on_enter of {status!r} never runs: no status moves there")
        for move in self._destinations if self.event_name else ():
            name: object = self.event(move)
            if not isinstance(name, str) or not name:  # pyright: ignore[reportUnnecessaryIsInstance] - a user's function
                self.problems.append(
                    Problem("event_name", f"returned {name!r:.60} for {move!r}", "it should return a string")
                )
        if not self.problems:
            self._check_events()

    def _known(self, where: str, status: str) -> None:
        if status not in self.moves:
            hint = did_you_mean(str(status), self.moves, otherwise="the statuses are")
            self.problems.append(Problem(where, f"unknown status {status!r}", hint))

    def _check_events(self) -> None:
        groups = self.moves.values() if self.event_name else [self._destinations]
        told: set[tuple[str, str]] = set()
        for moves in groups:
            taken: dict[str, str] = {}
            for move in moves:
                first = taken.setdefault(self.event(move), move)
                if first != move and (first, move) not in told:
                    told.add((first, move))
                    message = f"{first!r} and {move!r} both make the event {self.event(move)}"
                    self.problems.append(Problem("graph", message, "give event_name= to tell them apart"))

    @property
    def _destinations(self) -> list[str]:
        return list(dict.fromkeys(move for moves in self.moves.values() for move in moves))

    def event(self, status: str) -> str:
        """The event that moves into `status`."""
        return self.event_name(status) if self.event_name else "MOVE_TO_" + re.sub(r"[^A-Z0-9]+", "_", status.upper())

    def state(self, machine_id: str | None, status: str) -> dict[str, Any]:
        """The state that stands for `status`."""
        state: dict[str, Any] = {}
        if status in self.prompts:
            state["meta"] = {"prompt": self.prompts[status]}
        if not self.moves[status]:
            return {"final": True, **state}
        arcs = {move: {"target": _reference(machine_id, move)} for move in self.moves[status]}
        for move, arc in arcs.items():
            if move in self.on_enter:
                arc["actions"] = _action(move)
        return {"on": {self.event(move): arc for move, arc in arcs.items()}, **state}

    def labels(self) -> dict[str, Any] | None:
        """The labels and utterances of generated events. Names from `event_name` get the default ones."""
        if self.event_name or not self._destinations:
            return None
        return {"events": {self.event(move): _spoken(_said(move)) for move in self._destinations}}


_SIGNS = frozenset("()[]{}<>|;\\")
"""The characters with a meaning in utterance templates."""


def _spoken(status: str) -> dict[str, Any]:
    said: dict[str, Any] = {"label": f"move to {status}", "description": f"Move to {status}."}
    if not _SIGNS & set(status):
        said["utterances"] = [f"move it to {status}", f"put it in {status}", f"mark it as {status}"]
    return said


def _action(status: str) -> str:
    return f"on_enter.{status}"


def _reference(machine_id: str | None, status: str) -> str:
    """A target that resolves to `status` even if it starts with a character that has a meaning in targets."""
    return f"#{machine_id or '(machine)'}.{status}" if status[:1] in ("#", ".") else status


def _said(status: str) -> str:
    """A status as spoken after "move to": "review" for `to_review`, "in QA" for `In QA`."""
    split = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", status)
    words = re.sub(r"[\W_]+", " ", split).split()
    mixed = any(character.islower() for character in status)
    words = [word if mixed and word.isupper() and len(word) > 1 else word.lower() for word in words]
    if words == ["to", "do"]:
        return "todo"
    if len(words) > 1 and words[0] == "to":
        words = words[1:]
    return " ".join(words) or status
