"""Reads an SQLite store. On its own, it opens a file without creating or changing anything."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from fsmvoice.engine.clock import SystemClock
from fsmvoice.sessions.sqlite_schema import BadStore, refuse_unlike
from fsmvoice.sessions.store import (
    ANSWERS_KEPT_FOR,
    ANSWERS_KEPT_OVER,
    Answer,
    Event,
    PastEvent,
    SessionInfo,
    StoredSession,
    StoreUnavailable,
)

BUSY: Final = 10.0
"""Seconds to wait for another process that writes."""

_LOAD: Final = (  # one statement, so that no commit comes between the session and the answer
    "SELECT s.revision, document, attempts, news, run, leased_until, sent, say FROM sessions s"
    " LEFT JOIN answers a ON a.sid = s.sid AND a.request_id = ? AND a.revision > s.revision - ? AND a.at > ?"
    " WHERE key = ? AND s.revision >= 0 AND expires > ?"
)


class SqliteReader:
    """The part of a `SessionStore` in a file that only reads."""

    def __init__(self, path: str, connection: sqlite3.Connection, clock: Callable[[], float]) -> None:
        self._path, self._read, self._clock = path, connection, clock
        self._closed = False

    async def load(self, key: str, request_id: str | None = None) -> StoredSession | None:
        """The session, with its answer to that request."""
        now = self._clock()
        row = self._one(_LOAD, (request_id, ANSWERS_KEPT_OVER, now - ANSWERS_KEPT_FOR * 1000, key, now))
        if row is None:
            return None
        revision, document, attempts, news, run, leased_until, sent, say = row
        answer = None if request_id is None or sent is None else Answer(request_id, sent, say)
        heard = () if news == "[]" else tuple(_parsed(news))
        return StoredSession(
            revision,
            now,
            document=document,
            attempts=attempts,
            news=heard,
            answer=answer,
            run=run,
            leased_until=leased_until,
        )

    async def expired(self, key: str) -> bool:
        """Whether there was such a session that has expired."""
        sql = "SELECT 1 FROM sessions WHERE key = ? AND revision >= 0 AND expires <= ?"
        return self._one(sql, (key, self._clock())) is not None

    async def history(self, key: str, *, limit: int = 1000) -> Sequence[PastEvent]:
        """The session's last events."""
        rows = self._all(
            "SELECT e.at, seq, name, source, target, e.request_id, principal, version, arguments, audit, say"
            " FROM sessions s JOIN events e USING (sid)"
            " LEFT JOIN answers a ON a.sid = e.sid AND a.request_id = e.request_id"
            " WHERE key = ? AND s.revision >= 0 AND expires > ? ORDER BY seq DESC LIMIT ?",
            (key, self._clock(), limit),
        )
        return [
            PastEvent(at, Event(seq, name, _parsed(source), _parsed(target), *rest[:-1]), rest[-1])
            for at, seq, name, source, target, *rest in reversed(rows)
        ]

    async def list(self, *, limit: int = 100, after: str = "") -> Sequence[SessionInfo]:
        """Sessions by key."""
        rows = self._all(
            "SELECT key, machine, revision, created, changed, expires, caller, wake_at,"
            " (SELECT count(*) FROM effects e WHERE e.sid = s.sid AND dead = 0),"
            " (SELECT count(*) FROM effects e WHERE e.sid = s.sid AND dead = 1)"
            " FROM sessions s WHERE key > ? AND revision >= 0 AND expires > ? ORDER BY key LIMIT ?",
            (after, self._clock(), limit),
        )
        return [SessionInfo(*row) for row in rows]

    async def aclose(self) -> None:
        """Close the file."""
        self._closed = True
        self._read.close()

    def _one(self, sql: str, values: Sequence[Any]) -> Any:
        found = self._all(sql, values)
        return found[0] if found else None

    def _all(self, sql: str, values: Sequence[Any]) -> Sequence[Any]:
        if self._closed:
            raise StoreUnavailable("the store is closed")
        try:
            self._check()
            return self._read.execute(sql, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:  # in a damaged file, error messages may not be UTF-8
            raise StoreUnavailable(f"{self._path} can't be read: {error}") from error

    def _check(self) -> None:
        """Called before each read. A subclass raises StoreUnavailable if the file must not be read."""


class SqliteLook(SqliteReader):
    """A store that is opened for reading only, which creates and changes no files.

    Raises:
        BadStore: if there is no such store, or it has another version.
    """

    _alone: bool

    def __init__(self, path: str | Path) -> None:
        if not Path(path).exists():
            raise BadStore(f"there is no file {path}")
        self._ahead = f"{os.path.realpath(path)}-wal"
        for name in (path, self._ahead):
            if os.path.exists(name) and not os.access(name, os.R_OK):
                raise BadStore(f"{name} can't be read: permission denied")
        try:
            super().__init__(str(path), self._opened(str(path)), SystemClock().now)
        except BadStore:
            raise
        except (sqlite3.Error, ValueError) as error:  # ValueError: the version is not a number or not text
            raise BadStore(f"{path} can't be read as a store: {error}") from error

    def _check(self) -> None:
        if self._alone and os.path.exists(self._ahead):  # another process has started to write
            self._read.close()
            self._read = self._opened(self._path)

    def _opened(self, path: str) -> sqlite3.Connection:
        """A read-only connection. While nobody writes, it avoids the extra files that SQLite would create."""
        self._alone = not os.path.exists(self._ahead)
        url = f"{Path(path).absolute().as_uri()}?mode=ro{'&immutable=1' if self._alone else ''}"
        connection = sqlite3.connect(url, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY)
        try:
            refuse_unlike(connection, path)
        except BaseException:
            connection.close()
            raise
        return connection


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text)
    except (ValueError, TypeError) as error:
        raise StoreUnavailable(f"the file is damaged: it contains invalid JSON: {error}") from error
