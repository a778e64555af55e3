"""A session is committed whole, once for each revision, and read back as it was."""

from __future__ import annotations

import asyncio
import json

import pytest

from fsmvoice.sessions.store import (
    Answer,
    Event,
)
from tests.sessions.store_conformance.bench import Bench, commit, effects, overdue, revision


class SessionPromises:
    async def test_what_was_committed_is_loaded(self, bench: Bench) -> None:
        assert await bench.store.load("a") is None
        assert await bench.store.commit(commit("a", 0, None, run="life", news=("hi",))) == "committed"

        for store in (bench.store, await bench.another()):
            stored = await store.load("a")
            assert stored is not None
            assert (stored.revision, stored.attempts, stored.news, stored.run) == (0, 0, ("hi",), "life")
            if store.instant:
                assert stored.state is not None
                assert stored.state.context == {"n": 0}
            else:
                assert stored.document is not None
                assert json.loads(stored.document) == {"n": 0}

    @pytest.mark.parametrize("expected", [None, 0, 2])
    async def test_a_commit_on_another_revision_changes_nothing(self, bench: Bench, expected: int | None) -> None:
        await bench.store.commit(commit("a", 1, None))

        late = commit("a", 9, expected, effects=effects("one"), answer=Answer("r", "", "no"), timer_at=0)

        assert await bench.store.commit(late) == "conflict"
        stored = await bench.store.load("a", "r")
        assert stored is not None
        assert (stored.revision, stored.answer) == (1, None)
        assert [past.event.seq for past in await bench.store.history("a")] == [1]
        assert await overdue(bench.store) == []

    async def test_a_commit_on_a_session_that_is_not_there_changes_nothing(self, bench: Bench) -> None:
        assert await bench.store.commit(commit("a", 1, 0)) == "conflict"
        assert await bench.store.load("a") is None
        assert list(await bench.store.history("a")) == []

    async def test_of_many_commits_on_one_revision_one_happens(self, bench: Bench) -> None:
        await bench.store.commit(commit("a", 0, None))
        stores = [bench.store, await bench.another()]

        done = await asyncio.gather(*(stores[n % 2].commit(commit("a", 1, 0)) for n in range(16)))

        assert sorted(done) == ["committed", *["conflict"] * 15]
        assert len(await bench.store.history("a")) == 2

    async def test_of_many_new_sessions_of_one_name_one_begins(self, bench: Bench) -> None:
        stores = [bench.store, await bench.another()]

        done = await asyncio.gather(*(stores[n % 2].commit(commit("a", 0, None)) for n in range(8)))

        assert done.count("committed") == 1

    async def test_sessions_keep_apart(self, bench: Bench) -> None:
        await asyncio.gather(*(bench.store.commit(commit(f"s{n}", n, None)) for n in range(20)))

        assert [await revision(bench.store, f"s{n}") for n in range(20)] == list(range(20))

    async def test_texts_come_back_as_they_were(self, bench: Bench) -> None:
        odd = "caf\u00e9 \U0001f600 \u2028 '\"; DROP TABLE sessions;--"
        event = Event(1, odd, {"a": odd}, [odd], odd, odd, odd, odd, odd)
        await bench.store.commit(commit("a", 0, None))
        await bench.store.commit(commit("a", 1, 0, events=(event,), answer=Answer(odd, odd, odd), news=(odd,)))

        stored = await bench.store.load("a", odd)
        assert stored is not None
        assert (stored.news, stored.answer) == ((odd,), Answer(odd, odd, odd))
        assert (await bench.store.history("a"))[-1].event == event

    async def test_a_deleted_session_is_gone_with_all_that_belongs_to_it(self, bench: Bench) -> None:
        await bench.store.commit(
            commit("a", 0, None, effects=effects("one"), services=("s",), timer_at=0, answer=Answer("r", "", "x"))
        )

        assert await bench.store.delete("a")
        assert not await bench.store.delete("a")
        assert await bench.store.load("a", "r") is None
        assert list(await bench.store.history("a")) == []
        assert await overdue(bench.store) == []
        assert await bench.store.claim_effect("a", "o", 10) is None
        assert await bench.store.commit(commit("a", 0, None)) == "committed"

    async def test_what_failed_and_what_nobody_heard_is_noted_without_a_revision(self, bench: Bench) -> None:
        await bench.store.commit(commit("a", 3, None))
        await bench.store.note("a", 3, 2, ("late",))
        await bench.store.note("a", 2, 9, ("never",))
        await bench.store.note("nobody", 0, 9, ())

        noted = await bench.store.load("a")
        await bench.store.commit(commit("a", 4, 3))
        after = await bench.store.load("a")

        assert noted is not None
        assert (noted.revision, noted.attempts, noted.news) == (3, 2, ("late",))
        assert after is not None
        assert (after.attempts, after.news) == (0, ())
        assert await bench.store.load("nobody") is None
