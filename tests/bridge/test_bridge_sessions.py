"""Each caller has a conversation of their own, and whoever may not have it is told."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from fsmvoice.bridge.bridge import CallFailed, FsmMcpBridge, create_fsm_mcp_bridge
from fsmvoice.sessions.keys import CallContext
from fsmvoice.sessions.memory import MemoryStore
from tests.bridge.machines import Coffee, Kettle
from tests.bridge.saying import said


async def test_principals_have_sessions_of_their_own(coffee: FsmMcpBridge) -> None:
    alice, bob = CallContext(principal="alice"), CallContext(principal="bob")

    await coffee.call("coffee_order", {"drink": "latte"}, alice)

    assert (await coffee.get_snapshot(alice)).value == "ordering"
    assert (await coffee.get_snapshot(bob)).value == "idle"
    assert json.loads(await coffee.read("fsm://state", bob))["value"] == "idle"


async def test_a_session_is_opened_used_and_worth_nothing_to_others() -> None:
    bridge = create_fsm_mcp_bridge(Coffee, handles=True)
    alice, bob = CallContext(principal="alice"), CallContext(principal="bob")
    opened = await bridge.call("coffee_start_session", {}, alice)
    session = opened.structured["session"]

    ordered = await bridge.call("coffee_order", {"drink": "latte", "session": session}, alice)
    stolen = await bridge.call("coffee_confirm", {"session": session}, bob)
    guessed = await bridge.call("coffee_confirm", {"session": "guess"}, alice)
    no_handle = await bridge.call("coffee_status", {"session": 5}, alice)

    assert opened.text == "You can order a drink. What would you like?"
    assert session not in opened.text
    assert ordered.structured["session"] == session
    assert stolen.structured == guessed.structured == no_handle.structured
    assert stolen.text == "I can't find that conversation. Please begin a new one."
    assert (await bridge.get_snapshot(alice)).value == "idle"
    state = await bridge.read(f"fsm://sessions/{session}/state", alice)
    assert json.loads(state) == ordered.structured["state"]


async def test_two_bridges_on_one_store_keep_their_machines_apart() -> None:
    store = MemoryStore()
    coffee, kettle = create_fsm_mcp_bridge(Coffee, store=store), create_fsm_mcp_bridge(Kettle, store=store)

    await coffee.call("coffee_order", {"drink": "latte"})

    assert (await kettle.get_snapshot()).value == "cold"
    assert (await create_fsm_mcp_bridge(Coffee, store=store).get_snapshot()).value == "ordering"


async def test_a_users_own_session_rule_that_fails_is_answered(caplog: pytest.LogCaptureFixture) -> None:
    def broken(ctx: CallContext) -> str:
        raise KeyError("no such table")

    bridge = create_fsm_mcp_bridge(Coffee, get_session_id=broken)

    with caplog.at_level(logging.CRITICAL, "fsmvoice"):
        assert await said(bridge, "coffee_status") == (
            "Sorry, something went wrong, and nothing was changed. Please try again."
        )


@pytest.mark.parametrize(
    ("given", "told"),
    [(5, "gave 5; it should return a string"), ({}, "gave {}"), (b"x", "gave b'x'"), (..., "is async")],
)
async def test_a_users_own_session_rule_that_gives_junk_is_named(
    given: Any, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def waiting(_ctx: CallContext) -> str:
        return "x"

    def giving(_ctx: CallContext) -> Any:
        return waiting(_ctx) if given is ... else given

    bridge = create_fsm_mcp_bridge(Coffee, get_session_id=giving)

    assert (await bridge.call("coffee_status")).structured["reason"] == "action-failed"
    assert f"get_session_id {told}" in caplog.text
    with pytest.raises(TypeError, match="get_session_id"):
        await bridge.get_snapshot()


async def test_a_context_that_is_none_is_the_programs_mistake_and_told(coffee: FsmMcpBridge) -> None:
    junk: Any = {"session_id": "x"}

    for call in (coffee.call("coffee_status", {}, junk), coffee.get_snapshot(junk), coffee.read("fsm://state", junk)):
        with pytest.raises(TypeError, match="ctx should be a CallContext, not dict"):
            await call


async def test_a_lost_session_is_an_error_of_the_python_calls_too() -> None:
    bridge = create_fsm_mcp_bridge(Coffee, handles=True)
    lost = CallContext(meta={"dev.fsmvoice/session": "lost"})

    for call in (bridge.get_snapshot(lost), bridge.reset(lost)):
        with pytest.raises(CallFailed, match="can't find that conversation") as caught:
            await call
        assert caught.value.reason == "session-not-found"
