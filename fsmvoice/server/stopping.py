"""A web server that stops gracefully: it refuses new calls, lets the running ones finish, then ends the rest."""

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
"""Seconds for the last answers to be sent. Then idle streams are ended."""
HEEDED = 1.0
"""Seconds for tasks that are cancelled at the very end to finish."""


class Stopping(uvicorn.Server):
    """Stops at a signal. A second signal ends it at once.

    Args:
        drain: seconds in which calls are still taken, while `/readyz` already says to send no more.
        grace: seconds after that for running calls to finish.
        last: awaited in the same event loop when no call is running any more.
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
        """Start stopping at the first signal, end the process at the second."""
        if self._told is not None:
            # Only the default action ends it at once: running code may ignore a cancellation.
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
            return
        self._health.draining = True
        self._told = (sig, frame, time.monotonic())

    async def on_tick(self, counter: int) -> bool:
        """Check, ten times a second, whether the next phase of stopping is due."""
        if self._told is not None and not self.should_exit and self._done(time.monotonic()):
            sig, frame, _ = self._told
            # Not before now, because it ends every stream, including answers that are still being sent.
            super().handle_exit(sig, frame)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close connections, await `last`, and cancel the remaining tasks."""
        await super().shutdown(sockets)
        await self._last()
        await _ended()

    def _close(self) -> None:
        """Accept no new connections. A proxy that is refused tries the next server, knowing that nothing was done."""
        self._health.closing = True
        for server in self.servers:
            server.close()
        for connection in tuple(self.server_state.connections):
            connection.shutdown()  # ends an idle connection at once, a busy one after its answer

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
            logger.warning("cancelling %d calls that took longer than the grace period", self._health.calls)
            return True
        if self._idle_since is None:
            self._idle_since = now
        return now - self._idle_since >= FLUSHED


async def _ended() -> None:
    """Cancel all other tasks, and abandon those that ignore it, since the event loop would wait for them for ever."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    if tasks:
        _, left = await asyncio.wait(tasks, timeout=HEEDED)
        for task in left:
            logger.error("a task ignored its cancellation and ends with the process: %s", task.get_name())
            asyncio._unregister_task(task)
