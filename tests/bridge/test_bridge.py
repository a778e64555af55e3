"""Calls on a bridge: one reply in speech and data, whatever is sent and whatever the machine's code does."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fsmvoice.bridge.bridge import FsmMcpBridge, create_fsm_mcp_bridge
from fsmvoice.bridge.result import MAX_CONTEXT
from fsmvoice.bridge.spec import ToolReply
from fsmvoice.sessions.keys import CallContext
from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.open_store import open_store
from tests.bridge.machines import Coffee, Dice, Kettle, Slow
from tests.bridge.saying import said


@pytest.fixture
def slow() -> Iterator[type[Slow]]:
    Slow.mode, Slow.running = "boil", asyncio.Event()
    yield Slow
    Slow.mode = "boil"


async def test_a_coffee_is_ordered(coffee: FsmMcpBridge) -> None:
    assert await said(coffee, "coffee_status") == "You can order a drink. What would you like?"
    assert await said(coffee, "coffee_order", drink="latte") == "One medium latte. Shall I place it?"
    assert await said(coffee, "coffee_confirm") == "Brewing your latte now. Please wait a moment."
    assert await said(coffee, "coffee_cancel") == "Your latte is being made already. Please wait a moment."
    assert await said(coffee, "coffee_start_over") == "Okay, starting over. What would you like?"


async def test_a_result_holds_the_facts_of_its_text(coffee: FsmMcpBridge) -> None:
    reply = await coffee.call("coffee_order", {"drink": "latte"})

    assert reply == ToolReply(
        "One medium latte. Shall I place it?",
        {
            "ok": True,
            "say": "One medium latte. Shall I place it?",
            "changed": True,
            "state": {
                "value": "ordering",
                "context": {"drink": "latte", "size": "medium"},
                "availableEvents": ["CONFIRM", "CANCEL"],
                "blockedEvents": [],
                "done": False,
                "revision": 1,
            },
            "actions": [
                {"event": "CONFIRM", "label": "place the order", "tool": "coffee_confirm"},
                {"event": "CANCEL", "label": "cancel the order", "tool": "coffee_cancel"},
            ],
        },
    )


async def test_a_refusal_is_an_error_that_changed_nothing(coffee: FsmMcpBridge) -> None:
    reply = await coffee.call("coffee_confirm")

    assert reply.is_error
    assert reply.text == "You can't place the order right now. You can order a drink."
    assert (reply.structured["reason"], reply.structured["changed"]) == ("no-transition", False)
    assert reply.structured["state"]["revision"] == 0


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (None, "Which drink would you like: latte, espresso or flat white?"),
        ({"drink": None}, "Which drink would you like: latte, espresso or flat white?"),
        ({"drink": "tea"}, "Tea isn't one of the choices. Which drink would you like: latte, espresso or flat white?"),
        ({"drnk": "latte"}, "I don't know what drnk is. Did you mean the drink?"),
        (
            {"drink": "mocha"},
            "We are out of mocha. Which drink would you like: latte, espresso or flat white?",
        ),
        (
            {"drink": "latte", "size": 3},
            "I didn't understand the size. Which size would you like: small, medium or large?",
        ),
        ([], "Sorry, I didn't understand that, and nothing was changed."),
    ],
)
async def test_arguments_that_do_not_fit_are_asked_for(coffee: FsmMcpBridge, arguments: Any, text: str) -> None:
    reply = await coffee.call("coffee_order", arguments)

    assert (reply.text, reply.is_error) == (text, True)
    assert (await coffee.get_snapshot()).value == "idle"


async def test_arguments_are_not_asked_for_where_they_would_not_help(coffee: FsmMcpBridge) -> None:
    await coffee.call("coffee_order", {"drink": "latte"})

    reply = await coffee.call("coffee_order", {})

    assert reply.structured["reason"] == "no-transition"
    assert reply.text == "You can't order a drink right now. You can place the order or cancel the order."


@pytest.mark.parametrize("drink", ["LATTE", " latte ", "Latte"])
async def test_arguments_are_taken_as_clients_send_them(coffee: FsmMcpBridge, drink: str) -> None:
    assert await said(coffee, "coffee_order", drink=drink, size=None) == "One medium latte. Shall I place it?"


async def test_an_unknown_tool_is_refused_and_the_nearest_is_known(coffee: FsmMcpBridge) -> None:
    reply = await coffee.call("coffee_ordr", {})

    assert reply.is_error
    assert coffee.nearest_tool("coffee_ordr") == "coffee_order"
    assert coffee.nearest_tool("zzz") is None


async def test_a_hundred_calls_at_once_are_one_transition_and_ninety_nine_spoken_refusals(
    slow: type[Slow], caplog: pytest.LogCaptureFixture
) -> None:
    bridge = create_fsm_mcp_bridge(Kettle)

    replies = await asyncio.gather(*(bridge.call("kettle_boil") for _ in range(100)))

    assert [reply.is_error for reply in replies].count(False) == 1
    assert {reply.text for reply in replies if reply.is_error} <= {
        "You can't boil water right now. You can let it cool.",
        "You can't boil water right now. You can let it cool or start over.",
    }
    assert (await bridge.get_snapshot()).revision == 1
    assert caplog.records == []


@pytest.mark.parametrize(
    ("mode", "reason", "text"),
    [
        ("raise", "action-failed", "Sorry, something went wrong, and nothing was changed. Please try again."),
        ("refuse", "refused", "There is no water in the kettle. You can boil water."),
        ("hang", "action-timeout", "Sorry, that took too long, and nothing was changed. Please try again."),
    ],
)
async def test_an_action_that_fails_changes_nothing_and_the_next_call_works(
    slow: type[Slow], mode: str, reason: str, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    bridge = create_fsm_mcp_bridge(Kettle, tool_timeout=0.01)
    slow.mode = mode

    with caplog.at_level(logging.CRITICAL, "fsmvoice"):
        reply = await bridge.call("kettle_boil")

    assert (reply.text, reply.structured["reason"], reply.is_error) == (text, reason, True)
    assert reply.structured["state"]["context"] == {"degrees": 20}
    assert "socket" not in json.dumps(reply.structured)
    slow.mode = "boil"
    assert await said(bridge, "kettle_boil") == "The kettle is hot. You can let it cool."


async def test_a_cancelled_call_changes_nothing_and_the_next_call_works(slow: type[Slow]) -> None:
    bridge = create_fsm_mcp_bridge(Kettle)
    slow.mode = "hang"
    call = asyncio.create_task(bridge.call("kettle_boil"))
    await slow.running.wait()

    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

    slow.mode = "boil"
    assert await said(bridge, "kettle_status") == "The kettle is cold. You can boil water."
    assert await said(bridge, "kettle_boil") == "The kettle is hot. You can let it cool."


async def test_who_reads_during_an_async_action_sees_what_was_committed(slow: type[Slow]) -> None:
    bridge = create_fsm_mcp_bridge(Kettle)
    slow.mode = "hang"
    call = asyncio.create_task(bridge.call("kettle_boil"))
    await slow.running.wait()

    status = await bridge.call("kettle_status")
    state = json.loads(await bridge.read("fsm://state"))
    snapshot = await bridge.get_snapshot()

    assert status.structured["state"] == state
    assert state["context"] == {"degrees": 20}
    assert (snapshot.value, snapshot.context.degrees) == ("cold", 20)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


async def test_a_finished_machine_says_so_and_starts_over() -> None:
    bridge = create_fsm_mcp_bridge({"initial": "a", "states": {"a": {"on": {"GO": "b"}}, "b": {"type": "final"}}})

    assert await said(bridge, "go") == "Okay. We're finished here."
    assert await said(bridge, "go") == "We're finished here, so you can't go now. You can start over."
    assert await said(bridge, "status") == "We're finished here. You can start over."
    assert await said(bridge, "start_over") == "Okay, starting over. You can go."


async def test_a_machine_that_restarts_takes_the_event_that_a_new_one_would_take() -> None:
    bridge = create_fsm_mcp_bridge(Dice)

    assert await said(bridge, "dice_roll", n=3) == "You rolled a 3."
    assert await said(bridge, "dice_roll", n="4") == "You rolled a 4."
    assert await said(bridge, "dice_peek") == "We're finished here, so you can't peek now. You can start over."
    assert (
        await said(bridge, "dice_roll", n=7) == "7 isn't possible. What should the n be, as a whole number from 1 to 6?"
    )
    assert (await bridge.get_snapshot()).context == {"n": 4}


async def test_a_new_run_begins_in_one_commit_or_not_at_all() -> None:
    class Counting(MemoryStore):
        commits = 0

        async def commit(self, *given: Any, **options: Any) -> Any:
            self.commits += 1
            return await super().commit(*given, **options)

    store = Counting()
    bridge, heard = create_fsm_mcp_bridge(Dice, store=store), list[int]()
    await said(bridge, "dice_roll", n=3)
    await bridge.watch("fsm://state", lambda: heard.append(1))
    before = store.commits

    assert await said(bridge, "dice_peek") == "We're finished here, so you can't peek now. You can start over."
    assert (store.commits, heard) == (before, [])
    again = CallContext(meta={"dev.fsmvoice/request-id": "r"})
    rolled = await bridge.call("dice_roll", {"n": 4}, again)
    repeated = await bridge.call("dice_roll", {"n": 4}, again)

    assert (rolled.text, repeated.structured["replayed"]) == ("You rolled a 4.", True)
    assert (store.commits, heard) == (before + 1, [1])


async def test_reset_is_what_start_over_does(coffee: FsmMcpBridge) -> None:
    await coffee.call("coffee_order", {"drink": "latte"})

    outcome = await coffee.reset()

    assert outcome.say == "Okay, starting over. What would you like?"
    assert (await coffee.get_snapshot()).value == "idle"


async def test_describe_state_takes_the_place_of_prompts() -> None:
    bridge = create_fsm_mcp_bridge(Coffee, describe_state=lambda snapshot: f"You have {snapshot.context.drink}.")

    assert await said(bridge, "coffee_order", drink="latte") == (
        "You have latte. You can place the order or cancel the order."
    )


async def test_private_fields_never_leave(coffee: FsmMcpBridge) -> None:
    ordered = await coffee.call("coffee_order", {"drink": "latte"})

    for text in (json.dumps(ordered.structured), await coffee.read("fsm://state"), await coffee.read("fsm://config")):
        assert "card" not in text
        assert "4111" not in text


async def test_a_long_context_is_cut_and_says_so() -> None:
    bridge = create_fsm_mcp_bridge(
        {"initial": "a", "context": {"long": "x" * MAX_CONTEXT, "short": 1}, "states": {"a": {}}}
    )

    state = (await bridge.call("status")).structured["state"]

    assert state["context"] == {"short": 1}
    assert state["truncated"] is True
    assert json.loads(await bridge.read("fsm://state")) == state


IDS = re.compile(r"ORDER|CONFIRM|CANCEL|READY|coffee_|ordering|Traceback|\w_\w|[{}<>*`]")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["order", "confirm", "cancel", "status", "start_over"]),
            st.fixed_dictionaries({}, optional={"drink": st.sampled_from(["latte", "mocha"]) | JSON, "x": JSON}) | JSON,
        ),
        max_size=6,
    )
)
def test_whatever_is_sent_the_answer_is_speech_and_agrees_with_its_data(calls: list[tuple[str, Any]]) -> None:
    async def talk() -> None:
        bridge = create_fsm_mcp_bridge(Coffee)
        revision = 0
        for tool, arguments in calls:
            reply = await bridge.call(f"coffee_{tool}", arguments)
            data = reply.structured
            assert reply.text
            assert reply.text == data["say"]
            assert not IDS.search(reply.text)
            assert reply.is_error == (not data["ok"]) == ("reason" in data)
            json.dumps(data).encode()
            after = (await bridge.get_snapshot()).revision
            assert data["changed"] == (after > revision)
            assert reply.text.count("?") <= 1 or "isn't one of" in reply.text or "don't know what" in reply.text
            revision = after

    asyncio.run(talk())


def test_a_store_that_is_not_open_is_reported() -> None:
    for store in ("sqlite:///sessions.db", open_store("memory:")):
        given_store: Any = store
        with pytest.raises(TypeError, match=r"give an open one: store=await open_store\("):
            create_fsm_mcp_bridge(Coffee, store=given_store)
