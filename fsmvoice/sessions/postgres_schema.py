"""Creates and updates the tables in PostgreSQL, in whichever process comes first."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final

from fsmvoice.sessions.sqlite_schema import BadStore
from fsmvoice.sessions.store import StoreUnavailable

VERSION: Final = 2
"""The version of the tables that this package makes."""
_USABLE_FROM: Final = 1
"""The oldest version whose processes can use these tables too."""
_LOCK: Final = 0x66736D76
"""The key of an advisory lock that no other program is likely to take: 'fsmv'."""


async def migrate(connection: Any) -> None:
    """Create the tables or update them to this version, in one transaction.

    Tables that a newer version has made are left as they are, if they say that this version can use them.

    Raises:
        StoreUnavailable: if the tables have a version that this one can't use.
    """
    if await _stands(connection):
        return
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
        await connection.execute(
            "CREATE TABLE IF NOT EXISTS fsmvoice_schema (version integer NOT NULL, usable_from integer NOT NULL)"
        )
        found = await connection.fetchval("SELECT max(version) FROM fsmvoice_schema") or 0
        for version in range(found + 1, VERSION + 1):
            await connection.execute(files("fsmvoice.sessions").joinpath(f"postgres_{version}.sql").read_text())
        if found < VERSION:
            await connection.execute("DELETE FROM fsmvoice_schema")
            await connection.execute("INSERT INTO fsmvoice_schema VALUES ($1, $2)", VERSION, _USABLE_FROM)


async def expect(connection: Any) -> None:
    """Check that the tables exist, without creating or updating them.

    Raises:
        BadStore: if they don't exist, or have an older version.
        StoreUnavailable: if they have a version that this one can't use.
    """
    if not await _stands(connection):
        schema = await connection.fetchval("SELECT current_schema()")
        raise BadStore(
            f"the schema {schema} has no tables of this version; `fsmvoice serve` creates or updates them, and "
            "?search_path=NAME in the URL names another schema"
        )


async def _stands(connection: Any) -> bool:
    """Whether the tables are up to date. Checked without a lock, because they nearly always are."""
    if await connection.fetchval("SELECT to_regclass('fsmvoice_schema')") is None:
        return False
    row = await connection.fetchrow("SELECT version, usable_from FROM fsmvoice_schema ORDER BY version DESC LIMIT 1")
    if row is None or row["version"] < VERSION:
        return False
    if row["usable_from"] > VERSION:
        raise StoreUnavailable(
            f"the tables were made by a newer version of this package (schema {row['version']}, this one knows "
            f"{VERSION}); upgrade it here too"
        )
    return True
