"""Every client hears from every kind of server exactly what the bridge says, and the docs tell which were tried."""

from __future__ import annotations

import pytest

from tests.server.matrix.clients import clients
from tests.server.matrix.conversation import CONVERSATION, expected
from tests.server.matrix.machine import REASONS
from tests.server.matrix.matrix import KINDS, Row, applies, run_cell, table
from tests.server.matrix.page import table_in_docs
from tests.tools import node_tool

CLIENTS = clients()


async def test_the_conversation_meets_the_reasons_that_a_conversation_can_lead_to() -> None:
    heard = await expected(CONVERSATION)
    met = [answer["structured"].get("reason") for answer in heard if "structured" in answer]
    assert list(dict.fromkeys(reason for reason in met if reason))[:10] == [
        "no-transition",
        "guard-rejected",
        "invalid-arguments",
        "limit-exceeded",
        "action-failed",
        "action-timeout",
        "refused",
        "version-conflict",
        "session-not-found",
        "request-id-reused",
    ]
    assert set(REASONS) <= set(met)
    assert any(answer.get("structured", {}).get("replayed") for answer in heard)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_all_clients_hear_what_the_bridge_says_and_the_docs_show_this_table() -> None:
    for tool in ("node", "mcp-inspector"):
        node_tool(tool)
    rows: list[Row] = []
    for client in CLIENTS:
        cells = [await run_cell(client, kind) if applies(client, kind) else None for kind in KINDS]
        for kind, cell in zip(KINDS, cells, strict=True):
            assert cell is None or not cell.wrong, f"{client.name}, {kind.name}: {cell.wrong}"
        rows.append((client, cells))
    assert table(rows) == table_in_docs(), "run python -m tests.server.matrix --write"
