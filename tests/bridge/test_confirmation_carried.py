"""Where a human's answer comes with another call, it is bound to the question that it was given to."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.bridge.client import CONFIRM, Declined
from tests.bridge.humans import NO, YES, Asked, Later
from tests.bridge.shop import UNCLEAR, cancelled, shop


async def carried_by(bridge: FsmMcpBridge, name: str = "shop_cancel", arguments: Any = None) -> str:
    human = Later({}, None)
    human.answered(CONFIRM)
    with pytest.raises(Asked):
        await bridge.call(name, arguments, None, human)
    carry = human.asked[0].carry
    assert carry is not None
    return carry


async def test_the_answer_of_another_call_is_bound_to_the_question_it_was_given_to() -> None:
    bridge = shop()
    carry = await carried_by(bridge)

    assert (await bridge.call("shop_cancel", {}, None, Later(YES, carry))).structured["ok"]
    again = await bridge.call("shop_cancel", {}, None, Later(YES, carry))
    assert (again.structured["replayed"], await cancelled(bridge)) == (True, 1)


async def test_a_late_yes_of_another_call_is_asked_again() -> None:
    bridge = shop()
    carry = await carried_by(bridge)
    await bridge.call("shop_change", {"drink": "tea"})
    human = Later(YES, carry)

    with pytest.raises(Asked):
        await bridge.call("shop_cancel", {}, None, human)

    assert human.asked[0].text == "Cancel your tea?"
    assert (await bridge.call("shop_cancel", {}, None, Later(YES, human.asked[0].carry))).structured["ok"]


@pytest.mark.parametrize(
    "carry", [None, "", "x", "[]", '{"confirm": 5}', '{"given": 5, "confirm": null}', "{" * 20_000]
)
async def test_a_yes_to_no_question_is_none(carry: str | None) -> None:
    bridge = shop()

    reply = await bridge.call("shop_cancel", {}, None, Later(YES, carry))

    assert (reply.text, await cancelled(bridge)) == (f"{UNCLEAR} Cancel your latte?", 0)


@pytest.mark.parametrize("answer", [{}, {"confirm": "maybe"}, {"confirm": 1}])
async def test_nonsense_from_another_call_is_not_a_yes(answer: Any) -> None:
    bridge = shop()
    carry = await carried_by(bridge)

    reply = await bridge.call("shop_cancel", {}, None, Later(answer, carry))

    assert (reply.text, await cancelled(bridge)) == (f"{UNCLEAR} Cancel your latte?", 0)


async def test_a_no_from_another_call_ends_it() -> None:
    bridge = shop()
    carry = await carried_by(bridge)

    for answer in (NO, Declined()):
        reply = await bridge.call("shop_cancel", {}, None, Later(answer, carry))
        assert reply.text == "Okay, I won't cancel the order. I changed nothing."


async def test_what_a_human_filled_in_before_comes_back_with_the_answer_and_is_checked() -> None:
    bridge = shop()
    carry = json.loads(await carried_by(bridge, "shop_pay", {"tip": 4}))

    done = await bridge.call("shop_pay", {}, None, Later(YES, json.dumps({**carry, "given": {"tip": 4}})))
    assert done.structured["state"]["context"]["paid"] == 7
    bridge = shop()
    other = Later(YES, json.dumps({**carry, "given": {"tip": 400}}))
    with pytest.raises(Asked):
        await bridge.call("shop_pay", {}, None, other)
    assert other.asked[0].text == "Pay 3 and a tip of 400?"


@pytest.mark.parametrize(("pad", "paid"), [(0, 7), (11_000, 7), (300_000, 0)])
async def test_what_comes_back_may_be_as_long_as_what_was_filled_in(pad: int, paid: int) -> None:
    bridge = shop()
    carry = json.loads(await carried_by(bridge, "shop_pay", {"tip": 4}))

    await bridge.call("shop_pay", {"tip": 4}, None, Later(YES, json.dumps({**carry, "more": "x" * pad})))

    assert (await bridge.get_snapshot()).context.paid == paid
