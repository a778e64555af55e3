"""Runs the steps of one machine and commits what they lead to. Whose turn it is, the actor says."""

from __future__ import annotations

import asyncio
import logging
import secrets
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, cast

from fsmvoice.engine.alarm import ring_after
from fsmvoice.engine.clock import Clock, SystemClock
from fsmvoice.engine.configuration import configuration_of
from fsmvoice.engine.drive import Running, drive_async
from fsmvoice.engine.effects import EffectHost, Effects
from fsmvoice.engine.kernel import INIT, MAX_MICROSTEPS, STOP, blank, macrostep
from fsmvoice.engine.open_step import NOTHING, OPEN, OpenStep
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.plan import start_plan, stop_plan
from fsmvoice.engine.report import Report
from fsmvoice.engine.services import Host, Letter, Services, running_loop
from fsmvoice.engine.snapshot import C, Snapshot
from fsmvoice.engine.timers import next_due
from fsmvoice.errors import ActionFailed, ReasonCode, Refuse, RunawayError, ServiceFailed, Suspended
from fsmvoice.model.chart import Chart
from fsmvoice.model.effect import Wanted
from fsmvoice.model.payload import InvalidPayload
from fsmvoice.model.run_state import RunState, Service

log: logging.Logger = logging.getLogger("fsmvoice")

SYSTEM_CLOCK = SystemClock()


class Stepper(ABC, Generic[C]):
    """A run state, and the steps that replace it: each in one assignment, or not at all."""

    __slots__ = (
        "__weakref__",
        "_alarm",
        "_busy",
        "_context",
        "_effects",
        "_live",
        "_services",
        "_step",
        "chart",
        "clock",
        "gate",
        "journal",
        "key_of_call",
        "machine",
        "run_state",
    )

    chart: Chart
    run_state: RunState
    """What was committed last."""
    machine: Any
    """The object that a class's methods run on; None for a config."""
    clock: Clock
    gate: Callable[[], Awaitable[None]] | None
    """Is passed before step code that waits is begun; what it raises undoes the step."""
    journal: list[tuple[OpenStep, RunState]] | None
    """Each step that was committed, and what it led to, for who keeps them elsewhere and runs their effects."""
    key_of_call: Callable[[OpenStep], str] | None
    """Gives the idempotency key of a step."""

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
        self.chart = chart
        self.clock, self.machine, self._live = clock or SYSTEM_CLOCK, machine, live
        self._context = None if context is None else chart.behaviour.context.copy(context)
        self._busy = False
        self._step: OpenStep | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._services: Services | None = None
        self._effects: Effects | None = None
        self.gate = self.journal = self.key_of_call = None
        self.run_state = blank(chart, self._start_context()) if run_state is None else run_state

    @property
    def context(self) -> C:
        """Inside a step of this actor the context being worked on; everywhere else the committed one, for reading."""
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

    def idempotency_key(self) -> str:
        """What tells the step that is open from every other one, and stays the same when it is tried again."""
        step = self.inside
        if step is None or self.key_of_call is None:
            return secrets.token_hex(16)
        return self.key_of_call(step)

    def service_key(self, service: Service) -> str:
        """What tells an invocation from every other one; it is not kept, so it is new after a restart."""
        return f"{service.key}:{secrets.token_hex(16)}"

    async def settled(self) -> None:
        """Wait until no coroutine service runs and all they sent was handled.

        Raises:
            ServiceFailed: if one failed meanwhile, and no transition took its error.
        """
        if self._services is not None:
            await self._services.settled()
        if self._effects is not None:
            await self._effects.settled()

    @property
    def busy(self) -> bool:
        """Whether a call has the turn."""
        return self._busy

    @abstractmethod
    async def catch_up_async(self) -> bool:
        """Step the timers that are due; the alarm calls it."""

    def _start_context(self) -> Any:
        return self.chart.start_context() if self._context is None else self.chart.behaviour.context.copy(self._context)

    def _starting(self) -> Running[None]:
        """The initial step."""
        step = OpenStep(self.chart, self.run_state, INIT, NOTHING, self)
        yield from self._within(step, macrostep(step, start_plan(self.chart)))
        self._commit(step.after, step)

    def _starting_over(self) -> Running[Outcome[C]]:
        """Out of the states that are active, if any may still run, and in again; both or nothing."""
        state, chart = self.run_state, self.chart
        step = OpenStep(chart, state, STOP, NOTHING, self)
        try:
            if state.status == "active":
                plan = stop_plan(configuration_of(chart, state.leaves))
                yield from self._within(step, macrostep(step, plan))
            fresh = blank(chart, self._start_context(), state.seq + 1)
            wanted, step = step.effects, OpenStep(chart, fresh, INIT, NOTHING, self)
            step.effects = wanted
            yield from self._within(step, macrostep(step, start_plan(chart)))
        except Refuse as refusal:
            return self._refused(step, refusal, state.seq)
        self._commit(step.after, step)
        return Outcome(step, step.after, None, True)

    def _stepping_due(self, *, deliver: bool = True) -> Running[bool]:
        """Step one due timer after the other. Each is committed before the next.

        Args:
            deliver: handle what services sent at a timer's step before the next timer, as if each had come in time.
        """
        count = 0
        while (fired := next_due(self.run_state, self.clock.now())) is not None:
            timer, before = fired
            step = OpenStep(self.chart, before, timer.event, NOTHING, self)
            yield from self._within(step, macrostep(step))
            self._commit(step.after, step)
            count += 1
            if count >= MAX_MICROSTEPS:
                raise RunawayError(
                    f"timers of {self.chart.name} fall due without end, such as {timer.id!r}", [timer.id]
                )
            if deliver and self._services is not None:
                yield from self._delivering(due=False)
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

    def _commit(self, after: RunState, step: OpenStep | None = None) -> None:
        before = self.run_state
        if after.services is not before.services:
            self._check_startable(before, after)
        if step is not None and step.effects is not None and self.journal is None:
            self._check_effects(step)
        self.run_state = after
        if step is not None and after is not step.before:
            self._keep(step, after)
        if after.timers is not before.timers:
            self._set_alarm()
        if after.services is not before.services:
            self._follow(before, after)

    def _keep(self, step: OpenStep, after: RunState) -> None:
        """Act on what a step asked for beside its state, or leave that to whoever keeps a journal."""
        if self.journal is not None:
            self.journal.append((step, after))
        elif step.effects:
            self._effects = self._effects or Effects(cast("EffectHost", self))
            self._effects.run(step.effects)

    def _check_effects(self, step: OpenStep) -> None:
        """Before the commit: whether the effects can run.

        Raises:
            Suspended: if no event loop runs.
        """
        if running_loop() is None:
            name = (step.effects or [Wanted("", "")])[0].name
            raise Suspended(
                f"the effect {name!r} of {self.chart.name} is async, and no event loop runs; use the async call instead"
            )

    def _check_startable(self, before: RunState, after: RunState) -> None:
        """Before the commit: whether what is to be started then can be.

        Raises:
            Suspended: if a coroutine is, and no event loop runs.
        """
        if not self._live or running_loop() is not None:
            return
        configuration = configuration_of(self.chart, after.leaves)
        for service in after.services:
            if service not in before.services:
                invocation = configuration.invocation(service.id)
                if invocation is not None and invocation.code is not None and invocation.code.is_async:
                    raise Suspended(
                        f"the service {service.id!r} of {self.chart.name} is async, and no event loop runs; "
                        "use the async call instead"
                    )

    def _follow(self, before: RunState, after: RunState) -> None:
        """Cancel and start services, as a commit said. What they send at once is handled when the call ends."""
        if self._services is None:
            if not self._live:
                return
            self._services = Services(cast("Host", self))
        busy, self._busy = self._busy, True
        try:
            self._services.follow(before.services, after.services if self._live else ())
        finally:
            self._busy = busy

    def _delivering(self, *, due: bool = True) -> Running[None]:
        """Handle what services have sent, one after the other; before each, the timers that are `due`."""
        failure: Exception | None = None
        letters: deque[Letter] = self._services.letters if self._services is not None else deque()
        count = 0
        while letters:
            letter = letters.popleft()
            count += 1
            if count > MAX_MICROSTEPS:
                over = {other.service for other in (letter, *letters) if other.ends}
                letters.clear()
                state = self.run_state
                self._commit(state._replace(services=tuple(kept for kept in state.services if kept not in over)))
                raise RunawayError(
                    f"services of {self.chart.name} send events without end, such as {letter.event!r}", [letter.event]
                )
            try:
                if due:
                    yield from self._stepping_due(deliver=False)
                yield from self._handling(letter)
            except (Suspended, asyncio.CancelledError, GeneratorExit):
                letters.appendleft(letter)
                raise
            except Exception as error:
                failure = failure or error
        if failure is not None:
            raise failure

    async def handle(self, letter: Letter) -> None:
        """Step what a service has sent that is run elsewhere, in a turn on what keeps a journal.

        Nothing happens if its state was left.

        Raises:
            ActionFailed: its step failed, and so did that of its error, if it has ended; it is over all the same.
            ServiceFailed: it failed, and no transition takes that.
        """
        await drive_async(self._stepping_due())
        await drive_async(self._handling(letter))

    def _handling(self, letter: Letter) -> Running[None]:
        """The step of a service's event, if the service is still wanted."""
        service = letter.service
        state = self.run_state
        kept = self.journal is not None
        late = service not in state.services and (letter.ends or kept)
        if late or not (self._live or kept):
            log.info("%r of the service %r came late and was dropped: its state was left", letter.event, service.id)
            return
        if not letter.ends:
            yield from self._handling_sent(letter)
            return
        before = state._replace(services=tuple(other for other in state.services if other != service))
        failure: Any = letter.payload.get("error")
        try:
            try:
                step = OpenStep(self.chart, before, letter.event, letter.payload, self)
                yield from self._within(step, macrostep(step))
            except (ActionFailed, Refuse) as error:
                if failure is not None:  # the step of the failure failed too
                    raise
                failure = error
                event = letter.event.replace("xstate.done.", "xstate.error.", 1)
                step = OpenStep(self.chart, before, event, {"error": error}, self)
                yield from self._within(step, macrostep(step))
        except Suspended:
            raise  # and handled later
        except Exception:
            self._commit(before)  # whatever its event came to, the service is over
            raise
        self._commit(step.after, step)
        if failure is not None and not any(arc.event for plan in step.plans[:1] for arc in plan.arcs):
            raise ServiceFailed(
                f"the service {service.id!r} of {self.chart.name} failed with {type(failure).__name__}: {failure}; "
                f"no transition takes its error in {self.snapshot.value!r}, so give the invoke an onError "
                "(a class: @invoke(..., error=...))",
                name=service.id,
            ) from failure

    def _handling_sent(self, letter: Letter) -> Running[None]:
        schema = self.chart.payloads.get(letter.event)
        payload = letter.payload if schema is None else schema.validate(letter.payload)
        step = OpenStep(self.chart, self.run_state, letter.event, payload, self)
        yield from self._within(step, macrostep(step))
        if not step.plans:
            log.debug("%r of the service %r was dropped: nothing takes it", letter.event, letter.service.id)
        self._commit(step.after, step)

    def _outcome(self, step: OpenStep, seq: int) -> Outcome[C]:
        after = step.after
        if after is not step.before:
            if step.timers is None and step.services is None and step.effects is None:
                self.run_state = after
                if self.journal is not None:
                    self.journal.append((step, after))
            else:
                self._commit(after, step)
            return Outcome(step, after, None, True)
        reason: ReasonCode | None = "guard-rejected" if step.rejected or step.plans else "no-transition"
        if step.plans and any(not plan.forbids for plan in step.plans):
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
