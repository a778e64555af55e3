"""One simulated run of a seed, the same each time."""

from __future__ import annotations

import asyncio
import functools
import logging
import random
import secrets
import types
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, NamedTuple

from fsmvoice.sessions import attempt, clock, sqlite_writer
from tests.sessions.simulation.disk import Disk
from tests.sessions.simulation.judge import judge, watch
from tests.sessions.simulation.loop import SimulatedLoop
from tests.sessions.simulation.machine import WORLDS
from tests.sessions.simulation.world import Storage, World

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


def run(seed: int, storage: Callable[[random.Random], Storage] = Disk) -> Found:
    """Simulate a seed."""
    chance = random.Random(seed)
    loop = SimulatedLoop(random.Random(seed + 1))
    with _deterministic(chance, loop):
        world = World(seed, loop, storage)
        WORLDS[:] = [world]
        with world.disk.watched(functools.partial(watch, world)):
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
    await judge(world, world.disk.store(world.clock))


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


def _pass(_seconds: float) -> None:
    """Nobody sleeps."""


class _NoThread:
    def __init__(self, **_about: Any) -> None: ...

    def start(self) -> None: ...
