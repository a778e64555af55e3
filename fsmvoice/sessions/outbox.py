"""The effects that commits have asked for, run one after the other for each session, by any process."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from typing import Any

from fsmvoice.engine.drive import failure_of, is_being_cancelled, is_being_closed
from fsmvoice.engine.effects import run_effect
from fsmvoice.errors import RestoreError, message_of
from fsmvoice.model.chart import Chart
from fsmvoice.model.effect import CALL_KEY, Wanted
from fsmvoice.sessions.store import Outgoing, SessionStore
from fsmvoice.sessions.unbroken import claimed

logger: logging.Logger = logging.getLogger("fsmvoice")

ATTEMPTS = 8
"""So often an effect is tried before it is given up."""
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0
"""Seconds between two attempts; twice as long each time."""
CLAIM_BEYOND = 5.0
"""Seconds that an effect stays claimed longer than it may take."""
HEED = 1.0
"""Seconds in which an effect must end that is cancelled; then nobody waits for it any more."""


class Outbox:
    """Runs the effects of one machine's sessions.

    Args:
        timeout: seconds that an effect may take.
        machine: what an effect's `self` is, for a session; None if there is no such session, or for a config.
        give_up: commits that an effect is given up, and tells the machine.
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
        """Run what is due of one session; seconds until the next attempt, where one failed here."""
        while (found := await self._claimed(key)) is not None:
            error = await self._tried(key, found)
            if error is None:
                await self._store.finish_effect(key, found.id)
            elif found.attempt >= ATTEMPTS:
                logger.error("the effect %r is given up after %d attempts: %s", found.name, found.attempt, error)
                await self._give_up(key, found, error)
            else:
                pause: float = min(FIRST_PAUSE * 2 ** (found.attempt - 1), LONGEST_PAUSE)
                pause *= random.uniform(0.5, 1)  # noqa: S311 - only so that not all come at once
                logger.warning("the effect %r failed, and is tried again in %.1f s: %s", found.name, pause, error)
                await self._store.retry_effect(key, found.id, found.attempt, pause, error)
                return pause
        return None

    async def _claimed(self, key: str) -> Outgoing | None:
        async def undo(found: Outgoing) -> None:
            await self._store.retry_effect(key, found.id, found.attempt, 0.0, "it was cut short")

        return await claimed(self._store.claim_effect(key, self._owner, self._timeout + CLAIM_BEYOND), undo)

    async def _tried(self, key: str, found: Outgoing) -> str | None:
        """Run an effect once; why it failed, None if it did not."""
        try:
            if found.name not in self._chart.behaviour.effects:
                raise LookupError(f"{self._chart.name} has no effect {found.name!r} any more")
            machine = await self._machine(key)
            failed = await self._within(machine, Wanted(found.name, found.arguments), found.id)
        except (asyncio.CancelledError, RestoreError):  # this process can't, or may not go on: another one can
            await asyncio.shield(self._store.retry_effect(key, found.id, found.attempt, 0.0, "it was cut short"))
            raise
        except Exception as error:  # the store's, or there is no such effect
            failed = error
        if failed is None:
            return None
        logger.debug("an effect failed", exc_info=failed)
        return f"{type(failed).__name__}: {message_of(failed)}"[:500]

    async def _within(self, machine: Any, wanted: Wanted, key: str) -> Exception | None:
        """What an effect fails with. One that does not end when it is cancelled must not hold up all others."""
        task = asyncio.get_running_loop().create_task(_failure(self._chart, machine, wanted, key))
        try:
            await asyncio.wait((task,), timeout=self._timeout)
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait((task,), timeout=HEED)
        if not task.done():
            logger.error("an effect goes on though it was cancelled; nobody waits for it any more")
        if not task.done() or task.cancelled():
            return TimeoutError(f"it took more than {self._timeout:g} seconds")
        return task.result()


async def _failure(chart: Chart, machine: Any, wanted: Wanted, key: str) -> Exception | None:
    """What a user's function raises, which may be anything: some of it would end the event loop with the task."""
    CALL_KEY.set(key)
    task = asyncio.current_task()
    try:
        await run_effect(chart, machine, wanted)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if isinstance(error, asyncio.CancelledError) and is_being_cancelled():
            raise
        if isinstance(error, GeneratorExit) and is_being_closed(task):
            raise
        return failure_of(error)
    return None
