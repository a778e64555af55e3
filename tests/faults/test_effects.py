"""Effects go out at least once, in order, and only for what was committed, whatever dies."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.faults.scene import WAITING, Scene, scene, until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

SESSIONS = 12
ROUNDS = 6
WORDS = 4


async def test_effects_outlive_the_servers_that_run_them(url: str, tmp_path: Path) -> None:
    async with scene(url, tmp_path, machine=WAITING, name="waiting") as here:
        await here.start()
        calling = asyncio.gather(*(conversation(here, f"s{number}") for number in range(SESSIONS)))
        for number in range(4):
            await asyncio.sleep(random.uniform(0.5, 1.5))
            here.replicas[number % 2].kill()
            await here.start(number % 2)
        await calling
        await until(lambda: delivered(here), 150)

        written: dict[str, list[tuple[str, str]]] = {}
        for _, key, word in map(str.split, here.receipts()):
            written.setdefault(word.partition(".")[0], []).append((key, word))
        for number in range(SESSIONS):
            found = written[f"s{number}"]
            first = list(dict.fromkeys(word for _, word in found))
            wanted = [f"s{number}.{turn}.{word}" for turn in range(ROUNDS) for word in range(WORDS)]
            assert first == wanted, "all of them, in order, and none of a call that was refused"
            assert len(set(found)) == len(wanted), "each under one id, however often it ran"
            assert in_order(word for _, word in found)


async def conversation(here: Scene, session: str) -> None:
    for turn in range(ROUNDS):
        words = [f"{session}.{turn}.{word}" for word in range(WORDS)]
        refused = await here.until_answered("send", session, f"no-{turn}", words=[f"{session}.no"], fails=True)
        assert refused["reason"] == "refused"
        told = await here.until_answered("send", session, f"yes-{turn}", words=words, fails=False)
        assert told["ok"]


async def delivered(here: Scene) -> bool:
    return not any(info.outgoing for info in await here.store.list(limit=1000))


def in_order(words: Iterable[str]) -> bool:
    """Whether no word comes after a later one: a repetition is of the word that came last."""
    numbers = [tuple(map(int, word.split(".")[1:])) for word in words]
    return numbers == sorted(numbers)
