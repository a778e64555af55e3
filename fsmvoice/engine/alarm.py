"""Wakes an actor on its event loop when a timer is due."""

from __future__ import annotations

import asyncio
import logging
import weakref
from typing import Protocol

log: logging.Logger = logging.getLogger("fsmvoice")


class Sleeper(Protocol):
    """Whoever has timers to step."""

    async def catch_up_async(self) -> bool: ...


_WAKING: set[asyncio.Task[bool]] = set()


def ring_after(milliseconds: float, sleeper: Sleeper) -> asyncio.TimerHandle | None:
    """Have `sleeper` step its timers then, if a loop is running. It is not kept alive for it."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return None
    return loop.call_later(max(0.0, milliseconds) / 1000, _ring, weakref.ref(sleeper))


def _ring(reference: weakref.ref[Sleeper]) -> None:
    sleeper = reference()
    if sleeper is not None:
        task = asyncio.get_running_loop().create_task(_wake(sleeper))
        _WAKING.add(task)
        task.add_done_callback(_WAKING.discard)


async def _wake(sleeper: Sleeper) -> bool:
    try:
        return await sleeper.catch_up_async()
    except Exception as error:  # noqa: BLE001, RUF100 - nobody waits for this call who could be told
        log.error("a timer's step failed, and it stays due: %s", error, exc_info=error)
        return False
