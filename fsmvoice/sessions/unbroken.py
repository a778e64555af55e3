"""Work that a cancellation does not interrupt."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

logger: logging.Logger = logging.getLogger("fsmvoice")

T = TypeVar("T")


async def unbroken(work: Coroutine[Any, Any, T]) -> T:
    """Complete `work`. A cancellation that comes meanwhile takes effect after it."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            # The cancellation may be repeated until the task ends, as anyio does.
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait((task,))
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a commit failed after its call was cancelled", exc_info=error)
        raise


async def claimed(work: Coroutine[Any, Any, T | None], undo: Callable[[T], Coroutine[Any, Any, None]]) -> T | None:
    """The result of `work`, which claims something. If a cancellation comes meanwhile, `undo` gives it back."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        with contextlib.suppress(Exception):  # claims end by themselves

            async def give_back() -> None:
                found = await task
                if found is not None:
                    await undo(found)

            giving = asyncio.ensure_future(give_back())
            while not giving.done():
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.wait((giving,))
            if not giving.cancelled():
                giving.exception()
        raise
