"""One request that many send at once, over two servers, is done once."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.faults.scene import Scene, scene

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ROUNDS = 200
CALLS = 32


async def test_of_32_identical_calls_one_is_a_transition_and_31_are_replays_200_times(url: str, tmp_path: Path) -> None:
    async with scene(url, tmp_path) as here:
        await here.start()
        counted: Counter[tuple[int, int]] = Counter()
        for number in range(ROUNDS):
            transitions, replays = await one_round(here, number)
            counted[transitions, replays] += 1
        sys.stdout.write(f"{ROUNDS} rounds of {CALLS} calls: {dict(counted)} (transitions, replays)\n")
        assert counted == {(1, CALLS - 1): ROUNDS}
        for session in range(8):
            names = [past.event.request_id for past in await here.history(f"s{session}")][1:]
            assert names == [f"round-{number}" for number in range(session, ROUNDS, 8)]


async def one_round(here: Scene, number: int) -> tuple[int, int]:
    """How many of the calls were a transition, and how many a replay with the same words."""
    event = "add_slowly" if number % 2 else "add"
    calls = (
        here.call(call % 2, event, f"s{number % 8}", f"round-{number}", word=f"word-{number}") for call in range(CALLS)
    )
    told = [answer for answer in await asyncio.gather(*calls) if isinstance(answer, dict) and answer["ok"]]
    assert len({said(answer) for answer in told}) == 1
    return sum(not answer.get("replayed") for answer in told), sum(bool(answer.get("replayed")) for answer in told)


def said(answer: dict[str, Any]) -> str:
    return str((answer["say"], answer["state"]["revision"]))
