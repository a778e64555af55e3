"""`python -m tests.benchmarks`: how fast the engine is beside other packages, measured side by side, as ratios.

Rounds are interleaved, and the best of each column counts, so that what else the computer does weighs on all alike.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

from fsmvoice.engine.actor import FsmActor
from tests.benchmarks import workloads
from tests.benchmarks.peers import python_statemachine_flat, transitions_flat
from tests.benchmarks.workloads import FLAT, NESTED, PARALLEL, AsyncStep, Step

ROUNDS = 300
TARGETS = {"transitions": 4.0, "python-statemachine": 40.0}


def main() -> int:
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    columns: dict[str, Callable[[], float]] = {
        "ours": _timed(workloads.ours(workloads.flat()), FLAT),
        "ours, async": _timed_async(workloads.ours_async(workloads.flat()), FLAT),
        "ours, nested": _timed(workloads.ours(workloads.nested()), NESTED),
        "ours, parallel": _timed(workloads.ours(workloads.parallel()), PARALLEL),
    }
    out = sys.stdout.write
    for name, step in (("transitions", transitions_flat()), ("python-statemachine", python_statemachine_flat())):
        if step is None:
            out(f"skipped {name}: it is not installed (pip install {name})\n")
        else:
            columns[name] = _timed(step, FLAT)
    best = dict.fromkeys(columns, 0.0)
    for _ in range(ROUNDS):
        for name, measure in columns.items():
            best[name] = max(best[name], measure())
    ours = best["ours"]
    out(f"{'column':<22}{'events/s':>12}{'ours is':>10}\n")
    for name, rate in best.items():
        aim = f"  (aim: {TARGETS[name]:g}x)" if name in TARGETS else ""
        out(f"{name:<22}{rate:>12,.0f}{ours / rate:>9.2f}x{aim}\n")
    out(f"a live actor: {_memory():,.0f} bytes (aim: 1,000)\n")
    out(f"100 states x 10 events compile in {_compile() * 1000:.1f} ms (aim: 15)\n")
    return 0


def _timed(step: Step, cycle: tuple[str, ...], times: int = 25) -> Callable[[], float]:
    def measure() -> float:
        begun = time.perf_counter()
        for _ in range(times):
            for event in cycle:
                step(event)
        return times * len(cycle) / (time.perf_counter() - begun)

    return measure


def _timed_async(step: AsyncStep, cycle: tuple[str, ...], times: int = 25) -> Callable[[], float]:
    async def run() -> float:
        begun = time.perf_counter()
        for _ in range(times):
            for event in cycle:
                await step(event)
        return times * len(cycle) / (time.perf_counter() - begun)

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


if __name__ == "__main__":
    sys.exit(main())
