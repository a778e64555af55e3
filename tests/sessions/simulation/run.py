"""One simulated run of a seed, the same each time."""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import sqlite3
import types
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, NamedTuple

from fsmvoice.sessions import attempt, clock, sqlite_commit, sqlite_writer
from fsmvoice.sessions.store import Commit, Committed, Limits
from tests.sessions.simulation.disk import SimulatedStore
from tests.sessions.simulation.judge import judge, row_of, watch
from tests.sessions.simulation.loop import SimulatedLoop
from tests.sessions.simulation.machine import WORLDS
from tests.sessions.simulation.world import World

CALLERS = 5
REQUESTS = 6
QUIET = 75.0
"""Seconds without faults at the end: longer than any lease lasts."""


class Found(NamedTuple):
    """What a run came to. `wrong` is empty if all is well."""

    seed: int
    wrong: list[str]
    trace: list[str]
    events: dict[str, int]


def run(seed: int) -> Found:
    """Simulate a seed."""
    chance = random.Random(seed)
    loop = SimulatedLoop(random.Random(seed + 1))
    with _deterministic(chance, loop):
        world = World(seed, loop)
        WORLDS[:] = [world]
        with _watched(world):
            try:
                loop.run_until_complete(_run(world))
            finally:
                world.disk.over = True
                loop.clear()
                loop.close()
                world.disk.close()
    world.events["disk failure"] = world.disk.failed
    return Found(seed, world.wrong, world.trace, dict(world.events))


async def _run(world: World) -> None:
    for number in range(len(world.replicas)):
        world.start(number)
    faults = asyncio.create_task(world.faults())
    await asyncio.gather(*(world.caller(number, REQUESTS) for number in range(CALLERS)))
    faults.cancel()
    world.quiet()
    await asyncio.sleep(QUIET)
    await judge(world, SimulatedStore(world.disk, world.chance, world.clock))


@contextmanager
def _deterministic(chance: random.Random, loop: SimulatedLoop) -> Generator[None]:
    """All that is chance or time elsewhere comes from the seed and the simulated loop."""
    before = random.getstate(), secrets.token_hex, logging.root.manager.disable
    random.seed(chance.random())

    def token_hex(size: int) -> str:
        return f"{chance.getrandbits(size * 8):0{size * 2}x}"

    times = types.SimpleNamespace(monotonic=loop.time, sleep=_pass)
    modules: list[tuple[Any, str, Any]] = [
        (secrets, "token_hex", token_hex),
        (clock, "time", times),
        (sqlite_writer, "time", times),
        (sqlite_writer, "threading", types.SimpleNamespace(Thread=_NoThread)),
        (attempt, "_PROCESS", "simulated"),
    ]
    kept = [(module, name, getattr(module, name)) for module, name, _ in modules]
    for module, name, value in modules:
        setattr(module, name, value)
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before[2])
        random.setstate(before[0])
        for module, name, value in kept:
            setattr(module, name, value)


@contextmanager
def _watched(world: World) -> Generator[None]:
    """Each commit of the shipped store is seen as it is written."""
    shipped: Any = sqlite_commit.commit

    def commit(writer: Any, limits: Limits, given: Commit, now_of: Any, db: sqlite3.Connection) -> Committed:
        before = row_of(given.key, db)
        done: Committed = shipped(writer, limits, given, now_of, db)
        watch(world, given, done, before)
        return done

    sqlite_commit.commit = commit
    try:
        yield
    finally:
        sqlite_commit.commit = shipped


def _pass(_seconds: float) -> None:
    """Nobody sleeps."""


class _NoThread:
    def __init__(self, **_about: Any) -> None: ...

    def start(self) -> None: ...
