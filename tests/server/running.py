"""Servers that tests talk to: an app on a real port of this computer, and `fsmvoice serve` as a process."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias

import uvicorn
from mcp import Client
from mcp_types import CallToolResult, TextContent
from starlette.applications import Starlette

from fsmvoice.server.listen import listen

ROOT = Path(__file__).parents[2]
Mode: TypeAlias = Literal["legacy", "auto"]
BOTH_ERAS: tuple[Mode, ...] = ("legacy", "auto")


@asynccontextmanager
async def running(app: Starlette) -> AsyncGenerator[str]:
    """Serve an app on a free port; gives its address without a path."""
    with listen("127.0.0.1", 0) as listening:
        config = uvicorn.Config(app, log_level="critical", lifespan="on", ws="none", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            await task


async def said(client: Client, tool: str, **arguments: object) -> str:
    """What a call is answered, with a mark before a refusal."""
    result = await client.call_tool(tool, arguments)
    return ("! " if result.is_error else "") + text_of(result)


def text_of(result: CallToolResult) -> str:
    """The words of a result."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def facts_of(result: CallToolResult) -> dict[str, Any]:
    """The data of a result."""
    return dict(result.structured_content or {})


def command(*arguments: str) -> list[str]:
    """The command line of `fsmvoice` with these arguments."""
    return [sys.executable, "-m", "fsmvoice.cli", *arguments]


def environment() -> dict[str, str]:
    """The environment for a process that runs this checkout from anywhere."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@contextmanager
def serving(*arguments: str, cwd: Path = ROOT) -> Generator[tuple[subprocess.Popen[str], str]]:
    """`fsmvoice serve` on a free port; gives the process and the endpoint that it told."""
    process = subprocess.Popen(
        command("serve", *arguments, "--port", "0"),
        cwd=cwd,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process, endpoint_told(process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=10)


def endpoint_told(process: subprocess.Popen[str]) -> str:
    """Read a server's stderr up to the line that names its endpoint."""
    assert process.stderr is not None
    seen: list[str] = []
    for line in process.stderr:
        seen.append(line)
        if found := re.search(r"http://\S+/mcp$", line.strip()):
            return found.group()
    raise AssertionError(f"the server ended: {''.join(seen)}")
