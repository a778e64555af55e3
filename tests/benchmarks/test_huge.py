"""A store with a great many sessions answers as one with few."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.huge import fill, measured

FEW, MANY = 1_000, 1_000_000


@pytest.mark.huge
@pytest.mark.timeout(900)
async def test_a_million_sessions_are_looked_up_as_fast_as_a_thousand(tmp_path: Path) -> None:
    few, many = tmp_path / "few.db", tmp_path / "many.db"
    await fill(few, FEW)
    await fill(many, MANY)

    assert many.stat().st_size / MANY < 2 * few.stat().st_size / FEW
    of_few, of_many = await measured(few, FEW), await measured(many, MANY)
    for what, (middle, _) in of_many.items():
        assert middle < 20 * max(of_few[what][0], 0.5), what
