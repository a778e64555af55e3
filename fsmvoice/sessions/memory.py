"""Sessions in memory: gone with the process, and as fast as a dict."""

from __future__ import annotations

import dataclasses
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from fsmvoice.model.run_state import RunState
from fsmvoice.sessions.store import (
    ANSWERS_KEPT_FOR,
    ANSWERS_KEPT_OVER,
    DAY,
    Answer,
    StoredSession,
    StoreFull,
)


class _Kept(NamedTuple):
    answer: Answer
    revision: int
    at: float


@dataclasses.dataclass(slots=True)
class _Entry:
    session: StoredSession
    expires: float
    answers: dict[str, _Kept] | None = None
    """By request id, the oldest first; there is none for sessions whose callers give no ids."""


class MemoryStore:
    """A `SessionStore` in a dict.

    Args:
        ttl: seconds after its last use that a session is kept.
        limit: so many sessions there can be at a time.
        clock: seconds, never going back.
    """

    instant: bool = True

    def __init__(self, *, ttl: float = DAY, limit: int = 100_000, clock: Callable[[], float] = time.monotonic) -> None:
        self._ttl, self._limit, self._clock = ttl, limit, clock
        self._sessions: OrderedDict[str, _Entry] = OrderedDict()
        """By last use, the longest unused first."""
        self._none_before = clock()
        """Until then, none expires."""

    def __len__(self) -> int:
        return len(self._sessions)

    async def load(self, key: str) -> StoredSession | None:
        """The session, or None if there is none or it has expired. Loading is a use."""
        now = self._drop_expired()
        entry = self._sessions.get(key)
        if entry is None:
            return None
        self._used(key, entry, now)
        return entry.session

    async def commit(self, key: str, state: RunState, *, expected: int | None, answer: Answer | None = None) -> bool:
        """Store `state` if the session is still at the revision `expected`; None if there must be none."""
        now = self._drop_expired()
        entry = self._sessions.get(key)
        if (None if entry is None else entry.session.state.seq) != expected:
            return False
        if entry is None:
            if len(self._sessions) >= self._limit:
                raise StoreFull(f"there are {self._limit} sessions already")
            entry = self._sessions[key] = _Entry(StoredSession(state), now + self._ttl)
        else:
            entry.session = StoredSession(state)
            self._used(key, entry, now)
        if entry.answers:
            _forget(entry.answers, state.seq, now)
        if answer is not None:
            if entry.answers is None:
                entry.answers = {}
            entry.answers.pop(answer.request_id, None)
            entry.answers[answer.request_id] = _Kept(answer, state.seq, now)
        return True

    async def answer(self, key: str, request_id: str) -> Answer | None:
        """What was committed under this id, while it is remembered."""
        entry = self._sessions.get(key)
        if entry is None or not entry.answers:
            return None
        _forget(entry.answers, entry.session.state.seq, self._clock())
        kept = entry.answers.get(request_id)
        return None if kept is None else kept.answer

    async def note(self, key: str, attempts: int) -> None:
        """Remember the failures in a row."""
        entry = self._sessions.get(key)
        if entry is not None:
            entry.session = StoredSession(entry.session.state, attempts)
            self._used(key, entry, self._clock())

    async def delete(self, key: str) -> None:
        """Forget the session."""
        self._sessions.pop(key, None)

    def _used(self, key: str, entry: _Entry, now: float) -> None:
        entry.expires = now + self._ttl
        self._sessions.move_to_end(key)

    def _drop_expired(self) -> float:
        now = self._clock()
        if now < self._none_before:
            return now
        self._none_before = now + self._ttl
        while self._sessions:
            key, entry = next(iter(self._sessions.items()))
            if entry.expires > now:
                self._none_before = entry.expires
                break
            del self._sessions[key]
        return now


def _forget(answers: dict[str, _Kept], revision: int, now: float) -> None:
    """Drop what is no longer to be remembered."""
    while answers:
        request_id, kept = next(iter(answers.items()))
        if kept.revision > revision - ANSWERS_KEPT_OVER and kept.at > now - ANSWERS_KEPT_FOR:
            return
        del answers[request_id]
