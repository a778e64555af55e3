"""The tables of the SQLite store, and the migrations of earlier versions."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from fsmvoice.errors import FsmVoiceError

MIGRATIONS: Sequence[Sequence[str]] = (
    (
        """CREATE TABLE sessions (
            sid INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, machine TEXT NOT NULL,
            revision INTEGER NOT NULL, document TEXT, attempts INTEGER NOT NULL DEFAULT 0,
            news TEXT NOT NULL DEFAULT '[]', caller TEXT NOT NULL DEFAULT '', run TEXT NOT NULL DEFAULT '',
            created REAL NOT NULL, changed REAL NOT NULL, expires REAL NOT NULL, timer_at REAL, wake_at REAL,
            fence INTEGER NOT NULL DEFAULT 0, leased_until REAL NOT NULL DEFAULT 0, owner TEXT NOT NULL DEFAULT '')""",
        "CREATE INDEX sessions_wake ON sessions (machine, wake_at) WHERE wake_at IS NOT NULL",
        "CREATE INDEX sessions_caller ON sessions (caller) WHERE caller != ''",
        "CREATE INDEX sessions_expires ON sessions (expires)",
        """CREATE TABLE events (
            n INTEGER PRIMARY KEY AUTOINCREMENT, sid INTEGER NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL,
            name TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL, request_id TEXT, principal TEXT NOT NULL,
            version TEXT, arguments TEXT NOT NULL, audit TEXT, UNIQUE (sid, seq))""",
        """CREATE TABLE answers (
            sid INTEGER NOT NULL, request_id TEXT NOT NULL, sent TEXT NOT NULL, say TEXT NOT NULL,
            revision INTEGER NOT NULL, at REAL NOT NULL, PRIMARY KEY (sid, request_id)) WITHOUT ROWID""",
        "CREATE INDEX answers_revision ON answers (sid, revision)",
        """CREATE TABLE effects (
            n INTEGER PRIMARY KEY AUTOINCREMENT, sid INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
            arguments TEXT NOT NULL, attempt INTEGER NOT NULL DEFAULT 0, due REAL NOT NULL,
            error TEXT NOT NULL DEFAULT '', dead INTEGER NOT NULL DEFAULT 0)""",
        "CREATE INDEX effects_of ON effects (sid, dead, n)",
        """CREATE TABLE services (
            sid INTEGER NOT NULL, service TEXT NOT NULL, times INTEGER NOT NULL DEFAULT 1, owner TEXT NOT NULL,
            until REAL NOT NULL, PRIMARY KEY (sid, service)) WITHOUT ROWID""",
        "CREATE TABLE seals (n INTEGER PRIMARY KEY AUTOINCREMENT, secret BLOB NOT NULL)",
    ),
    ("CREATE INDEX sessions_not_begun ON sessions (leased_until) WHERE revision < 0",),
)
"""The statements that lead from each version of the tables to the next, starting with an empty file."""


class BadStore(FsmVoiceError, ValueError):
    """A store can't be used: its URL is invalid, or its file or tables are not a store of this version."""


def refuse_others(connection: sqlite3.Connection, path: str) -> None:
    """Refuse a file that belongs to another program.

    Raises:
        BadStore: if the file has tables, but not those of this package.
    """
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and not tables.issuperset(("meta", "sessions")):
        raise BadStore(
            f"{path} belongs to another program (it has the table {min(tables)!r}); give sessions a file of their own"
        )


def refuse_unlike(connection: sqlite3.Connection, path: str) -> None:
    """Refuse a file that does not have exactly the tables of this version.

    Raises:
        BadStore: if the file is empty, or has another version or other tables.
    """
    refuse_others(connection, path)
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sessions'").fetchone() is None:
        raise BadStore(f"{path} is not a store of sessions: it is empty")
    found = connection.execute("SELECT version FROM meta").fetchone()
    version = 0 if found is None else int(found[0])
    if version > len(MIGRATIONS):
        raise _newer(path, version)
    if version < len(MIGRATIONS):
        raise BadStore(
            f"{path} was written by an older version of fsmvoice (tables of version {version}, now "
            f"{len(MIGRATIONS)}); `fsmvoice serve` of this version updates it"
        )


def _newer(path: str, version: int) -> BadStore:
    return BadStore(
        f"{path} was written by a newer version of fsmvoice (tables of version {version}; this one knows "
        f"{len(MIGRATIONS)}); upgrade fsmvoice, or use another file"
    )


def migrate(connection: sqlite3.Connection, path: str) -> None:
    """Create the tables or update them to this version. Safe if other processes open the file meanwhile.

    Raises:
        BadStore: if they have a newer version.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute("CREATE TABLE IF NOT EXISTS meta (version INTEGER NOT NULL)")
        found = connection.execute("SELECT version FROM meta").fetchone()
        version = 0 if found is None else int(found[0])
        if version > len(MIGRATIONS):
            raise _newer(path, version)
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        if found is None:
            connection.execute("INSERT INTO meta VALUES (?)", (len(MIGRATIONS),))
        else:
            connection.execute("UPDATE meta SET version = ?", (len(MIGRATIONS),))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
