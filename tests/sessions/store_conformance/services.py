"""A service is taken over when its owner is gone."""

from __future__ import annotations

import asyncio

from tests.sessions.store_conformance.bench import DAY, Bench, commit, overdue


class ServicePromises:
    async def test_a_service_whose_owner_is_gone_is_taken_over_by_one(self, bench: Bench) -> None:
        other = await bench.another()
        await bench.store.commit(commit("a", 0, None, services=("s",), owner="one", seconds=30))
        assert await other.claim_service("a", "s", "two", 30) is None
        assert await overdue(other) == []

        bench.advance(20)
        lost = await bench.store.keep_services("one", [("a", "s"), ("a", "unknown"), ("nobody", "s")], 30)
        assert list(lost) == [("a", "unknown"), ("nobody", "s")]
        bench.advance(20)
        assert await overdue(other) == []
        bench.advance(20)
        assert await overdue(other) == ["a"]
        claims = await asyncio.gather(*(store.claim_service("a", "s", "two", 30) for store in (bench.store, other)))

        assert sorted(claims, key=str) == [2, None]
        assert list(await bench.store.keep_services("one", [("a", "s")], 1000)) == [("a", "s")]
        bench.advance(40)
        assert await bench.store.claim_service("a", "s", "three", 30) == 3
        bench.advance(DAY)
        assert list(await bench.store.keep_services("three", [("a", "s")], 30)) == [("a", "s")], "it has expired"

    async def test_a_service_is_kept_as_long_as_commits_name_it(self, bench: Bench) -> None:
        await bench.store.commit(commit("a", 0, None, services=("s",), owner="one", seconds=10))
        await bench.store.commit(commit("a", 1, 0, services=("s", "t"), owner="two", seconds=50))
        bench.advance(20)
        assert await bench.store.claim_service("a", "s", "three", 10) == 2
        assert await bench.store.claim_service("a", "t", "three", 10) is None
        await bench.store.commit(commit("a", 2, 1, services=("t",)))
        bench.advance(100)
        assert await bench.store.claim_service("a", "s", "four", 10) is None

    async def test_services_that_are_given_up_can_be_taken_over_at_once(self, bench: Bench) -> None:
        await bench.store.commit(commit("a", 0, None, services=("s",), owner="one", seconds=30))
        await bench.store.give_up_services("two", [("a", "s")])
        assert await overdue(bench.store) == []
        await bench.store.give_up_services("one", [("a", "s")])
        assert await overdue(bench.store) == ["a"]
        assert await bench.store.claim_service("a", "s", "two", 30) == 2
