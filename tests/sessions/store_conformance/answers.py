"""Answers are kept for those who ask again, and the history for those who look back."""

from __future__ import annotations

from fsmvoice.sessions.store import (
    ANSWERS_KEPT_FOR,
    ANSWERS_KEPT_OVER,
    Answer,
    Event,
    Limits,
)
from tests.sessions.store_conformance.bench import DAY, Bench, commit


class AnswerPromises:
    async def test_an_answer_is_kept_with_its_event_and_replaced_by_a_later_one(self, bench: Bench) -> None:
        mine = Event(1, "GO", "a", "b", "r")
        await bench.store.commit(commit("a", 0, None))
        await bench.store.commit(commit("a", 1, 0, events=(mine,), answer=Answer("r", "sent", "wait")))
        await bench.store.commit(commit("a", 2, 1, answer=Answer("r", "sent", "it is there")))

        stored = await (await bench.another()).load("a", "r")
        assert stored is not None
        assert stored.answer == Answer("r", "sent", "it is there")
        other = await bench.store.load("a", "another")
        assert other is not None
        assert other.answer is None
        assert [(past.event.seq, past.say) for past in await bench.store.history("a")] == [
            (0, None),
            (1, "it is there"),
            (2, None),
        ]

    async def test_an_answer_is_forgotten_after_a_day(self, bench: Bench) -> None:
        store = await bench.with_limits(Limits(ttl=10 * DAY))
        await store.commit(commit("a", 0, None, answer=Answer("r", "", "x")))

        bench.advance(ANSWERS_KEPT_FOR - 10)
        stored = await store.load("a", "r")
        assert stored is not None
        assert stored.answer is not None

        bench.advance(20)
        stored = await store.load("a", "r")
        assert stored is not None
        assert stored.answer is None

    async def test_an_answer_is_forgotten_after_a_thousand_events(self, bench: Bench) -> None:
        await bench.store.commit(commit("a", 0, None))
        await bench.store.commit(commit("a", 1, 0, answer=Answer("one", "", "x")))
        await bench.store.commit(commit("a", 2, 1, answer=Answer("two", "", "y")))
        await bench.store.commit(commit("a", ANSWERS_KEPT_OVER + 1, 2))

        found = [await bench.store.load("a", name) for name in ("one", "two")]
        assert [None if stored is None else stored.answer for stored in found] == [None, Answer("two", "", "y")]

    async def test_the_history_says_what_happened_and_when(self, bench: Bench) -> None:
        before = await bench.store.now()
        full = Event(1, "ORDER", "idle", {"on": "x"}, "r", "who", "2", "hash", '{"n": 1}')
        await bench.store.commit(commit("a", 0, None))
        await bench.store.commit(commit("a", 2, 0, events=(full, Event(2, "NEXT", "x", "y"))))

        history = await bench.store.history("a")
        assert [past.event for past in history] == [Event(0, "GO", "a", "b"), full, Event(2, "NEXT", "x", "y")]
        assert all(before <= past.at <= before + 60_000 for past in history)
        assert [past.event.seq for past in await bench.store.history("a", limit=2)] == [1, 2]

    async def test_a_history_that_is_too_long_loses_its_oldest_events(self, bench: Bench) -> None:
        store = await bench.with_limits(Limits(history=3))
        await store.commit(commit("a", 0, None))
        for seq in range(1, 8):
            await store.commit(commit("a", seq, seq - 1))

        assert [past.event.seq for past in await store.history("a")] == [5, 6, 7]
