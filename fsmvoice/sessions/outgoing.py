"""The effects of one session in memory that have not been done yet."""

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


class Outbox:
    """Effects in the order they were asked for. The oldest one is due at its own time, the others after it.

    Attributes:
        dead: those that were given up.
    """

    __slots__ = ("_waiting", "dead")

    dead: list[EffectCall]

    def __init__(self) -> None:
        self._waiting: deque[_Waiting] = deque()
        self.dead = []

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, calls: Sequence[EffectCall], now: float) -> None:
        """Put effects at the end."""
        self._waiting.extend([_Waiting(call, now) for call in calls])

    def due(self) -> float | None:
        """When the oldest one is to be tried, or its claim runs out."""
        return self._waiting[0].due if self._waiting else None

    def claim(self, now: float, until: float) -> Outgoing | None:
        """The oldest one, if it is due; claimed until then."""
        if not self._waiting or self._waiting[0].due > now:
            return None
        first = self._waiting[0]
        first.due, first.attempt = until, first.attempt + 1
        return Outgoing(*first.call, first.attempt)

    def finish(self, effect: str) -> None:
        """The effect is done."""
        if self._waiting and self._waiting[0].call.id == effect:
            self._waiting.popleft()

    def retry(self, effect: str, attempt: int, due: float, error: str) -> None:
        """That attempt failed; the next one is to be made then."""
        first = self._waiting[0] if self._waiting else None
        if first is not None and first.call.id == effect and first.attempt == attempt:
            first.due, first.error = due, error

    def give_up(self, effect: str) -> None:
        """It goes to the dead ones."""
        if self._waiting and self._waiting[0].call.id == effect:
            self.dead.append(self._waiting.popleft().call)
