"""`python -m tests.sessions.model --store postgres`: search one store, and tell what was found."""

from __future__ import annotations

import argparse
import sys
import time
import traceback

from hypothesis import HealthCheck, Phase, settings

from tests.sessions.model.run import search


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sessions.model")
    parser.add_argument("--store", choices=("memory", "sqlite", "postgres"), required=True)
    parser.add_argument("--examples", type=int, default=30)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--random", action="store_true", help="other sequences each time")
    parser.add_argument("--together", action="store_true", help="what is asked of the store at once is done at once")
    options = parser.parse_args()
    began = time.monotonic()
    how = settings(
        max_examples=options.examples,
        stateful_step_count=options.steps,
        deadline=None,
        derandomize=not options.random,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        phases=[Phase.generate],
    )
    try:
        search(options.store, how, together=options.together)
    except Exception:  # whatever it is, the store is not as the model says
        sys.stdout.write(f"{traceback.format_exc()}\nthe store is not what the model says\n")
        return 1
    sys.stdout.write(f"{options.examples} sequences in {time.monotonic() - began:.1f} s: it is what the model says\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
