"""Queues the calls on each session: they take turns, first come, first served."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

MOST_WAITING = 1000
"""The number of calls that may wait for one session. More are refused at once."""


class Busy(Exception):
    """The turn did not come in time, or too many calls were waiting."""


class Queues:
    """The keys whose turn is taken, with the calls that wait for it. Nothing is kept for free keys."""

    def __init__(self) -> None:
        self._held: dict[str, deque[asyncio.Future[None]] | None] = {}
        """The waiting calls of each key that is taken, None if there have been none yet."""

    def __len__(self) -> int:
        return len(self._held)

    @asynccontextmanager
    async def turn(self, key: str, patience: float) -> AsyncGenerator[None]:
        """Wait for the turn on `key`, and hold it during the block.

        Raises:
            Busy: if it did not come within `patience` seconds, or too many calls are waiting.
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
        """Take the turn if it is free. Whoever took it must `leave`."""
        if key in self._held:
            return False
        self._held[key] = None
        return True

    async def wait(self, key: str, patience: float) -> None:
        """Wait for a turn that is taken, and take it then.

        Raises:
            Busy: if it did not come within `patience` seconds, or too many calls are waiting.
        """
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
                self.leave(key)  # the turn came at the very moment the wait ended
            elif future in waiting:
                waiting.remove(future)
            if isinstance(error, TimeoutError):
                raise Busy from None
            raise

    def leave(self, key: str) -> None:
        """Pass the turn to the call that has waited longest, or free it."""
        waiting = self._held[key]
        while waiting:
            future = waiting.popleft()
            if not future.done():
                future.set_result(None)
                return
        del self._held[key]
