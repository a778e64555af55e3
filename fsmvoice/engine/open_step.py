"""A step while it runs: the draft it works on, and what step code sees of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Set
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any

from fsmvoice.errors import FsmVoiceError
from fsmvoice.model.chart import Chart
from fsmvoice.model.nodes import Arc
from fsmvoice.model.run_state import History, RunState, Timer

NOTHING: Mapping[str, Any] = MappingProxyType({})


class StepOver(FsmVoiceError):
    """Something used a step after it was over, or asked a guard's step for more than a look."""


class OpenStep:
    """One macrostep in the making. Nothing outside it changes until its result is committed.

    Guards see the context as it is; the draft is made when the first action asks for it.
    """

    __slots__ = (
        "_draft",
        "_event",
        "_machine",
        "_payload",
        "before",
        "chart",
        "completed",
        "counts",
        "first",
        "found",
        "given",
        "history",
        "looking",
        "members",
        "now",
        "open",
        "output",
        "owner",
        "plans",
        "raised",
        "rejected",
        "timers",
        "type",
    )

    def __init__(
        self,
        chart: Chart,
        before: RunState,
        type: str,
        payload: Mapping[str, Any] = NOTHING,
        *,
        now: float = 0.0,
        machine: Any = None,
        owner: Any = None,
    ) -> None:
        self.chart = chart
        self.before = self.found = before
        self.type = self.first = type
        self._payload = self.given = payload
        self.now, self._machine, self.owner = now, machine, owner
        self.history: History = before.history
        self.timers: tuple[Timer, ...] = before.timers
        self.members: Set[int] = frozenset()
        self.output: Any = None
        self.completed, self.counts = False, 1
        self.open = self.looking = True
        self.plans: list[Any] = []
        self.rejected: list[Arc] = []
        self.raised: deque[tuple[str, Mapping[str, Any]]] | None = None
        self._draft: Any = None
        self._event: Mapping[str, Any] | None = None

    @property
    def context(self) -> Any:
        draft = self._draft
        if draft is None:
            if self.looking:
                return self.before.context
            draft = self._draft = self.chart.behaviour.context.copy(self.before.context)
        return draft

    @property
    def event(self) -> Mapping[str, Any]:
        if self._event is None:
            self._event = {**self._payload, "type": self.type}
        return self._event

    @property
    def payload(self) -> Mapping[str, Any]:
        return self._payload

    @property
    def machine(self) -> Any:
        return self._machine

    @property
    def has_draft(self) -> bool:
        """Whether step code has asked for the context, and so may have changed it."""
        return self._draft is not None

    @property
    def context_now(self) -> Any:
        """The context, without making a draft."""
        return self.before.context if self._draft is None else self._draft

    def context_copy(self) -> Any:
        """The context as it is now, to compare with later."""
        return self.chart.behaviour.context.copy(self.context_now)

    def begin(self, before: RunState, type: str) -> None:
        """Forget what was done, and go on from `before`."""
        self.before, self.history, self.timers = before, before.history, before.timers
        self.type = self.first = type
        self._payload, self._event, self._draft = NOTHING, None, None
        self.members, self.raised = frozenset(), None

    def merge(self, update: Mapping[str, Any]) -> None:
        """Put the fields that an action returned into the draft."""
        self._draft = self.chart.behaviour.context.merge(self.context, update)

    def queue(self, event: Mapping[str, Any] | str, /) -> None:
        if isinstance(event, str):
            self.raise_event(event, NOTHING)
            return
        payload = dict(event)
        self.raise_event(str(payload.pop("type")), payload)

    def raise_event(self, type: str, payload: Mapping[str, Any]) -> None:
        """Put an event behind those already raised in this macrostep."""
        if not self.open:
            raise StepOver(f"{type!r} can't be queued: its step is over; send it to the machine instead")
        if self.looking:
            raise StepOver(f"{type!r} can't be queued by a guard, which only looks; queue it in an action")
        if self.raised is None:
            self.raised = deque()
        self.raised.append((type, payload))

    def handle(self, type: str, payload: Mapping[str, Any]) -> None:
        """Go on with a raised event."""
        self.type, self._payload, self._event = type, payload, None


OPEN: ContextVar[OpenStep | None] = ContextVar("fsmvoice_open_step", default=None)
"""The step that the running code is part of. A task started in a step still sees it, closed by then."""
