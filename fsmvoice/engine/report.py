"""`Report`: what happened at an event, for replies, logs and explanations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fsmvoice.engine.configuration import Plan, configuration_of
from fsmvoice.engine.open_step import OpenStep
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.model.config import TransitionConfig
from fsmvoice.model.nodes import Arc, Node
from fsmvoice.model.payload import Fault


class Report:
    """What happened at an event, read from the step that handled it."""

    __slots__ = ("faults", "refusal", "step")

    step: OpenStep
    refusal: str | None
    faults: tuple[Fault, ...]

    def __init__(self, step: OpenStep, refusal: str | None = None, faults: tuple[Fault, ...] = ()) -> None:
        self.step, self.refusal, self.faults = step, refusal, faults

    @property
    def event(self) -> str:
        return self.step.first

    @property
    def payload(self) -> Mapping[str, Any]:
        """The payload, validated if the event has a schema."""
        return self.step.given

    @property
    def before(self) -> Snapshot[Any]:
        """The state in which the event arrived, after timers that were due."""
        return Snapshot(self.step.chart, self.step.before, self.step.owner)

    @property
    def _plans(self) -> tuple[Plan, ...]:
        return () if self.refusal is not None else self.step.plans

    @property
    def _forbidding(self) -> tuple[Arc, ...]:
        return tuple(arc for plan in self._plans for arc in plan.arcs if arc.forbids)

    @property
    def taken(self) -> tuple[TransitionConfig, ...]:
        """The transitions taken, in order: the event's, then those that followed from it."""
        return tuple([arc.config for plan in self._plans for arc in plan.arcs if not arc.forbids])

    @property
    def rejected(self) -> tuple[TransitionConfig, ...]:
        """The transitions whose guards did not hold, and those that forbid the event."""
        return tuple(arc.config for arc in dict.fromkeys((*self.step.rejected, *self._forbidding)))

    @property
    def entered(self) -> tuple[Node, ...]:
        """The states that were entered and are still active, in document order."""
        if not self._plans:
            return ()
        last = self._plans[-1].to
        if len(self._plans) == 1 and all(node.index in last.members for node in self._plans[0].entered):
            return self._plans[0].entered
        found: set[Node] = {node for plan in self._plans for node in plan.entered if node.index in last.members}
        return tuple(sorted(found, key=lambda node: node.index))

    def explain(self) -> str:
        """For developers: the arcs tried, the result of each, and what followed, a line each."""
        chart, state = self.step.chart, self.step.before
        lines = [f"{self.event} in {self.before.value!r}:"]
        if self.faults:
            return "\n".join([*lines, *(f"  the arguments don't fit: {fault.message}" for fault in self.faults)])
        if state.status != "active":
            return f"{lines[0]} the machine is {state.status}; no event is taken"
        asked = configuration_of(chart, state.leaves).candidates(self.event).all()
        first = self._plans[0].arcs if self._plans else ()
        for arc in asked:
            if arc in first:
                answer = "forbids it" if arc.forbids else "taken"
            elif arc in self.step.rejected:
                answer = f"guard {arc.guard.name!r} said no" if arc.guard is not None else "not asked"
            else:
                answer = "not asked"
            lines.append(f"  {_arc(arc)}: {answer}")
        if not asked:
            lines.append("  no active state has a transition for it")
        lines += [f"  then {_arc(arc)}" for plan in self._plans for arc in plan.arcs if arc not in asked]
        if self.refusal is not None:
            lines.append(f"  refused, and undone: {self.refusal}")
        return "\n".join(lines)


def _arc(arc: Arc) -> str:
    target = ", ".join(str(node) for node in arc.targets)
    return f"{arc.source} --{arc.event or 'always'}--> {target or '(stays)'} ({arc.where})"
