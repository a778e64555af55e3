"""A live run of a chart: it takes events one after the other and keeps what they led to."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Generic, Self, cast

from fsmvoice.engine.alarm import ring_after
from fsmvoice.engine.clock import Clock, SystemClock
from fsmvoice.engine.configuration import configuration_of
from fsmvoice.engine.drive import Running, drive_async, drive_sync
from fsmvoice.engine.kernel import INIT, STOP, blank, macrostep, restart
from fsmvoice.engine.open_step import NOTHING, OPEN, OpenStep
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.plan import start_plan
from fsmvoice.engine.report import Report
from fsmvoice.engine.snapshot import C, Snapshot
from fsmvoice.engine.timers import next_due
from fsmvoice.engine.turns import Turns
from fsmvoice.engine.verdicts import Look
from fsmvoice.errors import NotSupported, ReasonCode, ReentrancyError, Refuse, Suspended
from fsmvoice.model.chart import Chart
from fsmvoice.model.payload import InvalidPayload
from fsmvoice.model.run_state import RunState

_CLOCK = SystemClock()


class FsmActor(Generic[C]):
    """A machine in memory. It is live from the start: the initial state is entered when it is made.

    Args:
        run_state: where it stands; given one, nothing runs.
        context: the start context, also for starting over; by default the machine's own.
        clock: what timers go by; the system's clock by default.
        machine: the object that a class's methods run on.
        live: whether timers fire by themselves while an event loop runs. Without, they are stepped when it is asked.

    Raises:
        Suspended: if entering the initial state has to wait: use `await FsmActor.started(chart, ...)`.
    """

    __slots__ = (
        "__weakref__",
        "_alarm",
        "_busy",
        "_clock",
        "_context",
        "_live",
        "_machine",
        "_turns",
        "chart",
        "run_state",
    )

    run_state: RunState
    """What was committed last."""

    def __init__(
        self,
        chart: Chart,
        *,
        run_state: RunState | None = None,
        context: C | None = None,
        clock: Clock | None = None,
        machine: Any = None,
        live: bool = True,
    ) -> None:
        self._prepare(chart, run_state=run_state, context=context, clock=clock, machine=machine, live=live)
        if run_state is None:
            opened = self._opening()
            try:
                self._commit(self._by_hand(opened, macrostep(opened, start_plan(chart))))
            except Suspended as error:
                raise Suspended(
                    f"{chart.name} has to wait while it enters its initial state; "
                    "use `await FsmActor.started(...)` (a class: `await Machine.started()`)"
                ) from error
        else:
            self._set_alarm()

    @classmethod
    async def started(
        cls,
        chart: Chart,
        *,
        context: C | None = None,
        clock: Clock | None = None,
        machine: Any = None,
        live: bool = True,
    ) -> Self:
        """An actor whose initial step may wait."""
        actor = cls.__new__(cls)
        actor._prepare(chart, run_state=None, context=context, clock=clock, machine=machine, live=live)
        await actor.start()
        return actor

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
        self._clock, self._machine, self._live = clock or _CLOCK, machine, live
        self._context = None if context is None else chart.behaviour.context.copy(context)
        self._busy = False
        self._turns: Turns | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self.run_state = blank(chart, self._start_context()) if run_state is None else run_state

    def __repr__(self) -> str:
        return f"<FsmActor {self.chart.name} in {self.snapshot.value!r}>"

    @property
    def machine(self) -> Any:
        """The object that a class's methods run on; None for a config."""
        return self._machine

    @property
    def clock(self) -> Clock:
        return self._clock

    @property
    def context(self) -> C:
        """Inside a step of this actor the context being worked on; everywhere else the committed one."""
        opened = OPEN.get()
        if opened is not None and opened.open and opened.owner is self:
            return cast("C", opened.context)
        return cast("C", self.run_state.context)

    @property
    def snapshot(self) -> Snapshot[C]:
        """Where it stands, as it was committed last."""
        return Snapshot(self.chart, self.run_state, self._machine, self)

    @property
    def inside(self) -> OpenStep | None:
        """The step of this actor that the calling code is part of, if any."""
        opened = OPEN.get()
        return opened if opened is not None and opened.open and opened.owner is self else None

    # -- events ------------------------------------------------------------------------------------------------

    async def send(self, event: str | Mapping[str, Any], /, **payload: Any) -> Outcome[C]:
        """Send an event: `send("ORDER", drink="latte")` or `send({"type": "ORDER", "drink": "latte"})`.

        Raises:
            ActionFailed: step code, or the guard that decides, raised; nothing changed.
            RunawayError: the machine would not come to rest; nothing changed.
            ReentrancyError: it was called from inside a step of this actor.
        """
        name, given = _event(event, payload)
        checked = self._checked(name, given)
        return await self.fire(name, checked) if isinstance(checked, Mapping) else checked

    def send_sync(self, event: str | Mapping[str, Any], /, **payload: Any) -> Outcome[C]:
        """As `send`, without an event loop.

        Raises:
            Suspended: something has to wait; nothing changed.
        """
        name, given = _event(event, payload)
        checked = self._checked(name, given)
        return self.fire_sync(name, checked) if isinstance(checked, Mapping) else checked

    async def fire(self, event: str, payload: Mapping[str, Any] = NOTHING) -> Outcome[C]:
        """`send` with a payload that was checked already."""
        await self._take_turn(event)
        try:
            seq = self.run_state.seq
            if self.run_state.timers:
                await self._step_due()
            opened = self._open(event, payload)
            try:
                after = await self._on_loop(opened, macrostep(opened))
            except Refuse as refusal:
                return self._refused(opened, refusal, seq)
            return self._outcome(opened, after, seq)
        finally:
            self._end_turn()

    def fire_sync(self, event: str, payload: Mapping[str, Any] = NOTHING) -> Outcome[C]:
        """`send_sync` with a payload that was checked already."""
        if self._busy:
            self._refuse_entry(event, waiting=False)
        seq = self.run_state.seq
        if self.run_state.timers:
            self.catch_up()
        opened = self._open(event, payload)
        try:
            after = self._by_hand(opened, macrostep(opened))
        except Refuse as refusal:
            return self._refused(opened, refusal, seq)
        return self._outcome(opened, after, seq)

    def queue(self, event: str, payload: Mapping[str, Any] = NOTHING) -> None:
        """Raise an event of the macrostep that is running; it is handled before the step ends.

        Raises:
            ReentrancyError: outside a step of this actor.
        """
        opened = self.inside
        if opened is None:
            raise ReentrancyError(
                f"{event!r} can be queued only by an action of {self.chart.name}, while its step runs; "
                "elsewhere send it"
            )
        opened.raise_event(event, payload)

    def can(self, event: str, /, **payload: Any) -> bool:
        """Whether the event would be taken now, with this payload; without one, whether some payload would be."""
        self.catch_up()
        state = self.run_state
        schema = self.chart.behaviour.payloads.get(event)
        if schema is not None:
            try:
                payload = schema.validate(payload)
            except InvalidPayload:
                verdict = None if payload else self.snapshot.verdicts.get(event)
                return verdict is not None and verdict.possible
        configuration = configuration_of(self.chart, state.leaves)
        return Look(configuration, state, machine=self._machine, owner=self).takes(event, payload)

    # -- its life ----------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Run the initial step, where construction could not."""
        opened = self._opening()
        self._commit(await self._on_loop(opened, macrostep(opened, start_plan(self.chart))))

    def reset(self) -> Outcome[C]:
        """Start over: leave all states, then enter the initial one with the start context. The revision goes on."""
        if self._busy:
            self._refuse_entry("starting over", waiting=False)
        seq = self.run_state.seq
        opened = self._open(STOP, NOTHING)
        try:
            after = self._by_hand(opened, restart(opened, self._start_context()))
        except Refuse as refusal:
            return self._refused(opened, refusal, seq)
        return self._outcome(opened, after, seq)

    async def reset_async(self) -> Outcome[C]:
        """As `reset`, where exit or entry actions wait."""
        await self._take_turn("starting over")
        try:
            seq = self.run_state.seq
            opened = self._open(STOP, NOTHING)
            try:
                after = await self._on_loop(opened, restart(opened, self._start_context()))
            except Refuse as refusal:
                return self._refused(opened, refusal, seq)
            return self._outcome(opened, after, seq)
        finally:
            self._end_turn()

    def catch_up(self) -> bool:
        """Step the timers that are due, by due time. Returns whether there were any.

        Raises:
            ActionFailed: one's step failed. Those before it stand; it stays due.
        """
        stepped = False
        if not self._busy:
            while (opened := self._due()) is not None:
                self._commit(self._by_hand(opened, macrostep(opened)))
                stepped = True
        return stepped

    async def catch_up_async(self) -> bool:
        """As `catch_up`, where the steps may wait."""
        await self._take_turn("a timer")
        try:
            return await self._step_due()
        finally:
            self._end_turn()

    def close(self) -> None:
        """Stop firing timers. The run state stays readable, and storable."""
        self._live = False
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    async def aclose(self) -> None:
        """As `close`; waits for a step that is running."""
        if self.inside is None:
            await self._take_turn("closing")
            self._end_turn()
        self.close()

    # -- running steps -----------------------------------------------------------------------------------------

    def _start_context(self) -> Any:
        return self.chart.start_context() if self._context is None else self.chart.behaviour.context.copy(self._context)

    def _opening(self) -> OpenStep:
        opened = self._open(INIT, NOTHING)
        opened.counts = 0
        return opened

    def _open(self, event: str, payload: Mapping[str, Any]) -> OpenStep:
        return OpenStep(
            self.chart, self.run_state, event, payload, now=self._clock.now(), machine=self._machine, owner=self
        )

    def _by_hand(self, opened: OpenStep, running: Running[RunState]) -> RunState:
        self._busy = True
        token = OPEN.set(opened)
        try:
            return drive_sync(running)
        finally:
            opened.open = False
            OPEN.reset(token)
            self._busy = False

    async def _on_loop(self, opened: OpenStep, running: Running[RunState]) -> RunState:
        token = OPEN.set(opened)
        try:
            return await drive_async(running)
        finally:
            opened.open = False
            OPEN.reset(token)

    async def _step_due(self) -> bool:
        stepped = False
        while (opened := self._due()) is not None:
            self._commit(await self._on_loop(opened, macrostep(opened)))
            stepped = True
        return stepped

    def _commit(self, after: RunState) -> None:
        timers = self.run_state.timers
        self.run_state = after
        if after.timers is not timers:
            self._set_alarm()

    def _outcome(self, opened: OpenStep, after: RunState, seq: int) -> Outcome[C]:
        if after is not opened.found:
            self._commit(after)
            return Outcome(opened, after)
        reason: ReasonCode = "guard-rejected" if opened.rejected or opened.plans else "no-transition"
        return Outcome(opened, after, reason, after.seq != seq)

    def _refused(self, opened: OpenStep, refusal: Refuse, seq: int) -> Outcome[C]:
        state = self.run_state
        return Outcome.refused(Report(opened, refusal.say), opened, state, "refused", changed=state.seq != seq)

    def _checked(self, event: str, payload: Mapping[str, Any]) -> Mapping[str, Any] | Outcome[C]:
        schema = self.chart.behaviour.payloads.get(event)
        if schema is None:
            return payload
        try:
            return schema.validate(payload)
        except InvalidPayload as error:
            step, state = self._open(event, payload), self.run_state
            return Outcome.refused(Report(step, faults=error.faults), step, state, "invalid-arguments", changed=False)

    # -- turns -------------------------------------------------------------------------------------------------

    async def _take_turn(self, what: str) -> None:
        if not self._busy:
            self._busy = True
            return
        self._refuse_entry(what, waiting=True)
        if self._turns is None:
            self._turns = Turns()
        await self._turns.wait()

    def _end_turn(self) -> None:
        if self._turns is None or not self._turns.hand_over():
            self._busy = False

    def _refuse_entry(self, what: str, *, waiting: bool) -> None:
        if self.inside is not None:
            raise ReentrancyError(
                f"{what!r} was sent to {self.chart.name} from inside its own step, which would wait for itself; "
                "queue it instead (`self.<event>.queue()`, or `queue(...)` in a config's action), "
                "or send it from a task that outlives the step"
            )
        if not waiting:
            raise Suspended(f"{what!r} has to wait, another task's step runs on {self.chart.name}; await the call")

    # -- timers ------------------------------------------------------------------------------------------------

    def _due(self) -> OpenStep | None:
        """The step of the timer that is due first, if one is."""
        if not self.run_state.timers:
            return None
        now = self._clock.now()
        fired = next_due(self.run_state, now)
        if fired is None:
            return None
        timer, before = fired
        return OpenStep(self.chart, before, timer.event, NOTHING, now=now, machine=self._machine, owner=self)

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        timers = self.run_state.timers
        if timers and self._live and isinstance(self._clock, SystemClock):
            wait = min(timer.due for timer in timers) - self._clock.now()
            self._alarm = ring_after(wait, self)


def _event(event: str | Mapping[str, Any], payload: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    if isinstance(event, str):
        return event, payload
    given = {**event, **payload}
    name = given.pop("type", None)
    if not isinstance(name, str):
        raise TypeError(f"an event is a name or a mapping with a 'type': {dict(event)!r}")
    return name, given


def _refuse_unsupported(chart: Chart) -> None:
    for node in chart.nodes:
        if node.invocations:
            raise NotSupported(
                f"{chart.name} can't run yet: its state {str(node)!r} invokes the service "
                f"{node.invocations[0].config.src!r} ({node.invocations[0].where})"
            )
