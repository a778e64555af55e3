"""`Stepper`: runs the steps of one machine and commits their results. The actor orders concurrent calls."""

from __future__ import annotations

import asyncio
import logging
import secrets
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, NoReturn, cast

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
from fsmvoice.engine.select import LEAVING
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
    """A run state and the steps that replace it. Each step is committed by one assignment, or not at all."""

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
    """The last committed state."""
    machine: Any
    """The object that a class's methods run on; None for a config."""
    clock: Clock
    gate: Callable[[], Awaitable[None]] | None
    """Awaited before user code that may wait is called. If it raises, the step is undone."""
    journal: list[tuple[OpenStep, RunState]] | None
    """If set, each committed step and its result are appended here, and effects are left to the journal's owner."""
    key_of_call: Callable[[OpenStep], str] | None
    """Returns the idempotency key of a step."""

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
        """Inside a step of this actor, the draft; otherwise the committed context, which must not be changed."""
        step = self.inside
        return cast("C", self.run_state.context if step is None else step.context)

    @property
    def snapshot(self) -> Snapshot[C]:
        """The last committed state."""
        return Snapshot(self.chart, self.run_state, self)

    @property
    def inside(self) -> OpenStep | None:
        """The step of this actor that the calling code is part of, if any."""
        opened = OPEN.get()
        if opened is not None and opened.open and opened.owner is self:
            return opened
        return self._step if self.machine is None else None

    def idempotency_key(self) -> str:
        """Identifies the current step: unique, and unchanged when the step is retried."""
        step = self.inside
        if step is None or self.key_of_call is None:
            return secrets.token_hex(16)
        return self.key_of_call(step)

    def service_key(self, service: Service) -> str:
        """Identifies an invocation. It is not stored, so it differs after a restart."""
        return f"{service.key}:{secrets.token_hex(16)}"

    async def settled(self) -> None:
        """Wait until no coroutine service or effect is running, and everything they sent is handled.

        Raises:
            ServiceFailed: if a service failed meanwhile and no transition handles its error.
        """
        if self._services is not None:
            await self._services.settled()
        if self._effects is not None:
            await self._effects.settled()

    @property
    def busy(self) -> bool:
        """Whether a call is in progress."""
        return self._busy

    @abstractmethod
    async def catch_up_async(self) -> bool:
        """Step the timers that are due. Called by the alarm."""

    def _start_context(self) -> Any:
        return self.chart.start_context() if self._context is None else self.chart.behaviour.context.copy(self._context)

    def _starting(self) -> Running[None]:
        """The initial step."""
        step = OpenStep(self.chart, self.run_state, INIT, NOTHING, self)
        yield from self._within(step, macrostep(step, start_plan(self.chart)))
        self._commit(step.after, step)

    def _starting_over(self) -> Running[Outcome[C]]:
        """Exit the active states, unless the machine is done, and enter the initial ones; both or neither."""
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
        """Step the due timers one after the other, committing each before the next.

        Args:
            deliver: before the next timer, handle what services sent during a timer's step, as if it were on time.
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
        """Run `running` with `step` as the open step of the code that it calls."""
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
        """Append the step to the journal if there is one; otherwise run its effects."""
        if self.journal is not None:
            self.journal.append((step, after))
        elif step.effects:
            self._effects = self._effects or Effects(cast("EffectHost", self))
            self._effects.run(step.effects)

    def _check_effects(self, step: OpenStep) -> None:
        """Check before the commit that the step's effects can run.

        Raises:
            Suspended: if no event loop is running.
        """
        if running_loop() is None:
            name = (step.effects or [Wanted("", "")])[0].name
            raise Suspended(
                f"the effect {name!r} of {self.chart.name} is async, and no event loop runs; use the async call instead"
            )

    def _check_startable(self, before: RunState, after: RunState) -> None:
        """Check before the commit that the services it starts can run.

        Raises:
            Suspended: if one is a coroutine function and no event loop is running.
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
        """Cancel and start services after a commit. What they send immediately is handled when the call ends."""
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
        """Handle the pending letters of services one at a time; with `due`, step due timers before each."""
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
            before: RunState | None = None
            try:
                if due:
                    yield from self._stepping_due(deliver=False)
                before = self.run_state
                yield from self._handling(letter)
            except (Suspended, asyncio.CancelledError, *LEAVING):
                if before is None or self.run_state is before:
                    letters.appendleft(letter)
                raise
            except Exception as error:
                failure = failure or error
        if failure is not None:
            raise failure

    async def handle(self, letter: Letter) -> None:
        """Step an event of a service that runs elsewhere, on a stepper with a journal.

        Nothing happens if the service's state was exited.

        Raises:
            ActionFailed: the step failed and, if the service has ended, that of its error too. The service stays ended.
            ServiceFailed: the service failed and no transition handles its error.
        """
        await drive_async(self._stepping_due())
        await drive_async(self._handling(letter))

    def _handling(self, letter: Letter) -> Running[None]:
        """Step the event of a service, if the service is still in the run state."""
        service = letter.service
        state = self.run_state
        kept = self.journal is not None
        late = service not in state.services and (letter.ends or kept)
        if late or not (self._live or kept):
            log.info("%r of the service %r was dropped: its state was exited", letter.event, service.id)
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
                if failure is not None:  # the step of its error failed too
                    raise
                failure = error
                event = letter.event.replace("xstate.done.", "xstate.error.", 1)
                step = OpenStep(self.chart, before, event, {"error": error}, self)
                yield from self._within(step, macrostep(step))
        except Suspended:
            raise  # it will be handled later
        except Exception:
            self._commit(before)  # the service has ended even if its event failed
            raise
        self._commit(step.after, step)
        if failure is not None and not any(arc.event for plan in step.plans[:1] for arc in plan.arcs):
            raise ServiceFailed(
                f"the service {service.id!r} of {self.chart.name} failed with {type(failure).__name__}: {failure}; "
                f"no transition handles its error in {self.snapshot.value!r}, so give the invoke an onError "
                "(a class: @invoke(..., error=...))",
                name=service.id,
            ) from failure

    def _handling_sent(self, letter: Letter) -> Running[None]:
        schema = self.chart.payloads.get(letter.event)
        payload = letter.payload if schema is None else schema.validate(letter.payload)
        step = OpenStep(self.chart, self.run_state, letter.event, payload, self)
        yield from self._within(step, macrostep(step))
        if not step.plans:
            log.debug("%r of the service %r was dropped: no transition takes it", letter.event, letter.service.id)
        self._commit(step.after, step)

    def _outcome(self, step: OpenStep, seq: int) -> Outcome[C]:
        after = step.after
        if after is not step.before:
            if self.run_state is not step.before:
                self._refuse_overlap(step.first)
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

    def _refuse_overlap(self, event: str) -> NoReturn:
        """Refuse to commit over what another thread has committed meanwhile."""
        told = f"{event!r} met a step on {self.chart.name} in another thread, and changed nothing"
        raise Suspended(f"{told}; use one thread, or `send_threadsafe` of an actor")

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
