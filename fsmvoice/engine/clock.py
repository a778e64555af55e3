"""Time sources for timers: the system clock, and one that a test advances."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Protocol


class Clock(Protocol):
    """A time source in milliseconds. Stored timers are compared with it, so its epoch must survive a restart."""

    def now(self) -> float: ...


class SystemClock:
    """The wall clock (Unix time), in milliseconds."""

    def now(self) -> float:
        return time.time() * 1000


class SimulatedClock:
    """A clock that stands still until `advance` is called."""

    def __init__(self, now: float = 0.0) -> None:
        self._now = now

    def now(self) -> float:
        return self._now

    def advance(self, by: float | timedelta) -> None:
        """Advance by a timedelta or a number of milliseconds.

        Timers that fall due are stepped when the actor is next used.

        Raises:
            ValueError: if `by` is negative.
        """
        milliseconds = by / timedelta(milliseconds=1) if isinstance(by, timedelta) else by
        if milliseconds < 0:
            raise ValueError(f"a clock can't go back: {milliseconds}")
        self._now += milliseconds
