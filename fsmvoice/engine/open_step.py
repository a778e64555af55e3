"""A step while it runs: the draft it works on, and what step code sees of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, Protocol

from fsmvoice.engine.clock import Clock, SimulatedClock
from fsmvoice.engine.configuration import Configuration, Plan
from fsmvoice.engine.named import named
from fsmvoice.engine.watched import Watched
from fsmvoice.errors import ReentrancyError, UnknownName, did_you_mean
from fsmvoice.model.chart import Chart
from fsmvoice.model.effect import EffectCode, Wanted
from fsmvoice.model.nodes import Arc
from fsmvoice.model.run_state import History, RunState, Service, Timer

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""No payload."""


class Owner(Protocol):
    """Whoever a step belongs to: an actor, or what stands in for one."""

    @property
    def machine(self) -> Any:
        """The object that a class's methods run on; None for a config."""
        ...

    @property
    def clock(self) -> Clock: ...

    @property
    def gate(self) -> Callable[[], Awaitable[None]] | None:
        """Is passed before step code that waits is begun; what it raises undoes the step."""
        ...

    def idempotency_key(self) -> str:
        """What tells this step from every other one, and stays the same when it is tried again."""
        ...


class Nobody:
    """Owns the steps of a run without an actor."""

    __slots__ = ("clock", "gate", "machine")

    def __init__(self, clock: Clock | None = None) -> None:
        self.machine: Any = None
        self.clock: Clock = clock or SimulatedClock()
        self.gate: Callable[[], Awaitable[None]] | None = None

    def idempotency_key(self) -> str:
        return ""


class OpenStep:
    """One macrostep in the making. Nothing outside it changes until its result is committed.

    Step code gets it as `fsmvoice.model.behaviour.Step`. Guards see the context as it is; the draft is made when the
    first action asks for it.
    """

    __slots__ = (
        "_event",
        "_payload",
        "after",
        "base",
        "before",
        "chart",
        "configuration",
        "draft",
        "effects",
        "eventless",
        "first",
        "given",
        "held",
        "history",
        "looking",
        "machine",
        "open",
        "owner",
        "plans",
        "raised",
        "rejected",
        "services",
        "timers",
        "type",
    )

    chart: Chart
    before: RunState
    owner: Owner
    eventless: bool
    open: bool
    looking: bool | Watched
    """Whether guards are being called, which may change nothing; `Watched` while one is shown a copy."""
    base: Any
    """The context of `before`."""
    first: str
    """The type of the event it was opened for."""
    given: Mapping[str, Any]
    """That event's payload."""
    after: RunState
    """What it leads to, once the kernel has run; `before` itself if nothing was taken."""
    type: str
    """The type of the event being handled: that one, or one raised since."""
    configuration: Configuration
    """The active states; set by the kernel, as is `history`."""
    history: History
    held: Any
    """A copy of the context as it was before `always` arcs that move nothing."""

    def __init__(self, chart: Chart, before: RunState, type: str, payload: Mapping[str, Any], owner: Owner) -> None:
        self.chart = chart
        self.before = before
        self.base = before[1]
        self.type = self.first = type
        self._payload = self.given = payload
        self.owner = owner
        self.machine: Any = owner.machine
        self.eventless = False  # whether the microstep under way is of `always` arcs
        self.open = self.looking = True
        self.plans: tuple[Plan, ...] = ()
        self.rejected: tuple[Arc, ...] = ()
        self.raised: deque[tuple[str, Mapping[str, Any]]] | None = None
        self.timers: tuple[Timer, ...] | None = None
        self.services: tuple[Service, ...] | None = None
        self.effects: list[Wanted] | None = None
        self.draft: Any = None  # the context that step code may have changed; made when it first asks
        self._event: Mapping[str, Any] | None = None

    @property
    def context(self) -> Any:
        draft = self.draft
        if draft is None:
            looking = self.looking
            if looking:
                return self.base if looking is True else looking.context
            draft = self.draft = self.chart.copy_context(self.base)
        return draft

    @property
    def event(self) -> Mapping[str, Any]:
        event = self._event
        if event is None:
            payload = self._payload
            event = self._event = {**payload, "type": self.type} if payload else {"type": self.type}
        return event

    @property
    def payload(self) -> Mapping[str, Any]:
        return self._payload

    def ask(self, guard: Callable[[Any, Any], Any], params: Mapping[str, Any] | None) -> Any:
        """Call a guard on a copy of the context.

        Raises:
            TypeError: if it changed the copy.
        """
        looking, draft = self.looking, self.draft
        shown = self.looking = Watched(self.chart, self.base if draft is None else draft)
        self.draft = None
        try:
            answer = guard(self, params)
        finally:
            self.looking, self.draft = looking, draft
        shown.check()
        return answer

    def change_timers(self, *, stop: str, start: Timer | None = None) -> None:
        """Take out the timer named `stop`, if it runs, and add `start`."""
        timers = self.before.timers if self.timers is None else self.timers
        kept = tuple(timer for timer in timers if timer.id != stop)
        self.timers = kept if start is None else (*kept, start)

    def change_services(self, *, stop: str, start: bool = False) -> None:
        """Take out the service `stop`, if it runs; or in its place, begin another of the same id."""
        before = self.before
        services = before.services if self.services is None else self.services
        kept = tuple(service for service in services if service.id != stop)
        if start:
            seq = before.seq + 1 if before.leaves else before.seq
            kept = (*kept, Service(stop, f"{stop}:{seq}"))
        self.services = kept

    def merge(self, update: Mapping[str, Any]) -> None:
        """Put the fields that an action returned into the draft."""
        draft = self.draft
        self.draft = self.chart.merge_context(self.context if draft is None else draft, update)

    def copy_of_context(self) -> Any:
        """The context as it is now, to compare with later."""
        return self.chart.copy_context(self.before.context if self.draft is None else self.draft)

    def differs(self, held: Any) -> bool:
        """Whether the context has changed since `held` was taken."""
        return bool(held != (self.before.context if self.draft is None else self.draft))

    def queue(self, event: Mapping[str, Any] | str, /) -> None:
        if isinstance(event, str):
            self.raise_event(event, NOTHING)
            return
        self.raise_event(*named(event, NOTHING))

    def raise_event(self, type: str, payload: Mapping[str, Any]) -> None:
        """Put an event behind those already raised in this macrostep.

        Raises:
            ReentrancyError: if a guard asks for it, or code that outlived the step.
        """
        if not self.open:
            raise ReentrancyError(
                f"{type!r} can't be queued because its step has ended; send it to the machine instead"
            )
        if self.looking:
            raise ReentrancyError(f"{type!r} can't be queued by a guard; queue it in an action")
        if self.raised is None:
            self.raised = deque()
        self.raised.append((type, payload))

    def later(self, effect: str, /, **arguments: Any) -> None:
        """Have an effect run once this step is committed.

        Raises:
            ReentrancyError: if a guard asks for it, or code that outlived the step.
            UnknownName: if there is no such effect.
            TypeError: if JSON can't hold its arguments.
        """
        if not self.open:
            raise ReentrancyError(f"the effect {effect!r} can't be requested because its step has ended")
        if self.looking:
            raise ReentrancyError(f"the effect {effect!r} can't be requested by a guard")
        known = self.chart.behaviour.effects
        code = known.get(effect)
        if not isinstance(code, EffectCode):
            hint = did_you_mean(effect, known, otherwise="its effects are") or "none are given"
            raise UnknownName(f"{self.chart.name} has no effect {effect!r}; {hint}")
        if self.effects is None:
            self.effects = []
        self.effects.append(code.wanted(arguments))

    @property
    def idempotency_key(self) -> str:
        """As of its owner."""
        return self.owner.idempotency_key()

    def handle(self, type: str, payload: Mapping[str, Any]) -> None:
        """Go on with a raised event."""
        self.type, self._payload, self._event = type, payload, None


OPEN: ContextVar[OpenStep | None] = ContextVar("fsmvoice_open_step", default=None)
"""The step that the running code is part of. A task started in a step still sees it, closed by then."""
