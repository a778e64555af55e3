"""A server that stops in the middle, and goes on as if nothing had happened."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import pytest

from tests.faults.scene import IMPATIENT, Scene, scene, until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

LEASE = 6.0
"""Seconds: five more than the second that step code may take there."""


@pytest.mark.parametrize("event", ["work", "toil"])
async def test_what_a_stopped_server_was_doing_is_done_by_the_other_and_never_twice(
    url: str, tmp_path: Path, event: str
) -> None:
    async with scene(url, tmp_path, machine=IMPATIENT, name="waiting") as here:
        await here.start()
        began = time.monotonic()
        first = asyncio.create_task(here.call(0, event, "s", "r", seconds=0.6))
        await until(lambda: here.receipts() == [event])
        here.replicas[0].pause()

        taken_over = await other_answers(here, event)
        waited = time.monotonic() - began
        here.replicas[0].resume()
        late = await first

        assert isinstance(late, dict)
        sys.stdout.write(f"{event}: taken over after {waited:.1f} s; the late answer of the other: {late['say']}\n")
        assert taken_over["ok"]
        assert LEASE - 1 < waited < LEASE + 15
        assert here.receipts() == [event, event]
        assert await here.names("s") == [event.upper()]
        assert '"worked":1' in await document(here)
        # Whether it was cut short, or came to its end and its commit was refused: it was done by the other.
        assert (late["replayed"], late["say"]) == (True, taken_over["say"])
        again = await here.call(0, event, "s", "r", seconds=0.6)
        assert isinstance(again, dict)
        assert (again["replayed"], again["say"]) == (True, taken_over["say"])
        for replica in (0, 1):  # nobody holds anything any more
            told = await here.call(replica, "work", "s", f"next {replica}", seconds=0.0)
            assert isinstance(told, dict)
            assert told["ok"]


async def other_answers(here: Scene, event: str) -> dict[str, object]:
    """The other replica's answer to the same request; until it has the lease, it is busy."""
    while True:
        told = await here.call(1, event, "s", "r", seconds=0.6)
        assert isinstance(told, dict), told
        if told.get("reason") != "busy":
            return told


async def document(here: Scene) -> str:
    stored = await here.store.load(here.key("s").storage)
    assert stored is not None
    return stored.document or ""
