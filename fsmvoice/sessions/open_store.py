"""A store from its URL."""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlsplit

from fsmvoice.errors import did_you_mean
from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.sqlite import SqliteStore
from fsmvoice.sessions.sqlite_schema import BadStore
from fsmvoice.sessions.store import Limits, SessionStore

_KNOWN = ("memory:", "sqlite:///sessions.db", "postgresql://user@host/database")


async def open_store(url: str, *, limits: Limits | None = None) -> SessionStore:
    """Open the store of a URL.

    Args:
        url: `memory:`; `sqlite:///path`, relative to the working directory, or with a fourth slash absolute; or
            `postgresql://user:password@host/database`.
        limits: how much it keeps; the defaults of `Limits` if not given.

    Raises:
        BadStore: if it is no such URL, or the store can't be used.
        StoreUnavailable: if it can't be reached now.
        MissingExtra: if its driver is not installed.
    """
    try:
        urlsplit(url)
    except ValueError as error:
        raise BadStore(f"{without_password(url)!r} is not a URL of a store: {error}") from None
    scheme, colon, rest = url.partition(":")
    match scheme.lower() if colon or url == "memory" else "":
        case "memory" if rest in ("", "//"):
            return MemoryStore() if limits is None else MemoryStore(limits=limits)
        case "sqlite":
            return _sqlite(url, limits)
        case "postgresql" | "postgres":
            from fsmvoice.sessions.postgres import PostgresStore  # noqa: PLC0415 - needs a driver that not all install

            return await PostgresStore.open(url, limits=limits)
        case _:
            hint = did_you_mean(url, _KNOWN, otherwise="it should be like")
            raise BadStore(f"there is no store {without_password(url)!r}; {hint}")


def without_password(url: str) -> str:
    """The URL as it may be shown."""
    scheme, mark, rest = url.partition("://")
    who, at, where = rest.rpartition("@")
    return f"{scheme}{mark}{who.partition(':')[0]}{at}{where}" if at else url


def _sqlite(url: str, limits: Limits | None) -> SqliteStore:
    parts = urlsplit(url)
    path = unquote(parts.path)[1:]
    if parts.netloc or not url.lower().startswith("sqlite:///") or not path or path.endswith("/"):
        raise BadStore(
            f"{url!r} names no file; it should be like sqlite:///.fsmvoice/sessions.db (four slashes: from /)"
        )
    options = dict(parse_qsl(parts.query))
    synchronous = options.pop("synchronous", "full")
    if options:
        hint = did_you_mean(next(iter(options)), ["synchronous"])
        raise BadStore(f"{url!r} has the unknown option {next(iter(options))!r}; {hint}")
    return SqliteStore(path, limits=limits, synchronous=synchronous)
