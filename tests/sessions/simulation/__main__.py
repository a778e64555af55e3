"""`python -m tests.sessions.simulation`: run seeds, and tell what went wrong in them."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext

from tests.sessions.simulation.database import simulated_database
from tests.sessions.simulation.disk import Disk
from tests.sessions.simulation.run import run
from tests.sessions.simulation.world import Storage


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sessions.simulation")
    parser.add_argument("--seeds", type=int, default=200, help="so many, from the first on")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=None, help="this one alone, and what happened in it")
    parser.add_argument("--all", action="store_true", help="go on after a seed that fails")
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    options = parser.parse_args()
    with nullcontext(Disk) if options.store == "sqlite" else simulated_database() as storage:
        return simulate(options, storage)


def simulate(options: argparse.Namespace, storage: Callable[[random.Random], Storage]) -> int:
    first, count = (options.first, options.seeds) if options.seed is None else (options.seed, 1)
    began, events, failed = time.monotonic(), Counter[str](), 0
    for seed in range(first, first + count):
        found = run(seed, storage)
        events.update(found.events)
        if options.seed is not None:
            sys.stdout.write("\n".join(found.trace) + "\n")
        if found.wrong:
            failed += 1
            sys.stdout.write(f"seed {seed} fails (again: --seed {seed}):\n")
            sys.stdout.write("".join(f"  {text}\n" for text in found.wrong[:8]))
            if not options.all:
                break
    sys.stdout.write(
        f"{count} seeds in {time.monotonic() - began:.1f} s: {failed} failed; {dict(sorted(events.items()))}\n"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
