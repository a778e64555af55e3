"""Thousands of sessions through one server: memory and tasks stay where they are once the sessions are over."""

from __future__ import annotations

import asyncio
import gc
import itertools
import resource
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from examples.coffee import Coffee
from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.server import asgi
from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.meta import SESSION_META
from tests.server.matrix import raw
from tests.server.matrix.conversation import Op, call
from tests.server.running import running

WAVES = 10
AT_ONCE = 20
ORDER: tuple[Op, ...] = (
    call("coffee_order", drink="latte"),
    call("coffee_ready"),
    call("coffee_confirm"),
    {"do": "read", "name": "fsm://state"},
)


@dataclass(frozen=True)
class Held:
    """What the process holds."""

    objects: int
    kilobytes: int
    tasks: int

    @classmethod
    def now(cls) -> Held:
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return cls(len(gc.get_objects()), pages * resource.getpagesize() // 1024, len(asyncio.all_tasks()))


async def visit(http: httpx2.AsyncClient, url: str, number: int) -> None:
    """One caller's whole visit, in one protocol era or the other."""
    version = raw.MODERN if number % 2 else "2025-11-25"
    meta = {SESSION_META: f"caller {number}"}
    ops: list[Op] = [{**op, "meta": meta} if op["do"] == "call" else op for op in ORDER]
    _, heard = await raw.converse_over(http, url, version, ops)
    assert heard[0]["text"] == "One medium latte. Shall I place it?"
    assert heard[1]["isError"] is True
    assert heard[2]["structured"]["state"]["value"] == "brewing"


async def soak(sessions: int) -> list[Held]:
    """So many sessions in waves; what the process holds after each wave, when all its sessions have expired."""
    clock = SimulatedClock()
    store = MemoryStore(ttl=60, clock=clock)
    bridge = create_fsm_mcp_bridge(Coffee, store=store)
    held: list[Held] = []
    async with running(asgi(bridge)) as url, httpx2.AsyncClient(timeout=60) as http:
        gate = asyncio.Semaphore(AT_ONCE)

        async def enter(number: int) -> None:
            async with gate:
                await visit(http, f"{url}/mcp", number)

        numbers = iter(range(sessions))
        for _ in range(WAVES):
            await asyncio.gather(*(enter(number) for number in itertools.islice(numbers, sessions // WAVES)))
            assert len(store) > sessions // WAVES - 1
            clock.advance(120_000)
            await bridge.get_snapshot()
            await asyncio.sleep(0.1)
            held.append(Held.now())
    assert len(store) == 1
    return held


def check(held: list[Held]) -> None:
    """Flat from the third wave on: by then all caches are full."""
    steady = held[2:]
    assert max(now.tasks for now in steady) <= held[0].tasks + 2, held
    assert steady[-1].objects <= steady[0].objects * 1.01, held
    assert steady[-1].kilobytes <= steady[0].kilobytes + 4096, held


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_two_thousand_sessions_leave_nothing_behind() -> None:
    check(await soak(2_000))


@pytest.mark.huge
@pytest.mark.timeout(1800)
async def test_ten_thousand_sessions_leave_nothing_behind() -> None:
    check(await soak(10_000))
