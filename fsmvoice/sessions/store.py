"""What a store of sessions must do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from fsmvoice.errors import FsmVoiceError
from fsmvoice.model.run_state import RunState

DAY = 24 * 60 * 60.0
ANSWERS_KEPT_FOR = DAY
"""Seconds that an answer is kept, and"""
ANSWERS_KEPT_OVER = 1000
"""so many events of its session."""


class StoredSession(NamedTuple):
    """Where a session stands. `attempts` counts the failures in a row since it last changed."""

    state: RunState
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said to a request, so that it can be said again. `sent` is a digest of what the request sent."""

    request_id: str
    sent: str
    say: str


class StoreFull(FsmVoiceError):
    """There is no room for another session."""


class SessionStore(Protocol):
    """Keeps run states by key. A session's revision is its run state's `seq`."""

    @property
    def instant(self) -> bool:
        """Whether none of its methods ever waits. Those of others are shielded, so that no cancellation breaks them."""
        ...

    async def load(self, key: str) -> StoredSession | None:
        """The session, or None if there is none or it has expired."""
        ...

    async def commit(self, key: str, state: RunState, *, expected: int | None, answer: Answer | None = None) -> bool:
        """Store `state` if the session is still at the revision `expected` (None: not there); whether it was.

        It happens whole or not at all, together with the answer, and sets the attempts back to 0.

        Raises:
            StoreFull: for a new session where there is no room.
        """
        ...

    async def answer(self, key: str, request_id: str) -> Answer | None:
        """What was committed under this id within the last `ANSWERS_KEPT_FOR` and `ANSWERS_KEPT_OVER`."""
        ...

    async def note(self, key: str, attempts: int) -> None:
        """Remember the failures in a row, best effort; it changes no revision."""
        ...

    async def delete(self, key: str) -> None:
        """Forget the session, if it is there."""
        ...
