"""Runs the steps of one machine and commits what they lead to. Whose turn it is, the actor says."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Generic, cast

from fsmvoice.engine.alarm import ring_after
from fsmvoice.engine.clock import Clock, SystemClock
from fsmvoice.engine.configuration import configuration_of
from fsmvoice.engine.drive import Running, drive_async, drive_sync
from fsmvoice.engine.kernel import INIT, MAX_MICROSTEPS, STOP, blank, macrostep, run
from fsmvoice.engine.open_step import NOTHING, OPEN, OpenStep
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.plan import start_plan, stop_plan
from fsmvoice.engine.report import Report
from fsmvoice.engine.snapshot import C, Snapshot
from fsmvoice.engine.timers import next_due
from fsmvoice.errors import NotSupported, ReasonCode, Refuse, RunawayError
from fsmvoice.model.chart import Chart
from fsmvoice.model.payload import InvalidPayload
from fsmvoice.model.run_state import RunState

_CLOCK = SystemClock()


class Stepper(Generic[C]):
    """A run state, and the steps that replace it: each in one assignment, or not at all."""

    __slots__ = (
        "__weakref__",
        "_alarm",
        "_busy",
        "_context",
        "_live",
        "_step",
        "chart",
        "clock",
        "machine",
        "run_state",
    )

    chart: Chart
    run_state: RunState
    """What was committed last."""
    machine: Any
    """The object that a class's methods run on; None for a config."""
    clock: Clock

    def _prepare(
        self,
        chart: Chart,
        *,
        run_state: RunState | None,
        context: C | None,
        clock: Clock | None,
        machine: Any,
        live: bool,
    ) -> None:
        _refuse_unsupported(chart)
        self.chart = chart
        self.clock, self.machine, self._live = clock or _CLOCK, machine, live
        self._context = None if context is None else chart.behaviour.context.copy(context)
        self._busy = False
        self._step: OpenStep | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self.run_state = blank(chart, self._start_context()) if run_state is None else run_state

    @property
    def context(self) -> C:
        """Inside a step of this actor the context being worked on; everywhere else the committed one."""
        step = self.inside
        return cast("C", self.run_state.context if step is None else step.context)

    @property
    def snapshot(self) -> Snapshot[C]:
        """Where it stands, as it was committed last."""
        return Snapshot(self.chart, self.run_state, self)

    @property
    def inside(self) -> OpenStep | None:
        """The step of this actor that the calling code is part of, if any."""
        opened = OPEN.get()
        return opened if opened is not None and opened.open and opened.owner is self else self._step

    async def catch_up_async(self) -> bool:
        """Step the timers that are due; the alarm calls it."""
        raise NotImplementedError

    def _start_context(self) -> Any:
        return self.chart.start_context() if self._context is None else self.chart.behaviour.context.copy(self._context)

    def _starting(self) -> Running[None]:
        """The initial step."""
        step = OpenStep(self.chart, self.run_state, INIT, NOTHING, self)
        yield from self._within(step, macrostep(step, start_plan(self.chart)))
        self._commit(step.after)

    def _starting_over(self) -> Running[Outcome[C]]:
        """Out of the states that are active, if any may still run, and in again; both or nothing."""
        state, chart = self.run_state, self.chart
        step = OpenStep(chart, state, STOP, NOTHING, self)
        try:
            if state.status == "active":
                plan = stop_plan(configuration_of(chart, state.leaves))
                yield from self._within(step, macrostep(step, plan))
            fresh = blank(chart, self._start_context(), state.seq + 1)
            step = OpenStep(chart, fresh, INIT, NOTHING, self)
            yield from self._within(step, macrostep(step, start_plan(chart)))
        except Refuse as refusal:
            return self._refused(step, refusal, state.seq)
        return self._outcome(step, state.seq)

    def _stepping_due(self) -> Running[bool]:
        """Step one due timer after the other. Each is committed before the next."""
        count = 0
        while (fired := next_due(self.run_state, self.clock.now())) is not None:
            timer, before = fired
            step = OpenStep(self.chart, before, timer.event, NOTHING, self)
            yield from self._within(step, macrostep(step))
            self._commit(step.after)
            count += 1
            if count >= MAX_MICROSTEPS:
                raise RunawayError(
                    f"timers of {self.chart.name} fall due without end, such as {timer.id!r}", [timer.id]
                )
        return count > 0

    def _within(self, step: OpenStep, running: Running[None]) -> Running[None]:
        """`running`, as part of `step` for all code that it calls."""
        busy, self._busy = self._busy, True
        token = OPEN.set(step)
        try:
            yield from running
        finally:
            step.open = False
            OPEN.reset(token)
            self._busy = busy

    def _run_sync(self, step: OpenStep) -> None:
        """As `_within`, by hand and for an event: the short way that most calls go.

        Nothing else runs in between, so a config needs no context variable to know that its code is inside.
        """
        self._busy, self._step = True, step
        token = None if self.machine is None else OPEN.set(step)
        try:
            rest = run(step)
            if rest is not None:
                drive_sync(rest)
        finally:
            step.open = self._busy = False
            self._step = None
            if token is not None:
                OPEN.reset(token)

    async def _run_async(self, step: OpenStep) -> None:
        token = OPEN.set(step)
        try:
            rest = run(step)
            if rest is not None:
                await drive_async(rest)
        finally:
            step.open = False
            OPEN.reset(token)

    def _commit(self, after: RunState) -> None:
        timers = self.run_state.timers
        self.run_state = after
        if after.timers is not timers:
            self._set_alarm()

    def _outcome(self, step: OpenStep, seq: int) -> Outcome[C]:
        after = step.after
        if after is not step.before:
            timers = self.run_state.timers
            self.run_state = after
            if after.timers is not timers:
                self._set_alarm()
            return Outcome(step, after, None, True)
        reason: ReasonCode | None = "guard-rejected" if step.rejected or step.plans else "no-transition"
        if any(not plan.forbids for plan in step.plans):
            reason = None
        return Outcome(step, after, reason, after.seq != seq)

    def _refused(self, step: OpenStep, refusal: Refuse, seq: int) -> Outcome[C]:
        return Outcome.refused(Report(step, refusal.say), self.run_state, "refused", changed=self.run_state.seq != seq)

    def _invalid(self, event: str, payload: Mapping[str, Any], error: InvalidPayload) -> Outcome[C]:
        step = OpenStep(self.chart, self.run_state, event, payload, self)
        return Outcome.refused(Report(step, faults=error.faults), self.run_state, "invalid-arguments", changed=False)

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        timers = self.run_state.timers
        if timers and self._live and isinstance(self.clock, SystemClock):
            wait = min(timer.due for timer in timers) - self.clock.now()
            self._alarm = ring_after(wait, self)


def _refuse_unsupported(chart: Chart) -> None:
    for node in chart.nodes:
        if node.invocations:
            raise NotSupported(
                f"{chart.name} can't run yet: its state {str(node)!r} invokes the service "
                f"{node.invocations[0].config.src!r} ({node.invocations[0].where})"
            )
