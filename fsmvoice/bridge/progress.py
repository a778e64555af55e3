"""Telling the caller's program that the work goes on."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from fsmvoice.bridge.client import Client

logger: logging.Logger = logging.getLogger("fsmvoice")


@asynccontextmanager
async def reporting(client: Client | None, say: Callable[[], Awaitable[str]]) -> AsyncGenerator[None]:
    """Report while the block runs, as often as the client wants; what is said is worked out when it is due."""
    every = None if client is None else client.progress_every
    if client is None or every is None:
        yield
        return
    task = asyncio.create_task(_report(client, every, say))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait((task,))


async def _report(client: Client, every: float, say: Callable[[], Awaitable[str]]) -> None:
    try:
        for count in itertools.count(1):
            await asyncio.sleep(every)
            await client.report(count, await say())
    except Exception:  # the work does not depend on who watches it
        logger.exception("progress could not be reported")
