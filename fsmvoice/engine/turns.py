"""Calls on one actor take turns, in the order they came."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable


class Turns:
    """A queue of waiting tasks. It costs nothing until someone has to wait."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def wait(self, give_back: Callable[[], None]) -> None:
        """Wait until the turn is handed over.

        Args:
            give_back: called with the turn in hand, if it came at the very moment the waiting was cancelled.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                give_back()
            elif future in self._waiting:  # a hand-over in between has passed it by already
                self._waiting.remove(future)
            raise

    def hand_over(self) -> bool:
        """Give the turn to the one who waits longest. False if nobody waits."""
        while self._waiting:
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(None)
                return True
        return False
