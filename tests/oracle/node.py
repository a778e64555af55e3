"""Runs machines in XState itself, on node."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.tools import TOOLS, node_tool

SCRIPT = Path(__file__).with_name("xstate.mjs")


def in_xstate(jobs: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """What XState did with each job, by its id, all in one process. xstate.mjs says what a job is."""
    node, folder = node_tool("node"), TOOLS.parents[1]
    if not (folder / "node_modules" / "xstate").exists():
        pytest.skip("xstate is not installed; run .ci/tools.sh")
    done = subprocess.run(
        [node, SCRIPT, folder],
        input="\n".join(map(json.dumps, jobs)),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {result["id"]: result for result in map(json.loads, done.stdout.split("\n")[:-1])}
