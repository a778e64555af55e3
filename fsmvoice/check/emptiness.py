"""Finds the context fields that may be empty in each state, by following the source of actions from the start."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any

from fsmvoice.check.subject import Subject
from fsmvoice.check.ways import Key, Move
from fsmvoice.check.wording import Said
from fsmvoice.engine.configuration import Plan
from fsmvoice.model.nodes import INTERNAL, Arc, Call, Node

_NOTHING: frozenset[str] = frozenset()
_EMPTY: Sequence[object] = ("", list[object](), (), set[object]())


class Emptiness:
    """The fields of a machine that may be None or empty, for each set of active states."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        hints: Mapping[str, Any] = subject.chart.behaviour.context.hints
        private = subject.chart.behaviour.context.private
        self._nullable = frozenset(name for name, hint in hints.items() if allows_none(hint) and name not in private)
        self._before = self._followed(self._at_start())

    def _at_start(self) -> frozenset[str]:
        kind, some = self._subject.chart.behaviour.context, self._subject.contexts
        values = kind.values(some[0]) if some else self._subject.chart.config.context
        empty = frozenset(name for name, value in values.items() if value is None or value in _EMPTY)
        return empty - frozenset(kind.private)

    def _followed(self, start: frozenset[str]) -> dict[Key | None, frozenset[str]]:
        """For each set of states, the union of the fields that may be empty on any way that leads there."""
        found: dict[Key | None, frozenset[str]] = {None: start}
        if not start and not self._nullable:
            return found
        changed = True
        while changed:
            changed = False
            for move in self._subject.ways.moves:
                if move.end is None or move.start not in found:
                    continue
                after = found.get(move.end, _NOTHING) | self._after(found[move.start], move.plan)
                if move.end not in found or after != found[move.end]:
                    found[move.end] = after
                    changed = True
        return found

    def _after(self, before: frozenset[str], plan: Plan) -> frozenset[str]:
        """The fields that may be empty after a step, given those that may be before it."""
        empty = set(before)
        for operation in plan.operations:
            if not isinstance(operation, Call):
                continue
            reading = self._subject.reading(operation.name)
            if reading.unknown:
                empty.clear()
            empty -= reading.sets
            empty |= reading.clears & (self._nullable | before)
        return frozenset(empty)

    def at(self, said: Said, name: str) -> str | None:
        """Where a slot may have no value, as a phrase that is '' for everywhere. None if it always has one."""
        event = said.spot.events[0] if said.spot.events else ""
        parameter = self._subject.payload(event).parameters.get(name) if event else None
        if parameter is not None:
            return "" if not parameter.required and allows_none(parameter.annotation) else None
        if said.kind == "reason":
            return self._refused(said, name)
        for move in self._subject.ways.moves:
            before = self._before.get(move.start, _NOTHING)
            if said.kind == "prompt":
                if said.spot.states[0] in move.plan.entered and name in self._after(before, move.plan):
                    return self._on(move.event, move.plan.entered[-1])
            elif self._says(move, said, event) and name in (
                before if said.kind in ("confirm", "working") else self._after(before, move.plan)
            ):
                return "" if move.before is None else f" in {self._named(move, event)}"
        return None

    @staticmethod
    def _says(move: Move, said: Said, event: str) -> bool:
        """Whether a text belongs to a step's transition or event."""
        if said.entry.arc:
            return any(id(arc.config) == said.entry.arc for arc in move.plan.arcs)
        return bool(event) and event == move.event

    def _refused(self, said: Said, name: str) -> str | None:
        """The first set of states in which a reason may be said while the slot is empty, as a phrase."""
        for move in self._subject.ways.moves:
            if move.before is None or name not in self._before.get(move.start, _NOTHING):
                continue
            for event in move.before.events:
                for arc in move.before.candidates(event).all():
                    if self._refuses(arc, said) and name not in self._subject.payload(event).parameters:
                        return f" in {self._named(move, event)}"
        return None

    @staticmethod
    def _refuses(arc: Arc, said: Said) -> bool:
        if said.entry.arc:
            return id(arc.config) == said.entry.arc
        return arc.guard is not None and said.entry.key[:2] == ("guards", arc.guard.name)

    def _named(self, move: Move, event: str) -> str:
        assert move.before is not None  # callers have checked this
        return repr(self._subject.at_standing(move.before, (event,)).name)

    @staticmethod
    def _on(event: str, node: Node) -> str:
        if not event or event.startswith(INTERNAL):
            return f" when {str(node)!r} is entered"
        return f" when {event} leads here"


def allows_none(hint: Any) -> bool:
    """Whether an annotation has None among its values."""
    if typing.get_origin(hint) is typing.Annotated:
        return allows_none(typing.get_args(hint)[0])
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return any(allows_none(option) for option in typing.get_args(hint))
    return hint in (None, type(None))
