"""The alarm of a process goes on whatever happens, and says so without filling the log."""

from __future__ import annotations

import asyncio
import logging

import pytest

from fsmvoice.sessions import timers
from fsmvoice.sessions.timers import Scheduler
from tests.sessions.benches import until


async def test_a_store_that_is_away_is_reported_once_and_so_is_that_it_is_back(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(timers, "POLL", 0.001)
    away, looked = True, 0

    async def look() -> None:
        nonlocal looked
        looked += 1
        if away:
            raise OSError("it is away")

    scheduler = Scheduler(look, polls=True)
    with caplog.at_level(logging.INFO, "fsmvoice"):
        scheduler.begin()
        await until(lambda: looked > 5)
        away = False
        await until(lambda: looked > 10)
        await scheduler.aclose()
    assert [record.getMessage() for record in caplog.records] == [
        "sessions can't be tended now: it is away",
        "sessions are tended again",
    ]


async def test_what_falls_due_sooner_is_looked_at_sooner() -> None:
    looked = asyncio.Event()

    async def look() -> float:
        looked.set()
        return 3600

    scheduler = Scheduler(look, polls=False)
    scheduler.within(3600)
    scheduler.within(0)
    async with asyncio.timeout(10):
        await looked.wait()
    await scheduler.aclose()
