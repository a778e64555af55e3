"""Whoever waits for a turn and gives up leaves the queue to the others, whenever that happens."""

from __future__ import annotations

import asyncio

import pytest

from fsmvoice.engine.turns import Turns


async def test_a_waiter_that_is_cancelled_just_before_a_hand_over_leaves_quietly() -> None:
    turns, given_back = Turns(), list[str]()
    first = asyncio.ensure_future(turns.wait(lambda: given_back.append("first")))
    second = asyncio.ensure_future(turns.wait(lambda: given_back.append("second")))
    await asyncio.sleep(0)
    first.cancel()
    assert turns.hand_over()
    with pytest.raises(asyncio.CancelledError):
        await first
    await second
    assert (given_back, turns.hand_over()) == ([], False)


async def test_a_turn_handed_over_at_the_moment_of_a_cancellation_is_given_back() -> None:
    turns, given_back = Turns(), list[str]()
    waiter = asyncio.ensure_future(turns.wait(lambda: given_back.append("it")))
    await asyncio.sleep(0)
    assert turns.hand_over()
    waiter.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiter
    assert given_back == ["it"]
