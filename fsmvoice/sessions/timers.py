"""The alarm of a process for sessions that have something due."""

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
"""Seconds between two looks at a shared store, with jitter so that not all processes ask at once."""
TOLD_EVERY = 60.0
"""Seconds after which a lasting failure is logged again."""

Look = Callable[[], Awaitable[float | None]]


class Scheduler:
    """Calls `look` when something is due.

    Args:
        look: returns the seconds until it is to be called again, None if it need not be.
        polls: whether to look every `POLL` seconds in any case, because other processes may have left something.
    """

    def __init__(self, look: Look, *, polls: bool) -> None:
        self._look, self._polls = look, polls
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._sooner = asyncio.Event()
        self._at = math.inf
        self._closed = False
        self._told_at = -math.inf
        """When the current failure was last logged, -inf while there is none."""

    def begin(self) -> None:
        """Start looking in the running event loop, first at what is already due."""
        if self._loop is not asyncio.get_running_loop():
            self.within(random.uniform(0, POLL / 4) if self._polls else 0.0)  # noqa: S311 - jitter

    def within(self, seconds: float) -> None:
        """Look in `seconds` at the latest."""
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
            # An empty context, so that context variables of the first call don't leak into the task.
            self._task = loop.create_task(self._run(loop), context=contextvars.Context())

    async def aclose(self) -> None:
        """Stop looking."""
        self._closed = True
        task = self._task
        if task is not None and task is not asyncio.current_task() and self._loop is asyncio.get_running_loop():
            task.cancel()
            await asyncio.wait((task,))

    async def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wait for the next alarm and look, until there is none. One task, so that an event loop can cancel it."""
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
        except Exception as error:  # noqa: BLE001, RUF100 - the store may be away, and is asked again
            if now >= self._told_at + TOLD_EVERY:
                self._told_at = now
                logger.error("sessions can't be tended now: %s", error)
        else:
            if self._told_at > -math.inf:
                logger.warning("sessions are tended again")
            self._told_at = -math.inf
        if self._polls:
            polled = POLL * random.uniform(0.75, 1.25)  # noqa: S311 - jitter
            again = polled if again is None else min(again, polled)
        return again
