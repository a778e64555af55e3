"""The pending effects of one session in memory."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Sequence

from fsmvoice.sessions.store import EffectCall, Outgoing


@dataclasses.dataclass(slots=True)
class _Waiting:
    call: EffectCall
    due: float
    attempt: int = 0
    error: str = ""


class PendingEffects:
    """A queue of effects in the order in which they were requested. Only the oldest can be due.

    Attributes:
        dead: the effects that were given up.
    """

    __slots__ = ("_waiting", "dead")

    dead: list[EffectCall]

    def __init__(self) -> None:
        self._waiting: deque[_Waiting] = deque()
        self.dead = []

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, calls: Sequence[EffectCall], now: float) -> None:
        """Append effects."""
        self._waiting.extend([_Waiting(call, now) for call in calls])

    def due(self) -> float | None:
        """When the next attempt at the oldest effect is due, or its claim ends."""
        return self._waiting[0].due if self._waiting else None

    def claim(self, now: float, until: float) -> Outgoing | None:
        """Claim the oldest effect until `until`, if it is due."""
        if not self._waiting or self._waiting[0].due > now:
            return None
        first = self._waiting[0]
        first.due, first.attempt = until, first.attempt + 1
        return Outgoing(*first.call, first.attempt)

    def finish(self, effect: str) -> None:
        """Remove an effect that is done."""
        if self._waiting and self._waiting[0].call.id == effect:
            self._waiting.popleft()

    def retry(self, effect: str, attempt: int, due: float, error: str) -> None:
        """Schedule the next attempt at `due`, after this one failed."""
        first = self._waiting[0] if self._waiting else None
        if first is not None and first.call.id == effect and first.attempt == attempt:
            first.due, first.error = due, error

    def give_up(self, effect: str) -> None:
        """Move the effect to the dead ones."""
        if self._waiting and self._waiting[0].call.id == effect:
            self.dead.append(self._waiting.popleft().call)
