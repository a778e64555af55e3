"""What time it is for timers: the system's clock, or one that a test moves."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Protocol


class Clock(Protocol):
    """Milliseconds since some epoch. A stored timer is compared with it, so it should survive a restart."""

    def now(self) -> float: ...


class SystemClock:
    """The wall clock (Unix time), in milliseconds."""

    def now(self) -> float:
        return time.time() * 1000


class SimulatedClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: float = 0.0) -> None:
        self._now = now

    def now(self) -> float:
        return self._now

    def advance(self, by: float | timedelta) -> None:
        """Move time on, by a timedelta or by milliseconds.

        Timers that fall due are stepped when the actor is next asked for something.

        Raises:
            ValueError: if it would go back.
        """
        milliseconds = by / timedelta(milliseconds=1) if isinstance(by, timedelta) else by
        if milliseconds < 0:
            raise ValueError(f"time does not go back: {milliseconds}")
        self._now += milliseconds
