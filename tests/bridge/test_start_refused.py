"""A machine that refuses to start says why, wherever that is noticed."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from fsmvoice import CallContext, CallFailed, Refuse, State, VoiceMachine, create_fsm_mcp_bridge, on_enter, transition
from fsmvoice.bridge.bridge import FsmMcpBridge


class Shop(BaseModel):
    day: str = "Monday"


class Closed(VoiceMachine[Shop], id="shop"):
    idle = State(initial=True)
    done = State(final=True)

    @on_enter(idle)
    def opens(self) -> None:
        self.context.day = "never"
        raise Refuse("We are closed on {day}.")

    @transition("GO", source=idle, target=done)
    def go(self, what: str) -> None: ...


SAID = "We are closed on Monday."


@pytest.fixture
def bridge() -> FsmMcpBridge:
    return create_fsm_mcp_bridge(Closed)


@pytest.mark.parametrize(("tool", "arguments"), [("go", {"what": "x"}), ("go", {}), ("status", {}), ("start_over", {})])
async def test_every_tool_says_why(bridge: FsmMcpBridge, tool: str, arguments: dict[str, str]) -> None:
    reply = await bridge.call(f"shop_{tool}", arguments, CallContext(principal="ann", session_id="1"))
    assert (reply.text, reply.structured["reason"], reply.is_error) == (SAID, "refused", True)


async def test_so_does_a_session_that_can_not_be_opened() -> None:
    reply = await create_fsm_mcp_bridge(Closed, handles=True).call("shop_start_session", {})
    assert (reply.text, reply.structured["reason"], reply.is_error) == (SAID, "refused", True)


async def test_so_do_a_program_and_the_prompt(bridge: FsmMcpBridge) -> None:
    with pytest.raises(CallFailed, match=SAID):
        await bridge.get_snapshot()
    with pytest.raises(CallFailed, match=SAID):
        await bridge.reset()
    assert await bridge.not_heard() == SAID
