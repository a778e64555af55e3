"""The run of the matrix: every client against every kind of server, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fsmvoice.server import asgi
from tests.server.matrix.clients import MatrixClient
from tests.server.matrix.conversation import differences, expected
from tests.server.matrix.machine import make_bridge
from tests.server.running import running


@dataclass(frozen=True)
class Kind:
    """A way to serve; `stateless` is None over stdio."""

    name: str
    stateless: bool | None
    json_response: bool = False


KINDS = (
    Kind("stateful, SSE", stateless=False),
    Kind("stateful, JSON", stateless=False, json_response=True),
    Kind("stateless, SSE", stateless=True),
    Kind("stateless, JSON", stateless=True, json_response=True),
    Kind("stdio", stateless=None),
)


@dataclass(frozen=True)
class Cell:
    """What came of one client with one kind of server."""

    protocol: str
    wrong: Sequence[str]


def applies(client: MatrixClient, kind: Kind) -> bool:
    """Whether the client can reach such a server."""
    return client.stdio if kind.stateless is None else client.http


async def run_cell(client: MatrixClient, kind: Kind) -> Cell:
    """Have the conversation."""
    wanted = await expected(client.ops)
    if kind.stateless is None:
        protocol, heard = await client.talk(None, client.ops)
    else:
        app = asgi(make_bridge(), stateless=kind.stateless, json_response=kind.json_response)
        async with running(app) as url:
            protocol, heard = await client.talk(f"{url}/mcp", client.ops)
    return Cell(protocol, differences(wanted, heard, facts=client.facts))


Row: TypeAlias = tuple[MatrixClient, Sequence[Cell | None]]
"""A client, and its cells; None where it can't reach such a server."""


def table(rows: Sequence[Row]) -> str:
    """The cells as Markdown."""
    lines = [
        "| client | protocol | " + " | ".join(kind.name for kind in KINDS) + " |",
        "|---|---|" + "---|" * len(KINDS),
    ]
    for client, cells in rows:
        spoken = sorted({cell.protocol for cell in cells if cell is not None})
        marks = ["" if cell is None else "no" if cell.wrong else "yes" for cell in cells]
        lines.append(f"| {client.name} | {', '.join(spoken)} | " + " | ".join(marks) + " |")
    return "\n".join(lines) + "\n"


async def run_matrix(chosen: Sequence[MatrixClient]) -> list[Row]:
    """All cells."""
    return [
        (client, [await run_cell(client, kind) if applies(client, kind) else None for kind in KINDS])
        for client in chosen
    ]
