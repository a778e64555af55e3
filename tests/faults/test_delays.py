"""A thousand delays, and the death of the server that counts the time."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import pytest

from tests.faults.scene import WAITING, Scene, scene, until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

TIMERS = 1000
SECONDS = 3.0
KILLED_AFTER = 150
"""So many delays that have ended when the server is killed."""


async def test_a_thousand_delays_end_once_each_though_the_server_is_killed(url: str, tmp_path: Path) -> None:
    async with scene(url, tmp_path, machine=WAITING, name="waiting") as here:
        await here.start(0)
        sent: dict[str, float] = {}
        setting = asyncio.create_task(set_alarms(here, sent))
        await until(lambda: rung(here, KILLED_AFTER), 120)
        here.replicas[0].kill()
        killed, before = time.monotonic(), await count(here)
        await here.start(1)
        here.replicas[0].start()
        await setting
        await until(lambda: rung(here, TIMERS), 120)
        recovered, ended = time.monotonic() - killed, time.time()
        await asyncio.sleep(2)  # whatever would fire twice does so now
        early = [session for session, at in sent.items() if await rang_at(here, session) < at + SECONDS * 1000]
        sys.stdout.write(
            f"{TIMERS} delays of {SECONDS:g} s; {before} had ended when the server was killed, all {recovered:.1f} s "
            f"later, {ended - max(sent.values()) / 1000:.1f} s after the last was set\n"
        )
        assert early == []
        assert len(sent) == TIMERS


async def set_alarms(here: Scene, sent: dict[str, float]) -> None:
    """Every session waits; 32 are told so at a time."""
    numbers = iter(range(TIMERS))

    async def some() -> None:
        for number in numbers:
            sent[f"s{number}"] = time.time() * 1000
            told = await here.until_answered("wait", f"s{number}", "wait")
            assert told["ok"], told

    await asyncio.gather(*(some() for _ in range(32)))


async def count(here: Scene) -> int:
    """The delays that have ended: their session's start and two events make the revision 2."""
    return sum(info.revision >= 2 for info in await here.store.list(limit=TIMERS + 1))


async def rung(here: Scene, wanted: int) -> bool:
    return await count(here) >= wanted


async def rang_at(here: Scene, session: str) -> float:
    """When it rang by the store's clock; it has done so once."""
    started, waited, rang = await here.history(session)
    assert (started.event.name, waited.event.name, rang.event.target) == ("xstate.init", "WAIT", "rung")
    stored = await here.store.load(here.key(session).storage)
    assert stored is not None
    assert stored.document is not None
    assert '"rung":1' in stored.document
    return rang.at
