"""Work that a cancellation does not break off in the middle."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

logger: logging.Logger = logging.getLogger("fsmvoice")

T = TypeVar("T")


async def unbroken(work: Coroutine[Any, Any, T]) -> T:
    """Do `work` to its end. A cancellation that comes meanwhile takes effect after it."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            # Whoever cancels may do so again and again until the task ends, as anyio does.
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait((task,))
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a commit failed after its call was cancelled", exc_info=error)
        raise
