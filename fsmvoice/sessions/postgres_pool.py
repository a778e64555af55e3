"""Connections to PostgreSQL, with errors that say whether a statement failed or may have been executed."""

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
from fsmvoice.sessions.store_url import without_password

logger: logging.Logger = logging.getLogger("fsmvoice")

T = TypeVar("T")

POOL: Final = 10
"""Connections of one process, at most."""
CONNECT_WITHIN: Final = 5.0
"""Seconds for making a connection."""
STATEMENT_WITHIN: Final = 10.0
"""Seconds after which the server cancels a statement. The client waits a little longer for it to report that."""
PATIENCE: Final = 8.0
"""Seconds for which a call is retried while the database is away; restarts and failovers are usually shorter."""

_PASSES: Final = ("40001", "40P01", "53300", "57P03", "25006")
"""Serialization failure, deadlock, too many connections, starting up, a standby: rolled back and usually soon over."""
_CAN_NOT: Final = ("53", "57", "58", "28", "3D", "XX")
"""Code prefixes for failures of the database: out of space, too slow, not allowed. The statement was rolled back."""

_NOT_SO: Final = {
    "42501": "the database role lacks a permission; it needs a schema in which it may create tables",
    "3F000": "the schema that ?search_path= in the URL names doesn't exist",
    "42P01": "the tables no longer exist",
    "42883": "the tables no longer exist",
}
"""Errors whose cause is the database, not the statement."""


class Lost(Exception):
    """The connection broke during a statement, which may have been executed."""


class Away(StoreUnavailable):
    """The database can't be reached at the moment. Trying again may help soon."""


class Pool:
    """Connections that are made when they are needed, in the event loop that needs them.

    Args:
        url: a URL as for libpq. Options after `?` that are not libpq's are settings of the server: `?search_path=voice`
            keeps the tables in a schema of their own.

    Attributes:
        make: whether to create or update the tables, which must exist otherwise.
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
        """Connect, create or update the tables, and warn of server settings that endanger durability.

        Raises:
            StoreUnavailable: if the database can't be reached or denies access.
        """
        connection = await self._connected()
        try:
            await self._prepare(connection)
            for setting, wanted in (("fsync", "on"), ("full_page_writes", "on"), ("synchronous_commit", "on")):
                found = str(await connection.fetchval(f"SHOW {setting}"))
                if found != wanted and not (setting == "synchronous_commit" and found == "remote_apply"):
                    logger.warning(
                        "PostgreSQL runs with %s=%s, so acknowledged commits can be lost in a crash; set it to %s",
                        setting,
                        found,
                        wanted,
                    )
        finally:
            await self._let_go(connection)

    async def connection(self) -> Any:
        """A separate connection outside the pool, for long use.

        Raises:
            StoreUnavailable: if the database can't be reached or denies access.
        """
        return await self._connected()

    async def read(self, query: str, *values: Any) -> Sequence[Any]:
        """The rows of a statement that may be executed twice. It is retried if the connection breaks.

        Raises:
            StoreUnavailable: if the database was away for too long.
        """
        return await self.persistently(lambda: self.once(query, *values))

    async def write(self, query: str, *values: Any) -> Sequence[Any]:
        """The rows of a statement that must not be executed twice.

        Raises:
            StoreUnavailable: if it failed, or the connection broke. Anything it claimed then ends by itself.
        """
        try:
            return await self.once(query, *values)
        except Lost as lost:
            raise StoreUnavailable(str(lost)) from lost

    async def persistently(self, work: Callable[[], Awaitable[T]], *, lost: type[FsmVoiceError] | None = None) -> T:
        """Retry `work` until it succeeds or `PATIENCE` is over. It may be executed twice.

        Raises:
            StoreUnavailable: if no attempt succeeded. `lost` is raised instead if one may have been executed.
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
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 - jitter
            pause = min(pause * 2, 1.0)

    async def once(self, query: str, *values: Any) -> Sequence[Any]:
        """The rows of a statement, which is sent once.

        Raises:
            StoreUnavailable: if it was not executed.
            Lost: if it may have been executed.
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
                # A connection that ended by itself has left the pool and raises this error.
                with contextlib.suppress(pg.InterfaceError):
                    connection.terminate()
            await pool.release(connection)
        return rows

    async def aclose(self) -> None:
        """Close the connections once they are idle, at the latest after `CONNECT_WITHIN` seconds."""
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
        """Create or check the tables.

        Raises:
            StoreUnavailable: if that fails.
        """
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
        """The settings in the URL that override those of this class; in asyncpg, arguments override the URL."""
        pairs = (part.partition("=") for part in urlsplit(self.url).query.split("&") if part)
        return {name: value for name, _, value in pairs if name == "synchronous_commit"}

    async def _reached(self, connecting: Awaitable[T]) -> T:
        pg = self._asyncpg
        try:
            return await connecting
        except pg.PostgresError as error:
            code = str(error.sqlstate or "")
            kind = Away if code in _PASSES or isinstance(error, pg.PostgresConnectionError) else StoreUnavailable
            raise kind(f"the database denies access: {_told(error)}") from error
        except pg.InterfaceError as error:
            if self._closed or "pool is clos" not in str(error):
                raise StoreUnavailable(f"the database can't be reached: {_told(error)}") from error
            raise Away(_told(error)) from error
        except (OSError, TimeoutError, pg.InternalClientError) as error:
            raise Away(f"the database can't be reached: {_told(error)}") from error
        except ValueError as error:
            raise StoreUnavailable(f"the database's URL is not one: {_told(error)}") from error

    def _meaning(self, error: Any) -> Exception:
        """The exception to raise for an error that the server reported."""
        code = str(error.sqlstate or "")
        if isinstance(error, self._asyncpg.PostgresConnectionError) or code in ("57P01", "57P02"):
            # The server may report its shutdown before or after a commit.
            return Lost(f"the database ended the connection: {_told(error)}")
        if code in _PASSES:
            return Away(f"the database is temporarily unable to do this: {_told(error)}")
        if code.startswith(_CAN_NOT):
            return StoreUnavailable(f"the database failed: {_told(error)}")
        if code in _NOT_SO:
            return StoreUnavailable(f"{_NOT_SO[code]}: {_told(error)}")
        return error  # type: ignore[no-any-return]  # typed as Any, since asyncpg is optional; a bug of this package

    async def _let_go(self, connection: Any) -> None:
        try:
            await connection.close(timeout=1)
        except (OSError, TimeoutError, self._asyncpg.InterfaceError, self._asyncpg.PostgresError):
            connection.terminate()


async def _nothing(_connection: Any) -> None:
    """Replaces asyncpg's reset of returned connections, since no statement here leaves any state behind."""


def _told(error: BaseException) -> str:
    return str(error) or type(error).__name__


def _asyncpg() -> Any:
    try:
        return import_module("asyncpg")
    except ImportError:
        raise MissingExtra("postgres", "keeping sessions in PostgreSQL") from None
