"""What a store of sessions must do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from fsmvoice.errors import FsmVoiceError
from fsmvoice.model.run_state import RunState


@dataclass(frozen=True, slots=True)
class StoredSession:
    """Where a session stands. `attempts` counts the failures in a row since it last changed."""

    state: RunState
    attempts: int = 0


class StoreFull(FsmVoiceError):
    """There is no room for another session."""


class SessionStore(Protocol):
    """Keeps run states by key. A session's revision is its run state's `seq`."""

    async def load(self, key: str) -> StoredSession | None:
        """The session, or None if there is none or it has expired."""
        ...

    async def commit(self, key: str, state: RunState, *, expected: int | None) -> bool:
        """Store `state` if the session is still at the revision `expected` (None: not there); whether it was.

        It happens whole or not at all, even if the caller is cancelled meanwhile, and sets the attempts back to 0.

        Raises:
            StoreFull: for a new session where there is no room.
        """
        ...

    async def note(self, key: str, attempts: int) -> None:
        """Remember the failures in a row, best effort; it changes no revision."""
        ...

    async def delete(self, key: str) -> None:
        """Forget the session, if it is there."""
        ...
