"""The tables in PostgreSQL: made once, and brought up to date, by whichever process comes first."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final

from fsmvoice.sessions.sqlite_schema import BadStore
from fsmvoice.sessions.store import StoreUnavailable

VERSION: Final = 2
_USABLE_FROM: Final = 1
"""The oldest version of this package's tables whose processes can use these ones too."""
_LOCK: Final = 0x66736D76
"""An advisory lock that nobody else is likely to take: 'fsmv'."""


async def migrate(connection: Any) -> None:
    """Bring the tables from whatever version they have to this one, in one transaction.

    A newer process than this one may have been here: its tables do as long as it says that they do for this version.

    Raises:
        StoreUnavailable: the tables are of a version that this one can't use.
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
    """Make sure that the tables are there, for who makes none.

    Raises:
        BadStore: they are not, or are of an older version.
        StoreUnavailable: they are of a version that this one can't use.
    """
    if not await _stands(connection):
        schema = await connection.fetchval("SELECT current_schema()")
        raise BadStore(
            f"the database has no sessions in the schema {schema}, or of an older version only; `fsmvoice serve` makes "
            "the tables, and ?search_path=NAME in the URL names another schema"
        )


async def _stands(connection: Any) -> bool:
    """Whether nothing is to be done; it is asked without a lock, because that is so nearly always."""
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
