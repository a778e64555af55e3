"""A session expires after its last commit, and a caller has only so many."""

from __future__ import annotations

import asyncio

import pytest

from fsmvoice.sessions.store import (
    Answer,
    LimitExceeded,
    Limits,
    StoreFull,
)
from tests.sessions.store_conformance.bench import Bench, commit, effects, overdue, revision


class ExpiryPromises:
    async def test_an_expired_session_is_no_more_and_is_known_to_have_been(self, bench: Bench) -> None:
        store = await bench.with_limits(Limits(ttl=100))
        await store.commit(commit("a", 0, None, run="first", timer_at=0, effects=effects("one"), services=("s",)))
        await store.commit(commit("used", 0, None))
        bench.advance(60)
        await store.commit(commit("used", 1, 0))
        bench.advance(60)

        assert await store.load("a") is None
        assert await store.expired("a")
        assert not await store.expired("used")
        assert not await store.expired("never")
        assert await store.commit(commit("a", 1, 0)) == "conflict"
        assert await overdue(store) == []
        assert [info.key for info in await store.list()] == ["used"]
        assert await revision(store, "used") == 1

    async def test_only_a_commit_prolongs_a_session(self, bench: Bench) -> None:
        store = await bench.with_limits(Limits(ttl=100))
        for key in ("read", "noted", "leased", "woken", "claimed", "committed"):
            await store.commit(commit(key, 0, None, timer_at=0, services=("s",), effects=effects(key)))
        bench.advance(60)
        await store.load("read", "r")
        await store.history("read")
        await store.note("noted", 0, 1, ("late",))
        lease = await store.lease("leased", "one", 1)
        assert lease is not None
        await store.release("leased", lease.fence)
        await overdue(store)
        await store.wake("woken", 1)
        await store.claim_service("claimed", "s", "one", 1)
        await store.claim_effect("claimed", "one", 1)
        await store.finish_effect("claimed", "id-claimed")
        await store.commit(commit("committed", 1, 0))
        bench.advance(60)
        assert [info.key for info in await store.list()] == ["committed"]

    async def test_nothing_of_an_expired_session_is_left_in_the_next_of_its_name(self, bench: Bench) -> None:
        store = await bench.with_limits(Limits(ttl=100))
        await store.commit(
            commit("a", 5, None, run="first", effects=effects("one"), services=("s",), answer=Answer("r", "", "x"))
        )
        bench.advance(200)

        assert await store.commit(commit("a", 0, None, run="second")) == "committed"
        stored = await store.load("a", "r")
        assert stored is not None
        assert (stored.revision, stored.run, stored.answer) == (0, "second", None)
        assert [past.event.seq for past in await store.history("a")] == [0]
        assert await store.claim_effect("a", "o", 10) is None
        assert await store.claim_service("a", "s", "o", 10) is None
        assert not await store.expired("a")

    async def test_what_has_long_expired_is_swept(self, bench: Bench) -> None:
        store = await bench.with_limits(Limits(ttl=100))
        for n in range(5):
            await store.commit(commit(f"s{n}", 0, None, effects=effects("one"), services=("s",)))
        bench.advance(100_000)
        await store.commit(commit("new", 0, None))

        while await store.sweep():
            pass

        assert await revision(store, "new") == 0
        assert await store.load("s0") is None

    async def test_a_caller_with_too_many_sessions_gets_no_more(self, bench: Bench) -> None:
        store = await bench.with_limits(Limits(sessions_per_caller=2, ttl=100))
        await store.commit(commit("a", 0, None, caller="alice"))
        await store.commit(commit("b", 0, None, caller="alice"))

        with pytest.raises(LimitExceeded):
            await store.commit(commit("c", 0, None, caller="alice"))
        assert await store.load("c") is None
        assert await store.commit(commit("d", 0, None, caller="bob")) == "committed"
        assert await store.commit(commit("e", 0, None)) == "committed"
        assert await store.commit(commit("a", 1, 0, caller="alice")) == "committed"
        await store.delete("b")
        assert await store.commit(commit("c", 0, None, caller="alice")) == "committed"
        bench.advance(200)
        assert await store.commit(commit("f", 0, None, caller="alice")) == "committed"

    async def test_a_refused_session_harms_no_other_commit(self, bench: Bench) -> None:
        store = await bench.with_limits(Limits(sessions_per_caller=1))
        await store.commit(commit("a", 0, None, caller="alice"))

        done = await asyncio.gather(
            store.commit(commit("b", 0, None, caller="alice")),
            store.commit(commit("c", 0, None)),
            store.commit(commit("a", 1, 0, caller="alice")),
            return_exceptions=True,
        )

        assert isinstance(done[0], StoreFull)
        assert list(done[1:]) == ["committed", "committed"]
