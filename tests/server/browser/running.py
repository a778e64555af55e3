"""Runs a script of this folder beside a served machine; the test is skipped where browser or node are missing."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.tools import TOOLS, node_tool

CHROMIUM = "/usr/bin/chromium"


def browser_job() -> dict[str, Any]:
    """What every script needs."""
    tools = TOOLS.parents[1]
    chromium = shutil.which("chromium") or CHROMIUM
    if not Path(chromium).exists():
        pytest.skip("chromium is not installed; run .ci/packages.sh")
    if not (tools / "node_modules" / "playwright-core").exists():
        pytest.skip("playwright-core is not installed; run .ci/tools.sh")
    return {"tools": str(tools), "chromium": chromium, "shots": os.environ.get("FSMVOICE_SHOTS")}


async def in_browser(script: str, url: str, **more: Any) -> None:
    """Run it; what it finds wrong is this test's failure."""
    node, job = node_tool("node"), {**browser_job(), "url": url, **more}
    path = Path(__file__).with_name(script)
    process = await asyncio.create_subprocess_exec(
        node, path, json.dumps(job), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    try:
        told, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, told.decode()
