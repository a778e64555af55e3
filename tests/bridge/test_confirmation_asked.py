"""Where the client can ask its human, a yes is asked for during the call."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import pytest

from fsmvoice.bridge.bridge import create_fsm_mcp_bridge
from fsmvoice.bridge.client import Declined, Question
from tests.bridge.humans import NO, YES, Human
from tests.bridge.machines import Metronome
from tests.bridge.shop import DONE, UNCLEAR, cancelled, shop, token_of


@pytest.mark.parametrize("word", [True, "true", " Yes "])
async def test_a_human_who_says_yes_has_it_done(word: Any) -> None:
    bridge, human = shop(), Human({"confirm": word})

    reply = await bridge.call("shop_cancel", {}, None, human)

    assert reply.text == DONE
    (question,) = human.asked
    assert question.text == "Cancel your latte?"
    assert question.schema == {
        "type": "object",
        "properties": {"confirm": {"type": "boolean", "title": "Cancel the order"}},
        "required": ["confirm"],
    }


@pytest.mark.parametrize("answer", [NO, {"confirm": "no"}, Declined()])
async def test_a_human_who_does_not_want_it_is_left_alone(answer: Any) -> None:
    bridge = shop()

    reply = await bridge.call("shop_cancel", {}, None, Human(answer))

    assert reply.text == "Okay, I won't cancel the order. I changed nothing."
    assert (reply.structured["reason"], "confirm_token" in reply.structured) == ("refused", False)
    assert await cancelled(bridge) == 0


@pytest.mark.parametrize(
    "answer", [None, {}, {"confirm": "maybe"}, {"confirm": 1}, {"confirm": None}, {"confirm": ["yes"]}, {"yes": True}]
)
async def test_silence_and_nonsense_are_neither_yes_nor_no(answer: Any) -> None:
    bridge = shop()

    reply = await bridge.call("shop_cancel", {}, None, Human(answer))

    assert reply.text == f"{UNCLEAR} Cancel your latte?"
    assert reply.structured["question"] == "Cancel your latte?"
    assert await cancelled(bridge) == 0
    assert (await bridge.call("shop_cancel", {"confirm_token": token_of(reply)})).structured["ok"]


async def test_nothing_is_held_while_a_human_thinks_and_a_late_yes_is_asked_again() -> None:
    bridge = shop(tool_timeout=2)

    class Slow(Human):
        async def ask(self, question: Question) -> Mapping[str, Any] | None:
            if not self.asked:
                assert (await bridge.call("shop_change", {"drink": "tea"})).structured["ok"]
            return await super().ask(question)

    human = Slow(YES, YES)
    reply = await bridge.call("shop_cancel", {}, None, human)

    assert [question.text for question in human.asked] == ["Cancel your latte?", "Cancel your tea?"]
    assert reply.structured["ok"]
    assert await cancelled(bridge) == 1


async def test_a_question_that_never_rests_is_spoken_in_the_end() -> None:
    bridge = shop()

    class Restless(Human):
        async def ask(self, question: Question) -> Mapping[str, Any] | None:
            await bridge.call("shop_change", {"drink": f"tea {len(self.asked)}"})
            return await super().ask(question)

    human = Restless(*[YES] * 9)
    reply = await bridge.call("shop_cancel", {}, None, human)

    assert (reply.text, len(human.asked), await cancelled(bridge)) == ("Cancel your tea 2?", 3, 0)


async def test_a_human_is_asked_for_what_is_missing_and_then_for_a_yes() -> None:
    bridge, human = shop(), Human({"tip": 4}, YES)

    reply = await bridge.call("shop_pay", {}, None, human)

    assert [question.text for question in human.asked][1] == "Pay 3 and a tip of 4?"
    assert reply.structured["state"]["context"]["paid"] == 7


async def test_a_human_is_not_asked_for_what_a_token_says_already() -> None:
    bridge, human = shop(), Human()
    token = token_of(await bridge.call("shop_cancel"))

    assert (await bridge.call("shop_cancel", {"confirm_token": token}, None, human)).structured["ok"]
    assert human.asked == []


async def test_a_no_after_a_timer_says_that_something_has_changed() -> None:
    bridge = create_fsm_mcp_bridge(Metronome)
    await bridge.call("metronome_status")
    due = time.monotonic() + 0.005
    while time.monotonic() < due:  # nothing else runs, so that the timer waits for the call
        pass

    reply = await bridge.call("metronome_cancel", {}, None, Human(NO))

    assert (reply.text, reply.structured["changed"]) == ("Okay, I won't cancel the order. I changed nothing.", True)
    assert reply.structured["state"]["context"]["cancelled"] == 0
