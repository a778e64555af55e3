"""What a bridge does for the program that calls: asks, tells progress, repeats, and lets it watch."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from fsmvoice.bridge.bridge import create_fsm_mcp_bridge
from fsmvoice.bridge.client import Declined, Question
from fsmvoice.bridge.spec import UnknownResource
from fsmvoice.sessions.keys import CallContext
from fsmvoice.sessions.meta import EXPECTED_REVISION_META, REQUEST_ID_META
from tests.bridge.machines import Coffee, Kettle, Slow


class Screen:
    """A client whose human answers as set, and which counts what it was told."""

    def __init__(self, answers: Mapping[str, Any] | None = None, *, every: float | None = None) -> None:
        self.answers, self.progress_every = answers, every
        self.can_ask = True
        self.carried: str | None = None
        self.declines = self.breaks = False
        self.asked: list[Question] = []
        self.told: list[str] = []
        self.heard = asyncio.Event()

    def answered(self, name: str) -> Mapping[str, Any] | None:
        return None

    async def ask(self, question: Question) -> Mapping[str, Any] | None:
        self.asked.append(question)
        if self.declines:
            raise Declined
        return self.answers

    async def report(self, count: int, say: str) -> None:
        self.told.append(say)
        self.heard.set()
        if self.breaks:
            raise OSError("the client is gone")


async def test_a_human_who_answers_saves_the_caller_a_question() -> None:
    screen = Screen({"drink": "latte"})

    reply = await create_fsm_mcp_bridge(Coffee).call("coffee_order", {}, None, screen)

    assert reply.text == "One medium latte. Shall I place it?"
    assert screen.asked[0].text == "Which drink would you like: latte, espresso or flat white?"


async def test_a_human_is_asked_once() -> None:
    screen = Screen({"drink": "tea"})

    reply = await create_fsm_mcp_bridge(Coffee).call("coffee_order", {}, None, screen)

    assert reply.text.startswith("Tea isn't one of the choices.")
    assert len(screen.asked) == 1


async def test_a_human_who_declines_is_not_a_failure_of_the_callers() -> None:
    bridge, screen = create_fsm_mcp_bridge(Coffee), Screen()
    screen.declines = True

    reply = await bridge.call("coffee_order", {}, None, screen)

    assert (reply.text, reply.is_error) == ("Okay, I won't order a drink. I changed nothing.", True)


@pytest.mark.parametrize(("can_ask", "asked"), [(True, 1), (False, 0)])
async def test_where_nobody_can_be_asked_the_question_is_spoken(can_ask: bool, asked: int) -> None:
    screen = Screen(None)
    screen.can_ask = can_ask

    reply = await create_fsm_mcp_bridge(Coffee).call("coffee_order", {}, None, screen)

    assert reply.text == "Which drink would you like: latte, espresso or flat white?"
    assert len(screen.asked) == asked


@pytest.mark.parametrize("breaks", [False, True])
async def test_progress_is_told_while_it_takes_long_and_harms_nothing(
    breaks: bool, caplog: pytest.LogCaptureFixture
) -> None:
    Slow.mode, Slow.running = "hang", asyncio.Event()
    bridge, screen = create_fsm_mcp_bridge(Kettle, tool_timeout=0.2), Screen(every=0.001)
    screen.breaks = breaks
    call = asyncio.create_task(bridge.call("kettle_boil", {}, None, screen))
    await screen.heard.wait()
    Slow.mode = "boil"

    reply = await call

    assert reply.structured["reason"] == "action-timeout"
    assert set(screen.told) == {"Please wait a moment."}
    assert ("the client is gone" in caplog.text) is breaks
    assert (len(screen.told) == 1) or not breaks


async def test_a_request_is_done_once_and_said_again() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    ctx = CallContext(meta={REQUEST_ID_META: "r"})

    first = await bridge.call("coffee_order", {"drink": "latte"}, ctx)
    await bridge.call("coffee_confirm")
    again = await bridge.call("coffee_order", {"drink": "latte"}, ctx)
    other = await bridge.call("coffee_order", {"drink": "espresso"}, ctx)

    assert again.text == first.text
    assert (again.structured["ok"], again.structured["changed"], again.structured["replayed"]) == (True, False, True)
    assert again.structured["state"]["value"] == "brewing"
    assert (other.structured["reason"], other.structured["changed"]) == ("request-id-reused", False)
    assert "replayed" not in first.structured


async def test_a_refused_request_may_be_sent_again_differently() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)
    ctx = CallContext(meta={REQUEST_ID_META: "r"})

    assert (await bridge.call("coffee_order", {"drink": "tea"}, ctx)).is_error
    assert not (await bridge.call("coffee_order", {"drink": "latte"}, ctx)).is_error


async def test_nothing_is_done_at_another_revision() -> None:
    bridge = create_fsm_mcp_bridge(Coffee)

    reply = await bridge.call("coffee_order", {"drink": "latte"}, CallContext(meta={EXPECTED_REVISION_META: 4}))

    assert (reply.structured["reason"], reply.structured["state"]["revision"]) == ("version-conflict", 0)


async def test_a_resource_is_watched_by_those_who_may_read_it() -> None:
    bridge, changes = create_fsm_mcp_bridge(Coffee, handles=True), list[str]()
    ann, bob = CallContext(principal="ann"), CallContext(principal="bob")
    session = (await bridge.call("coffee_start_session", {}, ann)).structured["session"]
    uri = f"fsm://sessions/{session}/state"

    end = await bridge.watch(uri, lambda: changes.append("session"), ann)
    await bridge.watch("fsm://state", lambda: changes.append("own"), bob)
    await bridge.watch("fsm://config", lambda: changes.append("config"), bob)
    for unknown in (uri, "fsm://nothing"):
        with pytest.raises(UnknownResource):
            await bridge.watch(unknown, lambda: changes.append("stolen"), bob)

    await bridge.call("coffee_order", {"drink": "latte", "session": session}, ann)
    await bridge.call("coffee_order", {"drink": "latte"}, bob)
    end()
    await bridge.call("coffee_start_over", {"session": session}, ann)

    assert changes == ["session", "own"]
