"""Changes of sessions, told from process to process over LISTEN and NOTIFY."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from fsmvoice.sessions.postgres_pool import Pool
from fsmvoice.sessions.postgres_text import escaped, unescaped
from fsmvoice.sessions.store import Changed

logger: logging.Logger = logging.getLogger("fsmvoice")

GATHERED: Final = 0.01
"""Seconds in which changes are gathered: a notification is a transaction of its own."""
PAYLOAD: Final = 7000
"""Bytes of one notification; the server takes 8,000."""
WAITING: Final = 10_000
"""So many changes are kept that could not be told yet."""
REMEMBERED: Final = 4096
AGAIN: Final = 0.5
CHECKED_EVERY: Final = 15.0
MISSED: Final = 1000
"""So many changes are looked up after a break, the latest ones."""
_SPACE: Final = r"\u0020"

_CHANGED: Final = """
SELECT key, revision FROM fsmvoice_sessions
WHERE changed >= (SELECT fsmvoice_now()) - $1 AND forget_on >= floor(((SELECT fsmvoice_now()) - $1) / 3600000)::integer
ORDER BY changed DESC LIMIT $2
"""


class Changes:
    """Tells this process's changes to the others, and the others' to who listens here.

    Listeners here hear of a commit here at once. Notifications are no part of a commit, which would make all commits
    of the database wait for one another: a process that is killed may have told nobody of its last ones.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._origin = secrets.token_hex(8)
        self._listeners: dict[object, Changed] = {}
        self._told: OrderedDict[str, int] = OrderedDict()
        self._waiting: dict[str, int] = {}
        self._sending: asyncio.Task[None] | None = None
        self._hearing: asyncio.Task[None] | None = None
        self._channel: str | None = None

    def subscribe(self, changed: Changed) -> Callable[[], None]:
        """Have `changed` called after each change; returns what ends that."""
        token = object()
        self._listeners[token] = changed
        if self._hearing is None or self._hearing.done() or self._hearing.get_loop() is not asyncio.get_running_loop():
            self._hearing = asyncio.get_running_loop().create_task(self._hear())

        def end() -> None:
            self._listeners.pop(token, None)

        return end

    def tell(self, key: str, revision: int) -> None:
        """A commit of this process happened."""
        self._tell_here(key, revision)
        if len(self._waiting) < WAITING:
            self._waiting[key] = revision
        if self._sending is None or self._sending.done() or self._sending.get_loop() is not asyncio.get_running_loop():
            self._sending = asyncio.get_running_loop().create_task(self._send())

    async def aclose(self) -> None:
        """Tell what is not told yet, and stop hearing."""
        hearing, sending = self._hearing, self._sending
        self._hearing = self._sending = None
        for task in (hearing, sending):
            if task is None or task.get_loop() is not asyncio.get_running_loop():
                continue
            if task is hearing:
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError, TimeoutError):
                await asyncio.wait_for(task, 1)

    def _tell_here(self, key: str, revision: int) -> None:
        if self._told.get(key) == revision:
            return
        self._told[key] = revision
        self._told.move_to_end(key)
        if len(self._told) > REMEMBERED:
            self._told.popitem(last=False)
        for changed in tuple(self._listeners.values()):
            try:
                changed(key, revision)
            except Exception:  # it has nothing to do with the commit, and the others want to hear
                logger.exception("a listener to a store failed")

    async def _send(self) -> None:
        while self._waiting:
            await asyncio.sleep(GATHERED)
            payloads = self._payloads()
            try:
                channel = await self._own_channel()
                await self._pool.once("SELECT fsmvoice_tell($1, $2)", channel, payloads)
            except Exception as error:  # a hint was lost; who hears again after a break looks for what it missed
                logger.debug("changes could not be told", exc_info=error)
                return

    def _payloads(self) -> list[str]:
        """What waits, in as few texts as it fits in; nothing waits after that."""
        waiting, self._waiting = self._waiting, {}
        texts, text = list[str](), self._origin
        for key, revision in waiting.items():
            part = f" {escaped(key).replace(' ', _SPACE)}@{revision}"
            if len(text.encode()) + len(part.encode()) > PAYLOAD:
                texts.append(text)
                text = self._origin
            text += part
        return [*texts, text]

    async def _own_channel(self) -> str:
        """One for each schema: two stores in one database have nothing to tell one another."""
        if self._channel is None:
            (row,) = await self._pool.once("SELECT 'fsmvoice ' || current_schema()::text")
            self._channel = str(row[0])
        return self._channel

    async def _hear(self) -> None:
        """Listen, and listen again after every break, as long as the store is open."""
        loop = asyncio.get_running_loop()
        heard = loop.time()
        while True:
            connection: Any = None
            try:
                channel = await self._own_channel()
                connection = await self._pool.connection()
                await connection.add_listener(channel, self._heard)
                missed = await connection.fetch(_CHANGED, (loop.time() - heard + 1) * 1000, MISSED)
                for row in reversed(missed):
                    self._tell_here(unescaped(row["key"]), row["revision"])
                while True:
                    heard = loop.time()
                    # A connection that was cut silently says nothing any more, and nothing of that.
                    await _ended(connection, CHECKED_EVERY)
                    await connection.fetchval("SELECT 1", timeout=CHECKED_EVERY)
            except Exception as error:  # a connection can break in many ways; whoever listens wants another
                logger.debug("listening to changes broke off", exc_info=error)
            finally:
                if connection is not None:
                    connection.terminate()
            await asyncio.sleep(AGAIN)

    def _heard(self, _connection: object, _pid: int, _channel: str, payload: str) -> None:
        origin, *parts = payload.split(" ")
        if origin == self._origin:
            return
        for part in parts:
            key, _, revision = part.rpartition("@")
            self._tell_here(unescaped(key), int(revision))


async def _ended(connection: Any, seconds: float) -> None:
    """Wait until the connection ends, or for so long."""
    ended = asyncio.Event()

    def end(_connection: object) -> None:
        ended.set()

    connection.add_termination_listener(end)
    try:
        async with asyncio.timeout(seconds):
            await ended.wait()
    except TimeoutError:
        return
    finally:
        connection.remove_termination_listener(end)
