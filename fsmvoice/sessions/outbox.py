"""Runs the effects that commits requested: for each session one after the other, in any process."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from typing import Any

from fsmvoice.engine.effects import run_effect
from fsmvoice.errors import RestoreError, message_of
from fsmvoice.model.chart import Chart
from fsmvoice.model.effect import CALL_KEY, Wanted
from fsmvoice.sessions.store import Outgoing, SessionStore
from fsmvoice.sessions.unbroken import claimed

logger: logging.Logger = logging.getLogger("fsmvoice")

ATTEMPTS = 8
"""The number of attempts after which an effect is given up."""
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0
"""Seconds between two attempts: the first pause, doubled each time up to the longest."""
CLAIM_BEYOND = 5.0
"""Seconds for which an effect stays claimed beyond its time limit."""
HEED = 1.0
"""Seconds for a cancelled effect to end. After that nobody waits for it."""


class Outbox:
    """Runs the effects of one machine's sessions.

    Args:
        timeout: the time limit of an effect, in seconds.
        machine: gives the `self` of effects for a session's key. None for a config, or if there is no such session.
        give_up: commits that an effect is given up, and sends the machine the event for it.
    """

    def __init__(
        self,
        chart: Chart,
        store: SessionStore,
        owner: str,
        *,
        timeout: float,
        machine: Callable[[str], Awaitable[Any]],
        give_up: Callable[[str, Outgoing, str], Awaitable[None]],
    ) -> None:
        self._chart, self._store, self._owner, self._timeout = chart, store, owner, timeout
        self._machine, self._give_up = machine, give_up

    async def run(self, key: str) -> float | None:
        """Run the effects of one session that are due. Seconds until the next attempt, if one failed."""
        while (found := await self._claimed(key)) is not None:
            error = await self._tried(key, found)
            if error is None:
                await self._store.finish_effect(key, found.id)
            elif found.attempt >= ATTEMPTS:
                logger.error("giving up the effect %r after %d attempts: %s", found.name, found.attempt, error)
                await self._give_up(key, found, error)
            else:
                pause: float = min(FIRST_PAUSE * 2 ** (found.attempt - 1), LONGEST_PAUSE)
                pause *= random.uniform(0.5, 1)  # noqa: S311 - jitter
                logger.warning("the effect %r failed and will be retried in %.1f s: %s", found.name, pause, error)
                await self._store.retry_effect(key, found.id, found.attempt, pause, error)
                return pause
        return None

    async def _claimed(self, key: str) -> Outgoing | None:
        async def undo(found: Outgoing) -> None:
            await self._store.retry_effect(key, found.id, found.attempt, 0.0, "it was cancelled")

        return await claimed(self._store.claim_effect(key, self._owner, self._timeout + CLAIM_BEYOND), undo)

    async def _tried(self, key: str, found: Outgoing) -> str | None:
        """Run an effect once. The error as a string, None if it succeeded."""
        try:
            if found.name not in self._chart.behaviour.effects:
                raise LookupError(f"{self._chart.name} has no effect {found.name!r} any more")
            machine = await self._machine(key)
            failed = await self._within(machine, Wanted(found.name, found.arguments), found.id)
        except (asyncio.CancelledError, RestoreError):  # this process has to stop or can't do it, but another can
            await asyncio.shield(self._store.retry_effect(key, found.id, found.attempt, 0.0, "it was cancelled"))
            raise
        except Exception as error:  # the store's, or there is no such effect
            failed = error
        if failed is None:
            return None
        logger.debug("an effect failed", exc_info=failed)
        return f"{type(failed).__name__}: {message_of(failed)}"[:500]

    async def _within(self, machine: Any, wanted: Wanted, key: str) -> Exception | None:
        """The exception of an effect, None if it succeeded. One that ignores its cancellation doesn't block others."""
        task = asyncio.get_running_loop().create_task(_failure(self._chart, machine, wanted, key))
        try:
            await asyncio.wait((task,), timeout=self._timeout)
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait((task,), timeout=HEED)
        if not task.done():
            logger.error("an effect ignored its cancellation; it is no longer waited for")
        if not task.done() or task.cancelled():
            return TimeoutError(f"it took more than {self._timeout:g} seconds")
        return task.result()


async def _failure(chart: Chart, machine: Any, wanted: Wanted, key: str) -> Exception | None:
    CALL_KEY.set(key)
    return await run_effect(chart, machine, wanted)
