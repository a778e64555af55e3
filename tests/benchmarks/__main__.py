"""`python -m tests.benchmarks`: how fast the engine is beside other packages, measured side by side, as ratios.

Rounds are interleaved, and the best of each column counts, so that what else the computer does weighs on all alike.
A round is short, so that some of them are not interrupted.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime as dt
import functools
import gc
import logging
import os
import platform
import subprocess
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

from fsmvoice.engine.actor import FsmActor
from tests.benchmarks import workloads
from tests.benchmarks.node import xstate_flat
from tests.benchmarks.peers import (
    python_statemachine_flat,
    sismic_flat,
    transitions_flat,
    xstate_statemachine_flat,
)
from tests.benchmarks.workloads import FLAT, NESTED, PARALLEL, AsyncStep, Step

SECONDS = 0.004
TARGETS = {
    "ours, async": "at most 2x",
    "ours, nested": "at most 2x",
    "ours, parallel": "at most 2x",
    "ours, class": "at most 2x",
    "transitions": "at least 4x",
    "xstate-statemachine": "at least 7x",
    "python-statemachine": "at least 40x",
    "xstate": "at least 1.5x",
}
PEERS: dict[str, Callable[[], Step | None]] = {
    "transitions": transitions_flat,
    "xstate-statemachine": xstate_statemachine_flat,
    "python-statemachine": python_statemachine_flat,
    "sismic": sismic_flat,
}
IMPORTS = {
    "fsmvoice": "import fsmvoice",
    "asyncio and a model": "import asyncio, pydantic\nclass M(pydantic.BaseModel): n: int = 0",
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    out = sys.stdout.write
    columns: dict[str, Callable[[], float]] = {
        "ours": _timed(workloads.ours(workloads.flat()), FLAT),
        "ours, async": _timed_async(workloads.ours_async(workloads.flat()), FLAT),
        "ours, nested": _timed(workloads.ours(workloads.nested()), NESTED),
        "ours, parallel": _timed(workloads.ours(workloads.parallel()), PARALLEL),
        "ours, class": _timed(workloads.Flat().send_sync, FLAT),
    }
    for name, make in PEERS.items():
        step = make()
        if step is None:
            out(f"skipped {name}: it is not installed (pip install {name})\n")
        else:
            columns[name] = _timed(step, FLAT)
    node = xstate_flat()
    if node is None:
        out("skipped xstate: it is not installed (.ci/tools.sh)\n")
    else:
        columns["xstate"] = node[0]
    best = dict.fromkeys(columns, 0.0)
    for _ in range(rounds):
        for name, measure in columns.items():
            best[name] = max(best[name], measure())
    if node is not None:
        node[1]()
    out(f"{dt.datetime.now(dt.UTC):%Y-%m-%d}, Python {platform.python_version()}, {_cpu()}, {os.cpu_count()} cores\n")
    out(f"{'column':<22}{'events/s':>12}{'ours is':>10}  aim\n")
    for name, rate in best.items():
        out(f"{name:<22}{rate:>12,.0f}{best['ours'] / rate:>9.2f}x  {TARGETS.get(name, '')}\n")
    out(f"a live actor: {_memory():,.0f} bytes (aim: at most 1,000)\n")
    out(f"100 states x 10 events compile in {_compile() * 1000:.1f} ms (aim: about 15)\n")
    ours, base = (_import(code) for code in IMPORTS.values())
    out(f"import fsmvoice: {ours * 1000:.0f} ms, {ours / base:.2f}x asyncio and pydantic with a model (aim: 1.5x)\n")
    return 0


def _timed(step: Step, cycle: tuple[str, ...]) -> Callable[[], float]:
    def measure() -> float:
        count, begun = 0, time.perf_counter()
        while True:
            for _ in range(5):
                for event in cycle:
                    step(event)
            count += 5 * len(cycle)
            spent = time.perf_counter() - begun
            if spent > SECONDS:
                return count / spent

    return measure


def _timed_async(step: AsyncStep, cycle: tuple[str, ...]) -> Callable[[], float]:
    async def run() -> float:
        count, begun = 0, time.perf_counter()
        while True:
            for _ in range(5):
                for event in cycle:
                    await step(event)
            count += 5 * len(cycle)
            spent = time.perf_counter() - begun
            if spent > SECONDS:
                return count / spent

    return lambda: asyncio.run(run())


def _memory(count: int = 500) -> float:
    chart = workloads.chart(workloads.flat())
    kept: list[Any] = [FsmActor[Any](chart) for _ in range(5)]
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept += [FsmActor[Any](chart) for _ in range(count)]
    gc.collect()
    used = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return used / count


def _compile() -> float:
    times: list[float] = []
    for _ in range(5):
        begun = time.perf_counter()
        workloads.chart(workloads.large())
        times.append(time.perf_counter() - begun)
    return min(times)


def _import(code: str) -> float:
    """Seconds that a new interpreter spends on it, its bytecode written as after an installation; the best of a few."""
    timed = f"import time; begun = time.perf_counter()\n{code}\nprint(time.perf_counter() - begun)"
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    run = functools.partial(subprocess.run, [sys.executable, "-c", timed], env=env, text=True, check=True)
    return min(float(run(capture_output=True).stdout) for _ in range(10))


def _cpu() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.partition(":")[2].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


if __name__ == "__main__":
    sys.exit(main())
