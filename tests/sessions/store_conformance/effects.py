"""Effects go out in order, at least once."""

from __future__ import annotations

from fsmvoice.sessions.store import (
    Outgoing,
)
from tests.sessions.store_conformance.bench import Bench, commit, effects, overdue


class EffectPromises:
    async def test_effects_go_out_one_after_the_other(self, bench: Bench) -> None:
        other = await bench.another()
        await bench.store.commit(commit("a", 0, None, effects=effects("one", "two")))
        await bench.store.commit(commit("a", 1, 0, effects=effects("three")))
        assert await overdue(other) == ["a"]

        first = await other.claim_effect("a", "o", 30)
        assert first == Outgoing("id-one", "one", '{"to": "x"}', 1)
        assert await bench.store.claim_effect("a", "p", 30) is None
        await other.finish_effect("a", "id-one")
        second = await bench.store.claim_effect("a", "o", 30)
        assert second is not None
        assert second.name == "two"
        await bench.store.finish_effect("a", "id-two")
        third = await bench.store.claim_effect("a", "o", 30)
        assert third is not None
        assert third.name == "three"
        await bench.store.finish_effect("a", "id-three")
        assert await bench.store.claim_effect("a", "o", 30) is None
        bench.advance(1000)
        assert await overdue(other) == []

    async def test_an_effect_whose_process_died_is_run_again(self, bench: Bench) -> None:
        await bench.store.commit(commit("a", 0, None, effects=effects("one")))
        await bench.store.claim_effect("a", "o", 30)
        assert await overdue(bench.store) == []
        bench.advance(40)
        assert await overdue(bench.store) == ["a"]
        again = await bench.store.claim_effect("a", "p", 30)
        assert again is not None
        assert (again.id, again.attempt) == ("id-one", 2)

    async def test_an_effect_that_failed_is_due_later(self, bench: Bench) -> None:
        await bench.store.commit(commit("a", 0, None, effects=effects("one", "two")))
        await bench.store.claim_effect("a", "o", 30)
        await bench.store.retry_effect("a", "id-one", 1, 60, "no network")
        assert await bench.store.claim_effect("a", "o", 30) is None
        bench.advance(40)
        assert await overdue(bench.store) == []
        bench.advance(30)
        again = await bench.store.claim_effect("a", "o", 30)
        assert again is not None
        assert again.attempt == 2
        await bench.store.retry_effect("a", "id-one", 1, 0, "a late word of the first attempt")
        assert await bench.store.claim_effect("a", "o", 30) is None

    async def test_an_effect_that_is_given_up_goes_to_the_dead_letters_with_a_commit(self, bench: Bench) -> None:
        await bench.store.commit(commit("a", 0, None, effects=effects("one", "two")))
        await bench.store.claim_effect("a", "o", 30)
        assert await bench.store.commit(commit("a", 1, 0, ends="id-one")) == "committed"

        following = await bench.store.claim_effect("a", "o", 30)
        assert following is not None
        assert following.name == "two"
        (info,) = await bench.store.list()
        assert (info.outgoing, info.dead) == (1, 1)
