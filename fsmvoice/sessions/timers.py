"""When sessions are to be looked after though nobody calls: one alarm for each process."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable

logger: logging.Logger = logging.getLogger("fsmvoice")

POLL = 1.0
"""Seconds after which a store is asked at the latest; a little more or less, so that not all processes ask at once."""

Look = Callable[[], Awaitable[float | None]]


class Scheduler:
    """Calls `look` when something falls due; what that returns are the seconds until it is to be called again.

    Args:
        polls: whether to look every `POLL` seconds in any case: other processes may have left something.
    """

    def __init__(self, look: Look, *, polls: bool) -> None:
        self._look, self._polls = look, polls
        self._loop: asyncio.AbstractEventLoop | None = None
        self._handle: asyncio.TimerHandle | None = None
        self._at = 0.0
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def begin(self) -> None:
        """Look from now on, in the running event loop; at once, if it polls."""
        if self._polls and self._loop is not asyncio.get_running_loop():
            self.within(random.uniform(0, POLL / 4))  # noqa: S311 - as above

    def within(self, seconds: float) -> None:
        """Look in so many seconds at the latest."""
        if self._closed:
            return
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._handle, self._task = loop, None, None
        at = loop.time() + max(0.0, seconds)
        if self._handle is not None:
            if self._at <= at:
                return
            self._handle.cancel()
        self._at, self._handle = at, loop.call_at(at, self._ring)

    async def aclose(self) -> None:
        """Look no more."""
        self._closed = True
        if self._handle is not None:
            self._handle.cancel()
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel()
            await asyncio.wait((self._task,))

    def _ring(self) -> None:
        self._handle = None
        if self._task is not None and not self._task.done():
            self.within(0.05)
            return
        self._task = asyncio.get_running_loop().create_task(self._looked())

    async def _looked(self) -> None:
        again: float | None = POLL
        try:
            again = await self._look()
        except Exception as error:  # noqa: BLE001, RUF100 - the store may be away; it is asked again
            logger.error("sessions can't be looked after now: %s", error)
        if self._polls:
            polled = POLL * random.uniform(0.75, 1.25)  # noqa: S311 - as above
            again = polled if again is None else min(again, polled)
        if again is not None:
            self.within(again)
