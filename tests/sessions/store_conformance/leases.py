"""One process at a time has the lease of a session."""

from __future__ import annotations

from tests.sessions.store_conformance.bench import Bench, commit, revision


class LeasePromises:
    async def test_one_process_at_a_time_has_the_lease(self, bench: Bench) -> None:
        other = await bench.another()
        await bench.store.commit(commit("a", 4, None))

        lease = await bench.store.lease("a", "one", 30)
        assert lease is not None
        assert lease.revision == 4
        assert await other.lease("a", "two", 30) is None
        assert await other.lease("a", "one", 30) is None

        await other.release("a", lease.fence + 7)
        assert await other.lease("a", "two", 30) is None
        await bench.store.release("a", lease.fence)
        later = await other.lease("a", "two", 30)
        assert later is not None
        assert later.fence > lease.fence

    async def test_nobody_else_commits_while_a_lease_lasts(self, bench: Bench) -> None:
        await bench.store.commit(commit("a", 0, None))
        lease = await bench.store.lease("a", "one", 30)
        assert lease is not None

        stored = await bench.store.load("a")
        assert stored is not None
        assert stored.leased_until > stored.now
        assert await bench.store.commit(commit("a", 1, 0)) == "leased"
        assert await bench.store.commit(commit("a", 1, 0, fence=lease.fence)) == "committed"

        stored = await bench.store.load("a")
        assert stored is not None
        assert stored.leased_until <= stored.now
        assert await bench.store.commit(commit("a", 2, 1)) == "committed"

    async def test_who_slept_through_its_lease_commits_nothing_once_another_had_it(self, bench: Bench) -> None:
        await bench.store.commit(commit("a", 0, None))
        slept = await bench.store.lease("a", "one", 10)
        bench.advance(20)
        taken = await bench.store.lease("a", "two", 10)
        assert slept is not None
        assert taken is not None

        assert await bench.store.commit(commit("a", 1, 0, fence=slept.fence)) == "conflict"
        assert await bench.store.commit(commit("a", 1, 0, fence=taken.fence)) == "committed"

    async def test_a_lease_that_ran_out_and_that_nobody_took_still_commits(self, bench: Bench) -> None:
        await bench.store.commit(commit("a", 0, None))
        lease = await bench.store.lease("a", "one", 10)
        bench.advance(20)
        assert lease is not None

        assert await bench.store.commit(commit("a", 1, 0, fence=lease.fence)) == "committed"

    async def test_a_session_that_is_yet_to_begin_can_be_leased(self, bench: Bench) -> None:
        lease = await bench.store.lease("new", "one", 30)
        assert lease is not None
        assert lease.revision is None
        assert await bench.store.lease("new", "two", 30) is None
        assert await bench.store.load("new") is None
        assert await bench.store.commit(commit("new", 0, None)) == "leased"
        assert await bench.store.commit(commit("new", 0, None, fence=lease.fence)) == "committed"
        assert await revision(bench.store, "new") == 0
