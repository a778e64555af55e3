"""Opens a store by its URL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from fsmvoice.errors import did_you_mean
from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.sqlite import SqliteStore
from fsmvoice.sessions.sqlite_reader import SqliteLook
from fsmvoice.sessions.sqlite_schema import BadStore
from fsmvoice.sessions.store import Limits, PastEvent, SessionInfo, SessionStore, StoredSession
from fsmvoice.sessions.store_url import without_password

_KNOWN = ("memory:", "sqlite:///sessions.db", "postgresql://user@host/database")


class Look(Protocol):
    """The read-only methods of a `SessionStore`."""

    async def load(self, key: str, request_id: str | None = None) -> StoredSession | None: ...
    async def history(self, key: str, *, limit: int = 1000) -> Sequence[PastEvent]: ...
    async def list(self, *, limit: int = 100, after: str = "") -> Sequence[SessionInfo]: ...
    async def aclose(self) -> None: ...


async def open_store(url: str, *, limits: Limits | None = None) -> SessionStore:
    """Open the store of a URL.

    Args:
        url: `memory:`; `sqlite:///path`, relative to the working directory, or with a fourth slash absolute; or
            `postgresql://user:password@host/database`.
        limits: how much it keeps; by default `Limits()`.

    Raises:
        BadStore: if the URL is not one of these, or the store can't be used.
        StoreUnavailable: if the store can't be reached now.
        MissingExtra: if its driver is not installed.
    """
    match _kind(url):
        case "memory":
            return MemoryStore() if limits is None else MemoryStore(limits=limits)
        case "sqlite":
            path, synchronous = _file(url)
            return SqliteStore(path, limits=limits, synchronous=synchronous)
        case "postgresql":
            from fsmvoice.sessions.postgres import PostgresStore  # noqa: PLC0415 - needs an optional driver

            return await PostgresStore.open(url, limits=limits)


async def look_at_store(url: str) -> Look:
    """Open the store of a URL for reading. Nothing is created or changed.

    Raises:
        BadStore: if the URL is not one of `open_store`, or there is no store.
        StoreUnavailable: if the store can't be reached now.
        MissingExtra: if its driver is not installed.
    """
    match _kind(url):
        case "memory":
            raise BadStore("memory: belongs to one process, so there is nothing to see in it from outside")
        case "sqlite":
            return SqliteLook(_file(url)[0])
        case "postgresql":
            from fsmvoice.sessions.postgres import PostgresStore  # noqa: PLC0415 - needs an optional driver

            return await PostgresStore.look(url)


def _kind(url: str) -> Literal["memory", "sqlite", "postgresql"]:
    try:
        urlsplit(url)
    except ValueError as error:
        raise BadStore(f"{without_password(url)!r} is not a URL of a store: {error}") from None
    scheme, colon, rest = url.partition(":")
    match scheme.lower() if colon or url == "memory" else "":
        case "memory" if rest in ("", "//"):
            return "memory"
        case "sqlite":
            return "sqlite"
        case "postgresql" | "postgres":
            return "postgresql"
        case _:
            file = not colon and url and f"for a file write sqlite:///{quote(url)}"
            hint = file or did_you_mean(url, _KNOWN, otherwise="it should be like")
            raise BadStore(f"there is no store {without_password(url)!r}; {hint}")


def _file(url: str) -> tuple[str, str]:
    """The path of an SQLite URL, and its `synchronous` option."""
    parts = urlsplit(url)
    path = unquote(parts.path, errors="surrogateescape")[1:]
    if parts.netloc or not url.lower().startswith("sqlite:///") or not path or path.endswith("/"):
        raise BadStore(
            f"{url!r} names no file; it should be like sqlite:///.fsmvoice/sessions.db (four slashes: from /)"
        )
    if "#" in url or (parts.query and "=" not in parts.query):
        raise BadStore(f"{url!r} has a '?' or '#'; in a file name write %3F and %23")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    synchronous = options.pop("synchronous", "full")
    if options:
        hint = did_you_mean(next(iter(options)), ["synchronous"])
        raise BadStore(f"{url!r} has the unknown option {next(iter(options))!r}; {hint}")
    return path, synchronous
