"""`python -m tests.benchmarks.instructions`: the overhead of a call in instructions, counted by valgrind's callgrind.

What else the computer does has no part in it, so two runs agree within half a percent. It needs valgrind.
"""

from __future__ import annotations

import asyncio
import gc
import os
import re
import subprocess
import sys

from examples.coffee import Coffee
from fsmvoice.bridge.bridge import create_fsm_mcp_bridge
from fsmvoice.server.http import asgi
from tests.benchmarks.handwritten import handwritten
from tests.benchmarks.overhead import AIM, calls_of, connected, cost, recorded

TIMES = 50


async def counted(which: str) -> None:
    """The conversation, counted once everything is warm."""
    replies, revision = await recorded()
    hand = handwritten(replies, revision, json_response=True)
    app = hand if which == "hand" else asgi(create_fsm_mcp_bridge(Coffee), json_response=True)
    async with connected(app, modern=True) as wire:
        calls = calls_of(wire)
        await cost(wire, calls, 5)
        gc.collect()
        gc.disable()
        _switch("on")
        await cost(wire, calls, TIMES)
        _switch("off")


def _switch(to: str) -> None:
    control = ["callgrind_control", f"--instr={to}", str(os.getpid())]
    subprocess.run(control, check=True, capture_output=True)


def count(which: str) -> float:
    """Instructions of one call."""
    valgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=/dev/null"]
    run = [*valgrind, sys.executable, "-m", "tests.benchmarks.instructions", which]
    done = subprocess.run(run, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "0"})
    found = re.search(r"Collected : (\d+)", done.stderr)
    assert found is not None, done.stderr
    return int(found.group(1)) / TIMES / 4


def main() -> int:
    if len(sys.argv) > 1:
        asyncio.run(counted(sys.argv[1]))
        return 0
    hand, ours = count("hand"), count("ours")
    sys.stdout.write(f"by hand {hand:,.0f}, ours {ours:,.0f}: {ours / hand - 1:+.1%} (aim: {AIM:.0%})\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
