"""Calls on one session take turns, first come first served."""

from __future__ import annotations

import asyncio
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

    def turn(self, key: str, patience: float) -> _Turn:
        """Wait for the turn on `key`, and hold it, in an `async with`.

        Raises:
            Busy: if it did not come within `patience` seconds.
        """
        return _Turn(self._queues, key, patience)


class _Turn:
    """One turn; a class, as it costs each call a third of what a generator would."""

    __slots__ = ("_key", "_patience", "_queue", "_queues")

    def __init__(self, queues: dict[str, _Queue], key: str, patience: float) -> None:
        self._queues, self._key, self._patience = queues, key, patience
        self._queue = _Queue()

    async def __aenter__(self) -> None:
        queue = self._queue = self._queues.setdefault(self._key, self._queue)
        queue.users += 1
        try:
            if queue.users == 1:
                await queue.lock.acquire()
                return
            try:
                async with asyncio.timeout(self._patience):
                    await queue.lock.acquire()
            except TimeoutError:
                raise Busy from None
        except BaseException:
            self._leave()
            raise

    async def __aexit__(self, *_: object) -> None:
        self._queue.lock.release()
        self._leave()

    def _leave(self) -> None:
        self._queue.users -= 1
        if not self._queue.users:
            del self._queues[self._key]
