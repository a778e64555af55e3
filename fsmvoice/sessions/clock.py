"""A clock that tells the store's time during a turn."""

from __future__ import annotations

import time


class TurnClock:
    """A `Clock` that continues from the store's time at which the session was loaded, so it is never ahead of it."""

    __slots__ = ("_since", "_told")

    def __init__(self, told: float) -> None:
        self._told, self._since = told, time.monotonic()

    def now(self) -> float:
        """Milliseconds since 1970, by the store's clock."""
        return self._told + (time.monotonic() - self._since) * 1000
