"""The machine that waits, served with a timeout so short that tests can see leases run out."""

from __future__ import annotations

import asyncio
import os

from fsmvoice import create_fsm_mcp_bridge
from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.sessions.open_store import open_store
from tests.faults.waiting import Waiting

bridge: FsmMcpBridge = create_fsm_mcp_bridge(
    Waiting, store=asyncio.run(open_store(os.environ["FSMVOICE_STORE"])), tool_timeout=1.0
)
