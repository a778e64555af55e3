"""Calls on one session take turns, first come first served."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

MOST_WAITING = 1000
"""So many calls wait for one session; more would wait in vain."""


class Busy(Exception):
    """The turn did not come in time, or will not."""


class Queues:
    """Who has the turn on which key, and who waits for it. Nothing is kept of a key that nobody holds."""

    def __init__(self) -> None:
        self._held: dict[str, deque[asyncio.Future[None]] | None] = {}
        """The keys that are held; None where nobody has waited yet."""

    def __len__(self) -> int:
        return len(self._held)

    @asynccontextmanager
    async def turn(self, key: str, patience: float) -> AsyncGenerator[None]:
        """Wait for the turn on `key`, and hold it.

        Raises:
            Busy: if it did not come within `patience` seconds, or too many wait already.
        """
        if not self.take(key):
            await self.wait(key, patience)
        try:
            yield
        finally:
            self.leave(key)

    def free(self, key: str) -> bool:
        """Whether nobody has the turn."""
        return key not in self._held

    def take(self, key: str) -> bool:
        """Take the turn if nobody has it; who did must `leave`."""
        if key in self._held:
            return False
        self._held[key] = None
        return True

    async def wait(self, key: str, patience: float) -> None:
        """Wait for the turn that somebody else has; it is taken then. Raises Busy as `turn` does."""
        waiting = self._held[key]
        if waiting is None:
            waiting = self._held[key] = deque()
        if len(waiting) >= MOST_WAITING:
            raise Busy
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting.append(future)
        try:
            async with asyncio.timeout(patience):
                await future
        except BaseException as error:
            if future.done() and not future.cancelled():
                self.leave(key)  # it came at the very moment the waiting ended
            elif future in waiting:
                waiting.remove(future)
            if isinstance(error, TimeoutError):
                raise Busy from None
            raise

    def leave(self, key: str) -> None:
        """Give the turn to the one who waits longest."""
        waiting = self._held[key]
        while waiting:
            future = waiting.popleft()
            if not future.done():
                future.set_result(None)
                return
        del self._held[key]
