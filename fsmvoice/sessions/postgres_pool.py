"""Connections to PostgreSQL, and what its failures mean: nothing happened, or nobody knows."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from importlib import import_module
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from fsmvoice.errors import FsmVoiceError, MissingExtra
from fsmvoice.sessions.postgres_schema import expect, migrate
from fsmvoice.sessions.store import StoreUnavailable

logger: logging.Logger = logging.getLogger("fsmvoice")

T = TypeVar("T")

POOL: Final = 10
"""Connections of one process at most."""
CONNECT_WITHIN: Final = 5.0
STATEMENT_WITHIN: Final = 10.0
"""Seconds that the server works on a statement; this side waits a little longer for it to say so."""
PATIENCE: Final = 8.0
"""Seconds that a call goes on trying while the database is away: a restart, or a failover, is shorter as a rule."""

_PASSES: Final = ("40001", "40P01", "53300", "57P03", "25006")
"""Serialization failure, deadlock, too many connections, starting, a standby: undone, and soon over as a rule."""
_CAN_NOT: Final = ("53", "57", "58", "28", "3D", "XX")
"""What says that the database can't, by how its code begins: out of space, too slow, not allowed. It was undone."""

_NOT_SO: Final = {
    "42501": "the database does not allow that to this role, which needs a schema to make tables in",
    "3F000": "there is no such schema as ?search_path= in the URL says",
    "42P01": "the tables are not there any more",
    "42883": "the tables are not there any more",
}
"""What is wrong with the database, and not with a statement."""


class Lost(Exception):
    """The connection broke while a statement was under way: it may have been done."""


class Away(StoreUnavailable):
    """The database can't be reached at this moment: trying again may help before long."""


class Pool:
    """Connections that are made when they are needed, in the event loop that needs them.

    Args:
        url: as libpq has it. What follows `?` and is not an option of a connection is a setting of the server:
            `?search_path=voice` keeps the tables in a schema of their own.

    Attributes:
        make: whether to make the tables, and to bring them up to date; else they must be there.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.make: bool = True
        self._asyncpg = _asyncpg()
        self._pool: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._opening = asyncio.Lock()
        self._closed = False

    def __repr__(self) -> str:
        return f"<Pool {without_password(self.url)}>"

    async def check(self) -> None:
        """Connect, make or bring up to date the tables, and say what of the server's settings breaks the promises.

        Raises:
            StoreUnavailable: the database can't be reached, or does not let us.
        """
        connection = await self._connected()
        try:
            await self._prepare(connection)
            for setting, wanted in (("fsync", "on"), ("full_page_writes", "on"), ("synchronous_commit", "on")):
                found = str(await connection.fetchval(f"SHOW {setting}"))
                if found != wanted and not (setting == "synchronous_commit" and found == "remote_apply"):
                    logger.warning(
                        "PostgreSQL runs with %s=%s: what was acknowledged can be lost in a crash; set it to %s",
                        setting,
                        found,
                        wanted,
                    )
        finally:
            await self._let_go(connection)

    async def connection(self) -> Any:
        """A connection of its own, for who keeps it for long. Raises StoreUnavailable."""
        return await self._connected()

    async def read(self, query: str, *values: Any) -> Sequence[Any]:
        """Rows of a statement that changes nothing, or the same when it is done twice. Tried again after a break.

        Raises:
            StoreUnavailable: the database was away for too long.
        """
        return await self.persistently(lambda: self.once(query, *values))

    async def write(self, query: str, *values: Any) -> Sequence[Any]:
        """Rows of a statement that may be done once only.

        Raises:
            StoreUnavailable: the database is away; where the connection broke, what was claimed runs out by itself.
        """
        try:
            return await self.once(query, *values)
        except Lost as lost:
            raise StoreUnavailable(str(lost)) from lost

    async def persistently(self, work: Callable[[], Awaitable[T]], *, lost: type[FsmVoiceError] | None = None) -> T:
        """Do `work` until it is done, or the patience is over; it may be done twice.

        Raises:
            StoreUnavailable: none of the tries was done. `lost` in its place, if one of them may have been.
        """
        until = asyncio.get_running_loop().time() + PATIENCE
        pause, maybe = 0.02, False
        while True:
            try:
                return await work()
            except (Lost, StoreUnavailable) as error:
                maybe = maybe or isinstance(error, Lost)
                hopeless = self._closed or not isinstance(error, Lost | Away)
                if hopeless or asyncio.get_running_loop().time() + pause > until:
                    raise (lost if maybe and lost is not None else StoreUnavailable)(str(error)) from error
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 - so that not all come back at once
            pause = min(pause * 2, 1.0)

    async def once(self, query: str, *values: Any) -> Sequence[Any]:
        """Rows of a statement, sent once.

        Raises:
            StoreUnavailable: it was not done.
            Lost: it may have been.
        """
        pool = await self._opened()
        pg = self._asyncpg
        connection = await self._reached(pool.acquire(timeout=CONNECT_WITHIN))
        done = False
        try:
            rows: Sequence[Any] = await connection.fetch(query, *values, timeout=STATEMENT_WITHIN + 1)
            done = True
        except pg.PostgresError as error:
            done = not isinstance(error, pg.PostgresConnectionError)
            raise self._meaning(error) from error
        except (OSError, pg.InterfaceError, pg.InternalClientError, TimeoutError) as error:
            raise Lost(f"the connection to the database broke: {_told(error)}") from error
        finally:
            if not done:
                # A connection that ended by itself has left the pool, and says so.
                with contextlib.suppress(pg.InterfaceError):
                    connection.terminate()
            await pool.release(connection)
        return rows

    async def aclose(self) -> None:
        """Close the connections once they are idle; before long, in any case."""
        self._closed = True
        pool, self._pool = self._pool, None
        if pool is None or self._loop is not asyncio.get_running_loop():
            return
        try:
            async with asyncio.timeout(CONNECT_WITHIN):
                await pool.close()
        except (TimeoutError, OSError, self._asyncpg.InterfaceError):
            pool.terminate()

    async def _opened(self) -> Any:
        loop = asyncio.get_running_loop()
        if self._pool is not None and self._loop is loop:
            return self._pool
        if self._closed:
            raise StoreUnavailable("the store was closed")
        if self._loop is not loop:
            self._loop, self._opening, self._pool = loop, asyncio.Lock(), None
        async with self._opening:
            if self._pool is None:
                connection = await self._connected()
                try:
                    await self._prepare(connection)
                finally:
                    await self._let_go(connection)
                self._pool = await self._reached(
                    self._asyncpg.create_pool(self.url, min_size=0, max_size=POOL, reset=_nothing, **self._options())
                )
        return self._pool

    async def _connected(self) -> Any:
        return await self._reached(self._asyncpg.connect(self.url, **self._options()))

    async def _prepare(self, connection: Any) -> None:
        """Make sure of the tables. Raises StoreUnavailable."""
        try:
            await (migrate if self.make else expect)(connection)
        except self._asyncpg.PostgresError as error:
            meaning = self._meaning(error)
            raise (Away(str(meaning)) if isinstance(meaning, Lost) else meaning) from error
        except (OSError, self._asyncpg.InterfaceError, TimeoutError) as error:
            raise Away(f"the connection to the database broke: {_told(error)}") from error

    def _options(self) -> dict[str, Any]:
        return {
            "timeout": CONNECT_WITHIN,
            "server_settings": {
                "application_name": "fsmvoice",
                "synchronous_commit": "on",
                "statement_timeout": str(round(STATEMENT_WITHIN * 1000)),
                "idle_in_transaction_session_timeout": "60000",
                "jit": "off",
                **self._own_settings(),
            },
        }

    def _own_settings(self) -> dict[str, str]:
        """Settings in the URL win; asyncpg would let ours win."""
        pairs = (part.partition("=") for part in urlsplit(self.url).query.split("&") if part)
        return {name: value for name, _, value in pairs if name == "synchronous_commit"}

    async def _reached(self, connecting: Awaitable[T]) -> T:
        pg = self._asyncpg
        try:
            return await connecting
        except pg.PostgresError as error:
            code = str(error.sqlstate or "")
            kind = Away if code in _PASSES or isinstance(error, pg.PostgresConnectionError) else StoreUnavailable
            raise kind(f"the database does not let us in: {_told(error)}") from error
        except pg.InterfaceError as error:
            if self._closed or "pool is clos" not in str(error):
                raise StoreUnavailable(f"the database can't be reached: {_told(error)}") from error
            raise Away(_told(error)) from error
        except (OSError, TimeoutError, pg.InternalClientError) as error:
            raise Away(f"the database can't be reached: {_told(error)}") from error
        except ValueError as error:
            raise StoreUnavailable(f"the database's URL is not one: {_told(error)}") from error

    def _meaning(self, error: Any) -> Exception:
        """What to raise for an error that the server told."""
        code = str(error.sqlstate or "")
        if isinstance(error, self._asyncpg.PostgresConnectionError) or code in ("57P01", "57P02"):
            # The server tells of its end after a commit as well as before it.
            return Lost(f"the database ended the connection: {_told(error)}")
        if code in _PASSES:
            return Away(f"the database can't now: {_told(error)}")
        if code.startswith(_CAN_NOT):
            return StoreUnavailable(f"the database can't: {_told(error)}")
        if code in _NOT_SO:
            return StoreUnavailable(f"{_NOT_SO[code]}: {_told(error)}")
        return error  # type: ignore[no-any-return]  # a mistake of ours

    async def _let_go(self, connection: Any) -> None:
        try:
            await connection.close(timeout=1)
        except (OSError, TimeoutError, self._asyncpg.InterfaceError, self._asyncpg.PostgresError):
            connection.terminate()


def without_password(url: str) -> str:
    """A URL as it may be logged."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    user = f"{parts.username}@" if parts.username else ""
    return f"{parts.scheme}://{user}{host}{parts.path}"


async def _nothing(_connection: Any) -> None:
    """No statement leaves anything behind on a connection, so none is needed to clear it away."""


def _told(error: BaseException) -> str:
    return str(error) or type(error).__name__


def _asyncpg() -> Any:
    try:
        return import_module("asyncpg")
    except ImportError:
        raise MissingExtra("postgres", "keeping sessions in PostgreSQL") from None
