"""XState's own actor in node, measured in a child process that is asked for one round after the other."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

MODULES = Path(__file__).parents[2] / ".ci" / "tools" / "node_modules"
SCRIPT = Path(__file__).with_name("xstate.cjs")


class XState:
    """The child process."""

    def __init__(self, node: str) -> None:
        self._process = subprocess.Popen(
            [node, str(SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "NODE_PATH": str(MODULES)},
        )

    def measure(self) -> float:
        """Events per second in one round."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


def xstate_flat() -> tuple[Callable[[], float], Callable[[], None]] | None:
    """How to measure XState and how to end it; None where it is not installed."""
    found = MODULES / "node" / "bin" / "node"
    node = str(found) if found.exists() else shutil.which("node")
    if node is None or not (MODULES / "xstate").exists():
        return None
    child = XState(node)
    return child.measure, child.close
