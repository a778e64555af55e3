"""When sessions are to be looked after though nobody calls: one alarm for each process."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import logging
import math
import random
from collections.abc import Awaitable, Callable

logger: logging.Logger = logging.getLogger("fsmvoice")

POLL = 1.0
"""Seconds after which a store is asked at the latest; a little more or less, so that not all processes ask at once."""
TOLD_EVERY = 60.0
"""Seconds after which it is said again that sessions can't be looked after."""

Look = Callable[[], Awaitable[float | None]]


class Scheduler:
    """Calls `look` when something falls due; what that returns are the seconds until it is to be called again.

    Args:
        polls: whether to look every `POLL` seconds in any case: other processes may have left something.
    """

    def __init__(self, look: Look, *, polls: bool) -> None:
        self._look, self._polls = look, polls
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._sooner = asyncio.Event()
        self._at = math.inf
        self._closed = False
        self._told_at = -math.inf
        """When it was said that sessions can't be looked after, which is so still."""

    def begin(self) -> None:
        """Look from now on, in the running event loop, first of all at what is there already."""
        if self._loop is not asyncio.get_running_loop():
            self.within(random.uniform(0, POLL / 4) if self._polls else 0.0)  # noqa: S311 - as above

    def within(self, seconds: float) -> None:
        """Look in so many seconds at the latest."""
        if self._closed:
            return
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._task, self._at, self._sooner = loop, None, math.inf, asyncio.Event()
        at = loop.time() + max(0.0, seconds)
        if at < self._at:
            self._at = at
            self._sooner.set()
        if self._task is None:
            # An empty context: what belongs to the call that came first must not belong to all after it.
            self._task = loop.create_task(self._run(loop), context=contextvars.Context())

    async def aclose(self) -> None:
        """Look no more."""
        self._closed = True
        task = self._task
        if task is not None and task is not asyncio.current_task() and self._loop is asyncio.get_running_loop():
            task.cancel()
            await asyncio.wait((task,))

    async def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        """One task, and not one for each alarm: an event loop that ends finds it waiting, and cancels it."""
        while self._at < math.inf:
            self._sooner.clear()
            if self._at > loop.time():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout_at(self._at):
                        await self._sooner.wait()
                continue
            self._at = math.inf
            again = await self._looked()
            if again is not None:
                self._at = min(self._at, loop.time() + again)
        self._task = None

    async def _looked(self) -> float | None:
        again: float | None = POLL
        now = asyncio.get_running_loop().time()
        try:
            again = await self._look()
        except Exception as error:  # noqa: BLE001, RUF100 - the store may be away; it is asked again
            if now >= self._told_at + TOLD_EVERY:
                self._told_at = now
                logger.error("sessions can't be looked after now: %s", error)
        else:
            if self._told_at > -math.inf:
                logger.warning("sessions are looked after again")
            self._told_at = -math.inf
        if self._polls:
            polled = POLL * random.uniform(0.75, 1.25)  # noqa: S311 - as above
            again = polled if again is None else min(again, polled)
        return again
