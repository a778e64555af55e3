"""Wakes an actor on its event loop when a timer is due."""

from __future__ import annotations

import asyncio
import logging
import weakref
from typing import Protocol

from fsmvoice.engine.tasks import spawn

log: logging.Logger = logging.getLogger("fsmvoice")


class Sleeper(Protocol):
    """An object with timers to step."""

    async def catch_up_async(self) -> bool: ...


def ring_after(milliseconds: float, sleeper: Sleeper) -> asyncio.TimerHandle | None:
    """Have `sleeper` step its timers after this time, if an event loop is running. It is only weakly referenced."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return None
    return loop.call_later(max(0.0, milliseconds) / 1000, _ring, weakref.ref(sleeper))


def _ring(reference: weakref.ref[Sleeper]) -> None:
    sleeper = reference()
    if sleeper is not None:
        spawn(asyncio.get_running_loop(), _wake(sleeper))


async def _wake(sleeper: Sleeper) -> bool:
    try:
        return await sleeper.catch_up_async()
    except Exception as error:  # noqa: BLE001, RUF100 - this task has no caller to raise to
        log.error("a timer's step failed, so it stays due: %s", error, exc_info=error)
        return False
