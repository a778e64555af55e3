"""A web server that stops in order: no new calls, the running ones to their end, then everything else."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import time
from collections.abc import Awaitable, Callable
from types import FrameType

import uvicorn

from fsmvoice.server.health import Health

logger: logging.Logger = logging.getLogger("fsmvoice")

FLUSHED = 0.2
"""Seconds in which the last answers leave; then the streams that only wait are ended."""
HEEDED = 1.0
"""Seconds in which what is cancelled at the very end must end."""


class Stopping(uvicorn.Server):
    """Stops at a signal: `/readyz` says so at once, and calls are still taken for `drain` seconds; then running calls
    may take `grace` seconds to finish. A second signal ends it at once.

    Args:
        last: done when no call runs any more, in the same event loop.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        health: Health,
        *,
        drain: float,
        grace: float,
        last: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__(config)
        self._health, self._drain, self._grace, self._last = health, drain, grace, last
        self._told: tuple[int, FrameType | None, float] | None = None
        self._idle_since: float | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take a signal."""
        if self._told is not None:
            # Nothing else ends it at once, and without a word: what runs may not heed a cancellation.
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
            return
        self._health.draining = True
        self._told = (sig, frame, time.monotonic())

    async def on_tick(self, counter: int) -> bool:
        """See, ten times a second, how far it is."""
        if self._told is not None and not self.should_exit and self._done(time.monotonic()):
            sig, frame, _ = self._told
            # Only now: it ends every stream, and with it the answers that are still on their way.
            super().handle_exit(sig, frame)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End everything."""
        await super().shutdown(sockets)
        await self._last()
        await _ended()

    def _close(self) -> None:
        """Take nothing new: a proxy that meets a closed door goes to the next one, and knows that nothing was done."""
        self._health.closing = True
        for server in self.servers:
            server.close()
        for connection in tuple(self.server_state.connections):
            connection.shutdown()  # it ends at once, or with the answer that it waits for

    def _done(self, now: float) -> bool:
        assert self._told is not None
        waited = now - self._told[2] - self._drain
        if waited < 0:
            return False
        if not self._health.closing:
            self._close()
        if self._health.calls:
            self._idle_since = None
            if waited < self._grace:
                return False
            logger.warning("calls that took longer than the grace period are cut short: %d", self._health.calls)
            return True
        if self._idle_since is None:
            self._idle_since = now
        return now - self._idle_since >= FLUSHED


async def _ended() -> None:
    """End what still runs. What does not heed that is forgotten: the event loop would wait for it for ever."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    if tasks:
        _, left = await asyncio.wait(tasks, timeout=HEEDED)
        for task in left:
            logger.error("something goes on though it was cancelled, and ends with the process: %s", task.get_name())
            asyncio._unregister_task(task)
