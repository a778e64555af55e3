"""The clients of the matrix. Each has the conversation with a server, and tells what it heard in which protocol."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import TextContent, TextResourceContents

from tests.server.matrix import raw
from tests.server.matrix.conversation import CONVERSATION, PLAIN, Heard, Op
from tests.server.running import ROOT, Mode, environment
from tests.tools import TOOLS, node_tool, with_tools

HERE = Path(__file__).parent
STDIO = [sys.executable, "-m", "tests.server.matrix.machine"]
Talk = Callable[[str | None, Sequence[Op]], Awaitable[tuple[str, list[Heard]]]]
"""Has the conversation with the server at a URL, or with one of its own over stdio."""


@dataclass(frozen=True)
class MatrixClient:
    """A client; `facts` is whether its protocol has data beside the words."""

    name: str
    talk: Talk
    ops: Sequence[Op] = CONVERSATION
    http: bool = True
    stdio: bool = True
    facts: bool = True


def npm_version(package: str) -> str:
    """The version of an installed npm package."""
    manifest = TOOLS.parent / package / "package.json"
    return str(json.loads(manifest.read_text())["version"]) if manifest.exists() else "not installed"


async def _run(command: Sequence[str | Path], given: str = "", *, codes: Sequence[int] = (0,)) -> str:
    process = await asyncio.create_subprocess_exec(
        *map(str, command),
        cwd=ROOT,
        env={**environment(), **with_tools(), "NODE_TOOLS": str(TOOLS.parent), "MCP_INSPECTOR_SECRET_STORE": "memory"},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(given.encode()), 60)
    assert process.returncode in codes, f"{process.returncode}: {out.decode()}{err.decode()}"
    return out.decode()


def _script(name: str) -> Talk:
    async def talk(url: str | None, ops: Sequence[Op]) -> tuple[str, list[Heard]]:
        given = {"url": url, "command": STDIO, "ops": ops}
        told = json.loads(await _run([node_tool("node"), HERE / name], json.dumps(given)))
        return str(told["protocol"]), told["heard"]

    return talk


def _python(mode: Mode) -> Talk:
    async def talk(url: str | None, ops: Sequence[Op]) -> tuple[str, list[Heard]]:
        own = StdioServerParameters(command=STDIO[0], args=STDIO[1:], cwd=str(ROOT), env=environment())
        async with Client(stdio_client(own) if url is None else url, mode=mode) as client:
            heard = [await _heard(client, op) for op in ops]
            return str(client.protocol_version), heard

    return talk


async def _heard(client: Client, op: Op) -> Heard:
    if op["do"] == "list":
        return {"tools": [tool.name for tool in (await client.list_tools()).tools]}
    if op["do"] == "read":
        (content,) = (await client.read_resource(op.get("name", ""))).contents
        assert isinstance(content, TextResourceContents)
        return {"state": json.loads(content.text)}
    result = await client.call_tool(op.get("name", ""), op.get("arguments"), meta=cast("Any", op.get("meta") or None))
    (words,) = result.content
    assert isinstance(words, TextContent)
    return {"text": words.text, "isError": result.is_error, "structured": result.structured_content}


def _raw(wanted: str) -> Talk:
    async def talk(url: str | None, ops: Sequence[Op]) -> tuple[str, list[Heard]]:
        assert url is not None
        return await raw.converse(url, wanted, ops)

    return talk


def _inspector(era: str) -> Talk:
    """The Inspector's command line: a process, and a connection, for each operation."""

    async def talk(url: str | None, ops: Sequence[Op]) -> tuple[str, list[Heard]]:
        assert url is not None
        with _config({"type": "streamable-http", "url": url, "protocolEra": era}) as path:
            heard = [await _inspected(["--config", path, "--server", "shop"], op) for op in ops]
        return "2026-07-28" if era == "modern" else "2025-11-25", heard

    return talk


@contextmanager
def _config(server: dict[str, str]) -> Generator[str]:
    """A file that names the server."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"mcpServers": {"shop": server}}, file)
        file.flush()
        yield file.name


async def _inspected(target: list[str], op: Op) -> Heard:
    words: list[str | Path] = [node_tool("mcp-inspector"), "--cli", *target, "--format", "json", "--method"]
    if op["do"] == "list":
        told = json.loads(await _run([*words, "tools/list", "--strict"]))["result"]
        return {"tools": [tool["name"] for tool in told["tools"]]}
    if op["do"] == "read":
        told = json.loads(await _run([*words, "resources/read", "--uri", op.get("name", "")]))["result"]
        return {"state": json.loads(told["contents"][0]["text"])}
    arguments = op.get("arguments")
    given = ["--tool-args-json", json.dumps(arguments)] if arguments else []
    out = await _run([*words, "tools/call", "--tool-name", op.get("name", ""), *given], codes=(0, 5))
    told = json.loads(out)["result"]
    (content,) = told["content"]
    return {"text": content["text"], "isError": told.get("isError", False), "structured": told["structuredContent"]}


def clients() -> list[MatrixClient]:
    """All clients, with their versions."""
    sdk, client = npm_version("@modelcontextprotocol/sdk"), npm_version("@modelcontextprotocol/client")
    inspector, python = npm_version("@modelcontextprotocol/inspector"), version("mcp")
    return [
        MatrixClient(f"TypeScript `@modelcontextprotocol/sdk` {sdk}", _script("sdk.mjs")),
        MatrixClient(f"TypeScript `@modelcontextprotocol/client` {client}, auto", _script("client.mjs")),
        MatrixClient(f"Python `mcp` {python}, legacy", _python("legacy")),
        MatrixClient(f"Python `mcp` {python}, auto", _python("auto")),
        MatrixClient(f"Inspector {inspector}, legacy", _inspector("legacy"), ops=PLAIN, stdio=False),
        MatrixClient(f"Inspector {inspector}, modern", _inspector("modern"), ops=PLAIN, stdio=False),
        MatrixClient("JSON-RPC by hand, as Alexa+ initializes", _raw("2025-03-26"), stdio=False, facts=False),
        MatrixClient("JSON-RPC by hand", _raw("2025-06-18"), stdio=False),
        MatrixClient("JSON-RPC by hand", _raw("2025-11-25"), stdio=False),
        MatrixClient("JSON-RPC by hand", _raw("2026-07-28"), stdio=False),
    ]
