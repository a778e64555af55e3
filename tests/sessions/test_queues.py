"""Calls on one session take turns, first come first served."""

from __future__ import annotations

import asyncio

import pytest

from fsmvoice.sessions.queues import MOST_WAITING, Busy, Queues


async def test_turns_come_in_the_order_of_the_calls_and_one_at_a_time() -> None:
    queues, log = Queues(), list[str]()

    async def call(number: int) -> None:
        async with queues.turn("a", 60):
            log.append(f"in {number}")
            await asyncio.sleep(0)
            log.append(f"out {number}")

    await asyncio.gather(*(call(number) for number in range(5)))

    assert log == [f"{what} {number}" for number in range(5) for what in ("in", "out")]


async def test_sessions_do_not_wait_for_each_other() -> None:
    queues = Queues()

    async with queues.turn("a", 0), queues.turn("b", 0):
        assert len(queues) == 2


async def test_a_queue_nobody_stands_in_is_gone() -> None:
    queues = Queues()

    async with queues.turn("a", 60):
        waiting = asyncio.create_task(_pass(queues))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    assert len(queues) == 0


async def _pass(queues: Queues) -> None:
    async with queues.turn("a", 60):
        pass


async def test_who_waits_too_long_is_told_that_it_is_busy() -> None:
    queues = Queues()

    async with queues.turn("a", 60):
        with pytest.raises(Busy):
            async with queues.turn("a", 0):
                pass

    async with queues.turn("a", 0):
        pass
    assert len(queues) == 0


async def test_who_is_cancelled_as_the_turn_comes_hands_it_on() -> None:
    queues = Queues()
    assert queues.take("a")
    first, second = asyncio.create_task(_pass(queues)), asyncio.create_task(_pass(queues))
    await asyncio.sleep(0)

    queues.leave("a")
    first.cancel()
    await asyncio.wait((first, second))

    assert first.cancelled()
    assert not second.cancelled()
    assert len(queues) == 0


async def test_who_was_cancelled_before_the_turn_came_is_passed_over() -> None:
    queues = Queues()
    assert queues.take("a")
    first, second = asyncio.create_task(_pass(queues)), asyncio.create_task(_pass(queues))
    await asyncio.sleep(0)

    first.cancel()
    queues.leave("a")
    await asyncio.wait((first, second))

    assert first.cancelled()
    assert not second.cancelled()
    assert len(queues) == 0


async def test_where_too_many_wait_no_more_are_taken() -> None:
    queues = Queues()
    assert queues.take("a")
    waiting = [asyncio.create_task(_pass(queues)) for _ in range(MOST_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(Busy):
        await queues.wait("a", 10)
    assert queues.take("b")
    queues.leave("b")
    queues.leave("a")
    await asyncio.gather(*waiting)
    assert len(queues) == 0
