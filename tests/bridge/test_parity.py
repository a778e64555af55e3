"""The tools have the names that the seed library gives them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fsmvoice.bridge.bridge import create_fsm_mcp_bridge

CASES = Path(__file__).parents[3] / "shared" / "data" / "parity" / "cases.jsonl"
GUARDS = ("never", "always", "hasItem", "countAtLeast2", "sizeIsLarge")
ACTIONS = ("setItem", "inc", "clear", "nothing", "later")


def yes() -> bool:
    return True


def nothing() -> None:
    pass


def test_tool_names_are_the_seeds() -> None:
    if not CASES.exists():
        pytest.skip(f"{CASES} is not here")
    different: list[str] = []
    for line in CASES.read_text().splitlines():
        case: dict[str, Any] = json.loads(line)
        bridge = create_fsm_mcp_bridge(
            case["machine"], actions=dict.fromkeys(ACTIONS, nothing), guards=dict.fromkeys(GUARDS, yes)
        )
        ours = [tool.name for tool in bridge.tools if tool.event is not None]
        if ours != [tool["name"] for tool in case["tools"]]:
            different.append(case["id"])
    assert different == []
