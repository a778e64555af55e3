"""`Turns`: orders concurrent calls on one actor."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable


class Turns:
    """A FIFO queue of waiting tasks."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def wait(self, give_back: Callable[[], None]) -> None:
        """Wait until `hand_over` reaches this task.

        Args:
            give_back: called if the task is cancelled after it was handed the turn, to pass the turn on.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                give_back()
            elif future in self._waiting:  # `hand_over` may have skipped and removed it
                self._waiting.remove(future)
            raise

    def hand_over(self) -> bool:
        """Give the turn to the task that has waited longest. Returns False if none is waiting."""
        while self._waiting:
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(None)
                return True
        return False
