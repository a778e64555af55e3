"""A session in memory, with its history, answers, effects and services."""

from __future__ import annotations

import dataclasses
from collections import deque
from typing import NamedTuple

from fsmvoice.model.chart import Chart
from fsmvoice.model.run_state import RunState
from fsmvoice.sessions.pending_effects import PendingEffects
from fsmvoice.sessions.store import (
    ANSWERS_KEPT_FOR,
    ANSWERS_KEPT_OVER,
    Answer,
    Commit,
    Event,
    PastEvent,
    SessionInfo,
)


class _Kept(NamedTuple):
    answer: Answer
    revision: int
    at: float


@dataclasses.dataclass(slots=True)
class Leased:
    """The owner of a lease, its end in milliseconds, and how often it was taken."""

    owner: str
    until: float
    times: int = 1


@dataclasses.dataclass(slots=True)
class Entry:
    """A session in memory. Collections that most sessions don't need are None to save memory. Times: milliseconds."""

    state: RunState
    chart: Chart | None
    machine: str
    expires: float
    created: float
    changed: float
    run: str
    caller: str
    attempts: int = 0
    news: tuple[str, ...] = ()
    events: deque[tuple[float, Event]] | None = None
    answers: dict[str, _Kept] | None = None
    """By request id, oldest first."""
    outbox: PendingEffects | None = None
    services: dict[str, Leased] | None = None
    timer_at: float | None = None
    held_until: float | None = None
    """Until then it is not reported as overdue again."""

    def wake_at(self) -> float | None:
        """When a timer, a service or an effect is next due, None if nothing is."""
        times = [] if self.timer_at is None else [self.timer_at]
        times += [lease.until for lease in (self.services or {}).values()]
        if self.outbox is not None and (due := self.outbox.due()) is not None:
            times.append(due)
        if times and self.held_until is not None:
            return self.held_until
        return min(times, default=None)

    def add_events(self, commit: Commit, now: float, most: int) -> None:
        """Append the commit's events to the history, which keeps the last `most`."""
        if self.events is None:
            self.events = deque(maxlen=most)
        for event in commit.events:
            self.events.append((now, event))

    def follow(self, commit: Commit, now: float) -> None:
        """Update timers, services and effects to what the commit says."""
        self.timer_at, self.held_until = commit.timer_at, None
        if commit.services or self.services:
            before, until = self.services or {}, now + commit.seconds * 1000
            self.services = {name: before.get(name) or Leased(commit.owner, until) for name in commit.services}
        if commit.effects:
            self.outbox = self.outbox or PendingEffects()
            self.outbox.add(commit.effects, now)
        if commit.ends is not None and self.outbox is not None:
            self.outbox.give_up(commit.ends)

    def remember(self, answer: Answer, now: float) -> None:
        """Keep an answer, replacing an earlier one to the same request."""
        if self.answers is None:
            self.answers = {}
        self.answers.pop(answer.request_id, None)
        self.answers[answer.request_id] = _Kept(answer, self.state.seq, now)

    def forget(self, now: float) -> None:
        """Drop the answers that are too old to be kept."""
        while self.answers:
            request_id, kept = next(iter(self.answers.items()))
            if kept.revision > self.state.seq - ANSWERS_KEPT_OVER and kept.at > now - ANSWERS_KEPT_FOR * 1000:
                return
            del self.answers[request_id]

    def answer_to(self, request_id: str, now: float) -> Answer | None:
        """The answer to a request, None if there is none or it is too old."""
        self.forget(now)
        kept = self.answers.get(request_id) if self.answers else None
        return None if kept is None else kept.answer

    def history(self, limit: int) -> list[PastEvent]:
        """The last `limit` events, oldest first."""
        answers, kept = self.answers or {}, list(self.events or ())[-limit:]
        return [
            PastEvent(at, event, answers[event.request_id].answer.say if event.request_id in answers else None)
            for at, event in kept
        ]

    def info(self, key: str) -> SessionInfo:
        """The session's entry in a list of sessions."""
        outbox = self.outbox
        return SessionInfo(
            key,
            self.machine,
            self.state.seq,
            self.created,
            self.changed,
            self.expires,
            self.caller,
            self.wake_at(),
            0 if outbox is None else len(outbox),
            0 if outbox is None else len(outbox.dead),
        )
