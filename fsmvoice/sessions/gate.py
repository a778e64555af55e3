"""Takes a session's lease before code of the machine waits, so that only one process at a time runs such code."""

from __future__ import annotations

import asyncio
import logging
import random

from fsmvoice.sessions.queues import Busy
from fsmvoice.sessions.store import Lease, SessionStore
from fsmvoice.sessions.unbroken import claimed, unbroken

logger: logging.Logger = logging.getLogger("fsmvoice")

PATIENT = 0.1
"""Seconds of waiting for a lease after which the turn starts again, since the time limit of its code was running."""


class Stale(Exception):
    """The session was changed before the lease was taken, so the turn has to start again, now with the lease."""


class Gate:
    """Takes the lease of a session when a turn first comes to code that waits.

    Args:
        owner: the id of this process.
        seconds: how long the lease lasts if it is not given back.
        until: when to give up waiting for it, in seconds of the event loop's clock.
    """

    def __init__(self, store: SessionStore, key: str, owner: str, *, seconds: float, until: float) -> None:
        self._store, self._key, self._owner, self._seconds, self._until = store, key, owner, seconds, until
        self.fence: int | None = None
        self.revision: int | None = None
        """The revision that the turn works on."""

    async def __call__(self) -> None:
        """Take the lease, if the turn has none.

        Raises:
            Stale: if the session has changed since it was loaded.
            Busy: if another process held the lease all the time.
        """
        if self.fence is not None:
            return
        loop = asyncio.get_running_loop()
        began = loop.time()
        for attempt in range(1_000_000):
            lease = await self._taken()
            if lease is not None:
                if lease != self.revision or loop.time() > began + PATIENT:
                    raise Stale
                return
            await self.pause(attempt)

    async def pause(self, attempt: int) -> None:
        """Wait for another process, longer with each attempt.

        Raises:
            Busy: if there is no time left.
        """
        left = self._until - asyncio.get_running_loop().time()
        if left <= 0:
            raise Busy
        longest = min(0.002 * 2 ** min(attempt, 6), 0.1)
        await asyncio.sleep(min(left, random.uniform(0.3, 1) * longest))  # noqa: S311 - jitter

    def lost(self) -> None:
        """Note that a commit has ended the lease, or another process has it."""
        self.fence = None

    async def leave(self) -> None:
        """Give the lease back if the turn has it, even if the call is cancelled meanwhile."""
        fence, self.fence = self.fence, None
        if fence is not None:
            try:
                await unbroken(self._store.release(self._key, fence))
            except Exception as error:  # noqa: BLE001, RUF100 - the lease ends by itself
                logger.warning("a lease could not be given back and ends in %g s: %s", self._seconds, error)

    async def _taken(self) -> int | None:
        """Try once to take the lease. The session's revision, -1 for a new one, None if another process has the lease.

        A cancellation must not leave a lease behind that nobody gives back.
        """
        lease = await claimed(self._store.lease(self._key, self._owner, self._seconds), self._undo)
        if lease is None:
            return None
        self.fence = lease.fence
        return -1 if lease.revision is None else lease.revision

    async def _undo(self, lease: Lease) -> None:
        await self._store.release(self._key, lease.fence)
