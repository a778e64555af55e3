"""The tools from npm that slower tests run; `.ci/tools.sh` installs them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[1] / ".ci" / "tools" / "node_modules" / ".bin"


def node_tool(name: str) -> Path:
    """The program of that name; the test is skipped where it is not installed."""
    found = TOOLS / name
    if not found.exists():
        pytest.skip(f"{name} is not installed; run .ci/tools.sh")
    return found


def with_tools() -> dict[str, str]:
    """An environment in which `node` is the installed one: the tools are scripts that look for it."""
    return {**os.environ, "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}"}
