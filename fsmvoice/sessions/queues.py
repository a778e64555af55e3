"""Calls on one session take turns, first come first served."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


class Busy(Exception):
    """The turn did not come in time."""


@dataclass(slots=True)
class _Queue:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0


class Queues:
    """A queue for each key that someone holds or waits for; there is none for the others."""

    def __init__(self) -> None:
        self._queues: dict[str, _Queue] = {}

    def __len__(self) -> int:
        return len(self._queues)

    @asynccontextmanager
    async def turn(self, key: str, patience: float) -> AsyncGenerator[None]:
        """Wait for the turn on `key`, and hold it.

        Raises:
            Busy: if it did not come within `patience` seconds.
        """
        queue = self._queues.setdefault(key, _Queue())
        queue.users += 1
        try:
            if queue.users > 1:
                try:
                    async with asyncio.timeout(patience):
                        await queue.lock.acquire()
                except TimeoutError:
                    raise Busy from None
            else:
                await queue.lock.acquire()
            try:
                yield
            finally:
                queue.lock.release()
        finally:
            queue.users -= 1
            if not queue.users:
                del self._queues[key]
