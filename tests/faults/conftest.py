"""The stores that several processes can share, each new for a test."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.sessions.postgres_database import database


@pytest.fixture(params=["sqlite", "postgres"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[str]:
    """The URL of an empty store."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'sessions.db'}"
        return
    pytest.importorskip("asyncpg", reason="install fsmvoice[postgres] to test the store in PostgreSQL")
    async with database() as found:
        yield found
