"""`Outcome`: the result of sending an event."""

from __future__ import annotations

from typing import Any, Generic

from fsmvoice.engine.open_step import OpenStep, Owner
from fsmvoice.engine.report import Report
from fsmvoice.engine.snapshot import C, Snapshot
from fsmvoice.errors import ReasonCode
from fsmvoice.model.run_state import RunState


class Outcome(Generic[C]):
    """The result of sending an event. A refusal is an outcome too, not an exception; it changed nothing."""

    __slots__ = ("_after", "_report", "_say", "_step", "changed", "reason")

    reason: ReasonCode | None
    """Why the event was refused; None if it was taken."""
    changed: bool
    """Whether the call committed anything: the event, or a timer that was due before it."""

    def __init__(self, step: OpenStep, after: RunState, reason: ReasonCode | None, changed: bool) -> None:
        self._step = step
        self._after: RunState | Snapshot[C] = after
        self.reason, self.changed = reason, changed
        self._report: Report | None = None
        self._say: str | None = None

    @classmethod
    def refused(cls, report: Report, after: RunState, reason: ReasonCode, *, changed: bool) -> Outcome[C]:
        """A refusal with its report, which knows more than the step."""
        outcome: Outcome[C] = cls(report.step, after, reason, changed)
        outcome._report = report
        return outcome

    def followed(self, step: OpenStep, after: RunState) -> Outcome[C]:
        """This outcome combined with a later step, such as that of a service's result."""
        first = self._step
        both = OpenStep(first.chart, first.before, first.first, first.given, step.owner)
        both.plans, both.after, both.rejected = (*first.plans, *step.plans), after, first.rejected
        both.open = both.looking = False
        return Outcome(both, after, self.reason, True)

    @property
    def owner(self) -> Owner:
        """The actor that handled the event."""
        return self._step.owner

    def __repr__(self) -> str:
        what = "ok" if self.ok else self.reason
        return f"<Outcome {self.event} {what}: {self.state!r}>"

    @property
    def ok(self) -> bool:
        """Whether the event was taken."""
        return self.reason is None

    @property
    def event(self) -> str:
        return self._step.first

    @property
    def snapshot(self) -> Snapshot[C]:
        """The machine's state at the end of the call."""
        after = self._after
        if isinstance(after, RunState):
            after = self._after = Snapshot(self._step.chart, after, self._step.owner)
        return after

    @property
    def report(self) -> Report:
        """What happened, for replies and `explain`."""
        if self._report is None:
            self._report = Report(self._step)
        return self._report

    @property
    def say(self) -> str:
        """The spoken reply, or the spoken refusal. '' for a chart compiled without speech."""
        if self._say is None:
            speak = self._step.chart.behaviour.speak
            self._say = "" if speak is None else speak.outcome(self)
        return self._say

    @property
    def state(self) -> str | dict[str, Any]:
        """`snapshot.value`."""
        return self.snapshot.value

    @property
    def context(self) -> C:
        """`snapshot.context`."""
        return self.snapshot.context

    @property
    def available(self) -> tuple[str, ...]:
        """`snapshot.available_events`."""
        return self.snapshot.available_events

    def explain(self) -> str:
        """For developers: the transitions tried, their guards' results, and what followed, a line each."""
        return self.report.explain()
