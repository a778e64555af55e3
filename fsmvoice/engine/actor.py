"""`FsmActor`: a live run of a chart in memory, which handles events one at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self, cast

from fsmvoice.engine.clock import Clock
from fsmvoice.engine.configuration import configuration_of
from fsmvoice.engine.drive import drive_async, drive_sync
from fsmvoice.engine.kernel import rest, take
from fsmvoice.engine.named import named
from fsmvoice.engine.open_step import NOTHING, OPEN, OpenStep
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.services import Host, Services, running_loop
from fsmvoice.engine.snapshot import C
from fsmvoice.engine.stepper import Stepper
from fsmvoice.engine.turns import Turns
from fsmvoice.engine.verdicts import Look
from fsmvoice.errors import ReentrancyError, Refuse, Suspended
from fsmvoice.model.chart import Chart
from fsmvoice.model.payload import InvalidPayload
from fsmvoice.model.run_state import RunState

log: logging.Logger = logging.getLogger("fsmvoice")

# An OpenStep and an Outcome are created for every event; calling `__new__` and `__init__` directly is faster.
_new = object.__new__
_fill_step, _fill_outcome = OpenStep.__init__, Outcome.__init__


class FsmActor(Stepper[C]):
    """A machine in memory. Creating it enters the initial state.

    Args:
        run_state: the state to continue from; if given, no code is run.
        context: the start context, also used for starting over. Defaults to the machine's own.
        clock: the time source of timers. Defaults to the system clock.
        machine: the object that a class's methods run on.
        live: whether timers fire by themselves while an event loop runs. If not, due timers are stepped when the actor
            is next used.

    Raises:
        Suspended: if entering the initial state has to wait; use `await FsmActor.started(chart, ...)`.
    """

    __slots__ = ("_loop", "_turns")

    run_state: RunState
    """The last committed state."""

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
        self._turns: Turns | None = None
        self._loop = running_loop() if live else None
        self._prepare(chart, run_state=run_state, context=context, clock=clock, machine=machine, live=live)
        if run_state is None:
            try:
                drive_sync(self._starting())
                if self._services is not None:
                    self.deliver()
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
        """Create an actor whose initial step may wait."""
        actor = cls.__new__(cls)
        actor._turns, actor._loop = None, running_loop()
        actor._prepare(chart, run_state=None, context=context, clock=clock, machine=machine, live=live)
        await drive_async(actor._starting())
        if actor._services is not None:
            await drive_async(actor._delivering())
        return actor

    def __repr__(self) -> str:
        return f"<FsmActor {self.chart.name} in {self.snapshot.value!r}>"

    # -- events ------------------------------------------------------------------------------------------------

    async def send(self, event: str | Mapping[str, Any], /, **payload: Any) -> Outcome[C]:
        """Send an event: `send("ORDER", drink="latte")` or `send({"type": "ORDER", "drink": "latte"})`.

        Raises:
            ActionFailed: an action, hook or guard raised; nothing changed.
            RunawayError: the step did not terminate; nothing changed.
            ReentrancyError: called from inside a step of this actor.
        """
        if not isinstance(event, str):
            event, payload = named(event, payload)
        schema = self.chart.payloads.get(event)
        if schema is None:
            return await self.fire(event, payload)
        try:
            checked = schema.validate(payload)
        except InvalidPayload as error:
            return self._invalid(event, payload, error)
        return await self.fire(event, checked)

    def send_sync(self, event: str | Mapping[str, Any], /, **payload: Any) -> Outcome[C]:
        """Like `send`, without an event loop.

        Raises:
            Suspended: some code had to wait; nothing changed.
        """
        if type(event) is not str and not isinstance(event, str):
            event, payload = named(event, payload)
        payloads = self.chart.payloads
        schema = payloads.get(event) if payloads else None
        if schema is None or not (payload or schema.parameters):
            return self.fire_sync(event, payload)
        try:
            checked = schema.validate(payload)
        except InvalidPayload as error:
            return self._invalid(event, payload, error)
        return self.fire_sync(event, checked)

    async def fire(self, event: str, payload: Mapping[str, Any] = NOTHING) -> Outcome[C]:
        """`send` with an already validated payload."""
        if self._busy or (self._loop is None and self._live):
            await self._take_turn(event)
        else:  # the common case, without awaiting a coroutine
            self._busy = True
        try:
            seq = self.run_state.seq
            if self.run_state.timers:
                await drive_async(self._stepping_due())
                if self._alarm is None:
                    self._set_alarm()
            _fill_step(step := _new(OpenStep), self.chart, self.run_state, event, payload, self)
            token = OPEN.set(step)
            try:
                waiting = take(step, None, select=True)
                if waiting is not None:
                    await drive_async(rest(step, waiting))
            except Refuse as refusal:
                return self._refused(step, refusal, seq)
            finally:
                step.open = False
                OPEN.reset(token)
            outcome = self._outcome(step, seq)
            if self._services is not None:
                await drive_async(self._delivering())
            return outcome
        finally:
            self._end_turn()

    def fire_sync(self, event: str, payload: Mapping[str, Any] = NOTHING) -> Outcome[C]:
        """`send_sync` with an already validated payload."""
        if self._busy:
            self._refuse_entry(event, waiting=False)
        earlier = before = self.run_state
        if before[3] or self._services is not None:  # timers
            self.catch_up()
            before = self.run_state
        self._busy = True
        _fill_step(step := _new(OpenStep), self.chart, before, event, payload, self)
        self._step = step
        # Nothing else can run meanwhile, so for a config `_step` suffices; only a class's methods need the variable.
        token = None if self.machine is None else OPEN.set(step)
        try:
            waiting = take(step, None, select=True)
            if waiting is not None:
                drive_sync(rest(step, waiting))
        except Refuse as refusal:
            return self._refused(step, refusal, earlier.seq)
        finally:
            self._busy = step.open = False
            self._step = None
            if token is not None:
                OPEN.reset(token)
        after = step.after
        plain = step.timers is None and step.services is None and step.effects is None and self.journal is None
        if plain and after is not before and self._services is None:
            if self.run_state is not before:
                self._refuse_overlap(event)
            self.run_state = after  # `_outcome` inlined for the common case
            _fill_outcome(outcome := _new(Outcome), step, after, None, True)
            return outcome
        outcome = self._outcome(step, earlier.seq)
        if self._services is not None:
            self.deliver()
        return outcome

    def send_threadsafe(self, event: str | Mapping[str, Any], /, **payload: Any) -> Future[Outcome[C]]:
        """`send` from another thread; the event is handled on the actor's event loop.

        Returns a `concurrent.futures.Future`. Its `result()` waits for the outcome; don't call it on that loop.

        Raises:
            Suspended: if the actor has no event loop, because it was neither created nor awaited in one.
        """
        if self._loop is None:
            raise Suspended(
                f"{event!r} can't be sent to {self.chart.name} from another thread: no event loop has run it yet; "
                "create it, or await one of its calls, inside the loop"
            )
        return asyncio.run_coroutine_threadsafe(self.send(event, **payload), self._loop)

    def queue(self, event: str, payload: Mapping[str, Any] = NOTHING) -> None:
        """Raise an event within the running macrostep; it is handled before the step ends.

        Raises:
            ReentrancyError: outside a step of this actor.
        """
        opened = self.inside
        if opened is None:
            raise ReentrancyError(
                f"{event!r} can be queued only by an action of {self.chart.name}, while its step runs; "
                "elsewhere, send it"
            )
        opened.raise_event(event, payload)

    def can(self, event: str, /, **payload: Any) -> bool:
        """Whether the event would be taken now with this payload; without a payload, whether it would with any."""
        self.catch_up()
        state = self.run_state
        schema = self.chart.payloads.get(event)
        if schema is not None:
            try:
                payload = schema.validate(payload)
            except InvalidPayload:
                verdict = None if payload else self.snapshot.verdicts.get(event)
                return verdict is not None and verdict.possible
        configuration = configuration_of(self.chart, state.leaves)
        return Look(configuration, state, self).takes(event, payload)

    # -- lifecycle ---------------------------------------------------------------------------------------------

    def reset(self) -> Outcome[C]:
        """Start over: exit all states, then enter the initial one with the start context. The revision increases."""
        if self._busy:
            self._refuse_entry("starting over", waiting=False)
        outcome = drive_sync(self._starting_over())
        self.deliver()
        return outcome

    async def reset_async(self) -> Outcome[C]:
        """Like `reset`, for exit or entry actions that wait."""
        await self._take_turn("starting over")
        try:
            outcome = await drive_async(self._starting_over())
            await drive_async(self._delivering())
            return outcome
        finally:
            self._end_turn()

    def catch_up(self) -> bool:
        """Step the timers that are due, in order of due time. Returns whether there were any.

        Raises:
            ActionFailed: a step failed. Its timer stays due; earlier steps are kept.
        """
        stepped = not self._busy and drive_sync(self._stepping_due())
        if self._services is not None:
            self.deliver()
        return stepped

    async def catch_up_async(self) -> bool:
        """Like `catch_up`, for steps that may wait."""
        await self._take_turn("a timer")
        try:
            stepped = await drive_async(self._stepping_due())
            await drive_async(self._delivering())
            return stepped
        finally:
            self._end_turn()

    async def resume(self) -> None:
        """Continue after a restore or `close`: start firing timers by themselves, and restart services.

        A restore alone starts nothing. A service whose `onRestart` is "error" is not restarted; its error is raised.
        """
        await self._take_turn("resuming")
        try:
            self._live = True
            await drive_async(self._stepping_due())
            self._set_alarm()
            state = self.run_state
            if self._services is None and state.services:
                self._services = Services(cast("Host", self))
            running = self._services
            if running is not None:
                ended = tuple(service for service in state.services if not running.runs(service))
                again = {service: service._replace(generation=service.generation + 1) for service in ended}
                kept = tuple(again.get(service, service) for service in state.services)
                self.run_state = state._replace(services=kept)
                for service in again.values():
                    running.restart(service)
            await drive_async(self._delivering())
        finally:
            self._end_turn()

    def deliver(self) -> None:
        """Handle the events that services have sent. If that has to wait, it is left to the event loop."""
        if self._busy:
            return
        try:
            drive_sync(self._delivering())
        except Suspended:
            if running_loop() is None or self._services is None:
                raise
            self._services.wake()

    async def deliver_async(self) -> None:
        """Like `deliver`, in turn. It has no caller to raise a failure to."""
        await self._take_turn("a service's event")
        try:
            await drive_async(self._delivering())
        except Exception as error:  # noqa: BLE001, RUF100 - logged, and raised by `settled`
            log.error("%s", error, exc_info=error)
            if self._services is not None:
                self._services.failure = self._services.failure or error
        finally:
            self._end_turn()

    def close(self) -> None:
        """Stop firing timers and cancel services. The run state can still be read and stored."""
        self._live = False
        if self._services is not None:
            self._services.close()
        if self._effects is not None:
            self._effects.close()
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    async def aclose(self) -> None:
        """Like `close`, but wait for a running step, and for services to clean up."""
        if self.inside is None:
            await self._take_turn("closing")
            self._end_turn()
        self.close()
        if self._services is not None:
            await self._services.aclose()

    async def __aenter__(self) -> Self:
        """`resume` now, and `aclose` on exit."""
        await self.resume()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    # -- turns -------------------------------------------------------------------------------------------------

    async def _take_turn(self, what: str) -> None:
        if self._loop is None:
            self._loop = running_loop()
        if not self._busy:
            self._busy = True
            return
        self._refuse_entry(what, waiting=True)
        if self._turns is None:
            self._turns = Turns()
        await self._turns.wait(self._end_turn)

    def _end_turn(self) -> None:
        if self._turns is None or not self._turns.hand_over():
            self._busy = False
            if self._services is not None and self._services.letters:
                self._services.wake()

    def _refuse_entry(self, what: str, *, waiting: bool) -> None:
        if self.inside is not None:
            told = f"{what!r} was sent to {self.chart.name} from inside its own step, which would wait for itself; "
            hint = "queue it instead (`self.<event>.queue()`, or `queue(...)` in a config's action), "
            raise ReentrancyError(told + hint + "or send it from a task that outlives the step")
        if not waiting:
            told = f"{what!r} has to wait: a step is running on {self.chart.name} in another task or thread"
            raise Suspended(f"{told}; await the call, in one thread")
