"""The lease of one turn: passed before step code that waits, so that one process at a time runs such code."""

from __future__ import annotations

import asyncio
import logging
import random

from fsmvoice.sessions.queues import Busy
from fsmvoice.sessions.store import Lease, SessionStore
from fsmvoice.sessions.unbroken import claimed, unbroken

logger: logging.Logger = logging.getLogger("fsmvoice")

PATIENT = 0.1
"""Seconds after which a turn that has waited for its lease begins anew: its time to act has been running."""


class Stale(Exception):
    """The session was changed before the lease was there: the turn has to begin anew, with the lease in hand."""


class Gate:
    """Takes the lease of a session when a turn first comes to code that waits.

    Args:
        seconds: how long the lease lasts, if it is not given back.
        until: when to give up waiting for it, by the event loop's clock.
    """

    def __init__(self, store: SessionStore, key: str, owner: str, *, seconds: float, until: float) -> None:
        self._store, self._key, self._owner, self._seconds, self._until = store, key, owner, seconds, until
        self.fence: int | None = None
        self.revision: int | None = None
        """The revision on which the turn works."""

    async def __call__(self) -> None:
        """Take the lease, if the turn has none.

        Raises:
            Stale: the session is not as it was loaded any more.
            Busy: somebody else has it all the time.
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
        """Wait a little, longer each time, for what another process does. Raises Busy when the time is over."""
        left = self._until - asyncio.get_running_loop().time()
        if left <= 0:
            raise Busy
        longest = min(0.002 * 2 ** min(attempt, 6), 0.1)
        await asyncio.sleep(min(left, random.uniform(0.3, 1) * longest))  # noqa: S311 - only so that not all come at once

    def lost(self) -> None:
        """Another process has the lease now, or a commit has ended it."""
        self.fence = None

    async def leave(self) -> None:
        """Give the lease back, if the turn has it, even if the call is cancelled meanwhile."""
        fence, self.fence = self.fence, None
        if fence is not None:
            try:
                await unbroken(self._store.release(self._key, fence))
            except Exception as error:  # noqa: BLE001, RUF100 - it runs out by itself
                logger.warning("a lease could not be given back, and runs out in %g s: %s", self._seconds, error)

    async def _taken(self) -> int | None:
        """Try once; the revision that the session has then, -1 for a new one. None if somebody else has the lease.

        A cancellation must not leave a lease behind that nobody knows of.
        """
        lease = await claimed(self._store.lease(self._key, self._owner, self._seconds), self._undo)
        if lease is None:
            return None
        self.fence = lease.fence
        return -1 if lease.revision is None else lease.revision

    async def _undo(self, lease: Lease) -> None:
        await self._store.release(self._key, lease.fence)
