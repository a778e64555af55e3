"""A session is overdue once its timer is, and is named to one process."""

from __future__ import annotations

from tests.sessions.store_conformance.bench import Bench, commit, overdue


class OverduePromises:
    async def test_a_session_is_overdue_once_its_timer_is_and_is_named_to_one(self, bench: Bench) -> None:
        other = await bench.another()
        now = await bench.store.now()
        await bench.store.commit(commit("a", 0, None, timer_at=now + 50_000))
        await bench.store.commit(commit("b", 0, None))

        early = await bench.store.overdue("m", 10, 30)
        bench.advance(60)
        named = [await store.overdue("m", 10, 30) for store in (bench.store, other)]
        elsewhere = await other.overdue("another machine", 10, 30)

        assert list(early.keys) == []
        assert early.next_in is not None
        assert 40_000 < early.next_in <= 50_000
        assert [list(found.keys) for found in named] == [["a"], []]
        assert (list(elsewhere.keys), elsewhere.next_in) == ([], None)
        bench.advance(40)
        assert await overdue(other) == ["a"]

    async def test_a_commit_sets_anew_when_a_session_is_overdue(self, bench: Bench) -> None:
        now = await bench.store.now()
        await bench.store.commit(commit("a", 0, None, timer_at=now))
        assert await overdue(bench.store) == ["a"]
        await bench.store.commit(commit("a", 1, 0, timer_at=now))
        assert await overdue(bench.store) == ["a"]
        await bench.store.commit(commit("a", 2, 1))
        bench.advance(1000)
        assert await overdue(bench.store) == []

    async def test_overdue_sessions_are_named_a_few_at_a_time(self, bench: Bench) -> None:
        now = await bench.store.now()
        for n in range(7):
            await bench.store.commit(commit(f"s{n}", 0, None, timer_at=now - n))

        found = [await bench.store.overdue("m", 3, 60) for _ in range(4)]

        assert [len(some.keys) for some in found] == [3, 3, 1, 0]
        assert len({key for some in found for key in some.keys}) == 7
        assert found[0].next_in == 0

    async def test_a_session_can_be_woken_later(self, bench: Bench) -> None:
        await bench.store.commit(commit("a", 0, None, timer_at=await bench.store.now()))
        assert await overdue(bench.store) == ["a"]
        await bench.store.wake("a", 2)
        assert await overdue(bench.store) == []
        bench.advance(3)
        assert await overdue(bench.store) == ["a"]

    async def test_a_session_that_has_nothing_to_do_is_not_woken(self, bench: Bench) -> None:
        await bench.store.commit(commit("a", 0, None))
        await bench.store.wake("a", 0)
        bench.advance(1)
        assert await overdue(bench.store) == []
