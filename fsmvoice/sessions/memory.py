"""Sessions in memory: gone with the process, and as fast as a dict."""

from __future__ import annotations

import dataclasses
import time
from collections import OrderedDict
from collections.abc import Callable

from fsmvoice.model.run_state import RunState
from fsmvoice.sessions.store import StoredSession, StoreFull

DAY = 24 * 60 * 60.0


class MemoryStore:
    """A `SessionStore` in a dict.

    Args:
        ttl: seconds after its last use that a session is kept.
        limit: so many sessions there can be at a time.
        clock: seconds, never going back.
    """

    def __init__(self, *, ttl: float = DAY, limit: int = 100_000, clock: Callable[[], float] = time.monotonic) -> None:
        self._ttl, self._limit, self._clock = ttl, limit, clock
        self._sessions: OrderedDict[str, tuple[StoredSession, float]] = OrderedDict()
        """By last use, the longest unused first; with the time it expires."""

    def __len__(self) -> int:
        return len(self._sessions)

    async def load(self, key: str) -> StoredSession | None:
        """The session, or None if there is none or it has expired. Loading is a use."""
        self._drop_expired()
        found = self._sessions.get(key)
        if found is None:
            return None
        self._keep(key, found[0])
        return found[0]

    async def commit(self, key: str, state: RunState, *, expected: int | None) -> bool:
        """Store `state` if the session is still at the revision `expected`; None if there must be none."""
        self._drop_expired()
        found = self._sessions.get(key)
        if (None if found is None else found[0].state.seq) != expected:
            return False
        if found is None and len(self._sessions) >= self._limit:
            raise StoreFull(f"there are {self._limit} sessions already")
        self._keep(key, StoredSession(state))
        return True

    async def note(self, key: str, attempts: int) -> None:
        """Remember the failures in a row."""
        found = self._sessions.get(key)
        if found is not None:
            self._keep(key, dataclasses.replace(found[0], attempts=attempts))

    async def delete(self, key: str) -> None:
        """Forget the session."""
        self._sessions.pop(key, None)

    def _keep(self, key: str, session: StoredSession) -> None:
        self._sessions[key] = (session, self._clock() + self._ttl)
        self._sessions.move_to_end(key)

    def _drop_expired(self) -> None:
        now = self._clock()
        while self._sessions:
            key, (_, expires) = next(iter(self._sessions.items()))
            if expires > now:
                return
            del self._sessions[key]
