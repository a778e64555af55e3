"""Background tasks: kept alive until they end, and part of no step."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine
from typing import Any, TypeVar

from fsmvoice.engine.open_step import OPEN

T = TypeVar("T")

_TASKS: set[asyncio.Task[Any]] = set()
"""Strong references: asyncio keeps only weak ones to its tasks."""


def spawn(loop: asyncio.AbstractEventLoop, coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Run `coroutine` as a task that belongs to no step, even if it is started within one of another machine."""
    context = contextvars.copy_context()
    context.run(OPEN.set, None)
    task = loop.create_task(coroutine, context=context)
    _TASKS.add(task)
    task.add_done_callback(_TASKS.discard)
    return task
