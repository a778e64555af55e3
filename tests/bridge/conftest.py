"""The bridge to a coffee machine."""

from __future__ import annotations

import pytest

from fsmvoice.bridge.bridge import FsmMcpBridge, create_fsm_mcp_bridge
from tests.bridge.machines import Coffee


@pytest.fixture
def coffee() -> FsmMcpBridge:
    return create_fsm_mcp_bridge(Coffee)
