"""`OpenStep`: a macrostep in progress, with the draft context and the interface that user code sees."""

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
    """The owner of a step: an actor, or a stand-in for one."""

    @property
    def machine(self) -> Any:
        """The object that a class's methods run on; None for a config."""
        ...

    @property
    def clock(self) -> Clock: ...

    @property
    def gate(self) -> Callable[[], Awaitable[None]] | None:
        """Awaited before user code that may wait is called. If it raises, the step is undone."""
        ...

    def idempotency_key(self) -> str:
        """Identifies the current step: unique, and unchanged when the step is retried."""
        ...


class Nobody:
    """The owner of steps taken without an actor."""

    __slots__ = ("clock", "gate", "machine")

    def __init__(self, clock: Clock | None = None) -> None:
        self.machine: Any = None
        self.clock: Clock = clock or SimulatedClock()
        self.gate: Callable[[], Awaitable[None]] | None = None

    def idempotency_key(self) -> str:
        return ""


class OpenStep:
    """A macrostep in progress. Nothing outside it changes until its result is committed.

    User code sees it as `fsmvoice.model.behaviour.Step`. Guards see the committed context; the draft is copied from it
    when the first action reads the context.
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
    """The type of the event that started the macrostep."""
    given: Mapping[str, Any]
    """The payload of that event."""
    after: RunState
    """The result, set by the kernel; `before` itself if no transition was taken."""
    type: str
    """The type of the event being handled: `first`, or an event raised since."""
    configuration: Configuration
    """The active states. The kernel sets this and `history`."""
    history: History
    held: Any
    """A copy of the context from before `always` arcs that do not change the active states."""

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
        """Remove the timer `stop`, if it runs, and add `start`."""
        timers = self.before.timers if self.timers is None else self.timers
        kept = tuple(timer for timer in timers if timer.id != stop)
        self.timers = kept if start is None else (*kept, start)

    def change_services(self, *, stop: str, start: bool = False) -> None:
        """Remove the service `stop`, if it runs; with `start`, add a new invocation of it."""
        before = self.before
        services = before.services if self.services is None else self.services
        kept = tuple(service for service in services if service.id != stop)
        if start:
            seq = before.seq + 1 if before.leaves else before.seq
            kept = (*kept, Service(stop, f"{stop}:{seq}"))
        self.services = kept

    def merge(self, update: Mapping[str, Any]) -> None:
        """Merge the fields that an action returned into the draft."""
        draft = self.draft
        self.draft = self.chart.merge_context(self.context if draft is None else draft, update)

    def copy_of_context(self) -> Any:
        """A copy of the current context, for `differs`."""
        return self.chart.copy_context(self.before.context if self.draft is None else self.draft)

    def differs(self, held: Any) -> bool:
        """Whether the context has changed since `held` was copied."""
        return bool(held != (self.before.context if self.draft is None else self.draft))

    def queue(self, event: Mapping[str, Any] | str, /) -> None:
        if isinstance(event, str):
            self.raise_event(event, NOTHING)
            return
        self.raise_event(*named(event, NOTHING))

    def raise_event(self, type: str, payload: Mapping[str, Any]) -> None:
        """Append an event to those raised in this macrostep.

        Raises:
            ReentrancyError: if called by a guard, or after the step has ended.
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
        """Request an effect, to be run once this step is committed.

        Raises:
            ReentrancyError: if called by a guard, or after the step has ended.
            UnknownName: if there is no such effect.
            TypeError: if an argument can't be represented in JSON.
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
        """The owner's key for this step."""
        return self.owner.idempotency_key()

    def handle(self, type: str, payload: Mapping[str, Any]) -> None:
        """Make a raised event the current one."""
        self.type, self._payload, self._event = type, payload, None


OPEN: ContextVar[OpenStep | None] = ContextVar("fsmvoice_open_step", default=None)
"""The step that the running code is part of. A task started within a step still sees it after it has ended."""
