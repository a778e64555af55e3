"""Reports to the client that a call is still being worked on."""

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
    """Report progress while the block runs, as often as the client asks. `say` is called for each report."""
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
    except Exception:  # the call itself must not fail because nobody could be told of it
        logger.exception("progress could not be reported")
