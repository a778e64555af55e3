"""Tells other processes about changes of sessions, with LISTEN and NOTIFY."""

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
"""Seconds in which changes are collected into one notification, because each is a transaction of its own."""
PAYLOAD: Final = 7000
"""Bytes of one notification. The server's limit is 8000."""
WAITING: Final = 10_000
"""The number of pending changes, at most."""
REMEMBERED: Final = 4096
"""The number of sessions whose last announced revision is remembered, so that it is announced once."""
AGAIN: Final = 0.5
"""Seconds before the connection is made again after a break."""
CHECKED_EVERY: Final = 15.0
"""Seconds between two checks of the connection."""
MISSED: Final = 1000
"""The number of changes that are looked up after a break, the latest ones."""
_SPACE: Final = r"\u0020"

_CHANGED: Final = """
SELECT key, revision FROM fsmvoice_sessions
WHERE changed >= (SELECT fsmvoice_now()) - $1 AND forget_on >= floor(((SELECT fsmvoice_now()) - $1) / 3600000)::integer
ORDER BY changed DESC LIMIT $2
"""


class Changes:
    """Announces this process's changes to the others, and theirs to the listeners here.

    Listeners in this process hear of its own commits at once. Notifications are not part of a commit, since that would
    serialize all commits of the database. So a process that is killed may not have announced its last ones.
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
        """Call `changed` after each change. Returns a function that ends this."""
        token = object()
        self._listeners[token] = changed
        if self._hearing is None or self._hearing.done() or self._hearing.get_loop() is not asyncio.get_running_loop():
            self._hearing = asyncio.get_running_loop().create_task(self._hear())

        def end() -> None:
            self._listeners.pop(token, None)

        return end

    def tell(self, key: str, revision: int) -> None:
        """Announce a commit of this process."""
        self._tell_here(key, revision)
        if len(self._waiting) < WAITING:
            self._waiting[key] = revision
        if self._sending is None or self._sending.done() or self._sending.get_loop() is not asyncio.get_running_loop():
            self._sending = asyncio.get_running_loop().create_task(self._send())

    async def aclose(self) -> None:
        """Send pending notifications, and stop listening."""
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
            except Exception:  # the commit is done, and the other listeners must still be called
                logger.exception("a listener to a store failed")

    async def _send(self) -> None:
        while self._waiting:
            await asyncio.sleep(GATHERED)
            payloads = self._payloads()
            try:
                channel = await self._own_channel()
                await self._pool.once("SELECT fsmvoice_tell($1, $2)", channel, payloads)
            except Exception as error:  # only hints are lost: after a break, listeners look up what they missed
                logger.debug("changes could not be announced", exc_info=error)
                return

    def _payloads(self) -> list[str]:
        """The pending changes, in as few notifications as possible. None are pending after that."""
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
        """The channel of this schema, which keeps two stores in one database apart."""
        if self._channel is None:
            (row,) = await self._pool.once("SELECT 'fsmvoice ' || current_schema()::text")
            self._channel = str(row[0])
        return self._channel

    async def _hear(self) -> None:
        """Listen as long as the store is open, also after the connection broke."""
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
                    # A connection that was cut silently doesn't report it, so it is checked.
                    await _ended(connection, CHECKED_EVERY)
                    await connection.fetchval("SELECT 1", timeout=CHECKED_EVERY)
            except Exception as error:  # a connection can break in many ways, and each time a new one is needed
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
    """Wait until the connection ends, at most for `seconds`."""
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
