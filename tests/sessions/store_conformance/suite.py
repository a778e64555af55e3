"""What every store promises. Each store's own test file inherits `StoreConformance` and gives it a bench."""

from __future__ import annotations

import asyncio
import json
import time

import pytest

from fsmvoice.sessions.store import (
    ANSWERS_KEPT_FOR,
    ANSWERS_KEPT_OVER,
    Answer,
    EffectCall,
    Event,
    LimitExceeded,
    Limits,
    Outgoing,
    SessionStore,
    StoreFull,
)
from tests.sessions.store_conformance.bench import Bench, commit, revision

DAY = 86400


def effects(*names: str) -> tuple[EffectCall, ...]:
    return tuple(EffectCall(f"id-{name}", name, '{"to": "x"}') for name in names)


async def overdue(store: SessionStore) -> list[str]:
    return list((await store.overdue("m", 10, 10)).keys)


class StoreConformance:
    """Override the fixture `bench`."""

    # -- sessions ------------------------------------------------------------------------------------------------

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

    # -- answers and history ---------------------------------------------------------------------------------------

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

    # -- expiry and limits -------------------------------------------------------------------------------------------

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

    # -- leases --------------------------------------------------------------------------------------------------------

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

    # -- what a session does by itself ---------------------------------------------------------------------------------

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

    # -- around the sessions ------------------------------------------------------------------------------------------

    async def test_the_sealing_keys_are_made_once(self, bench: Bench) -> None:
        other = await bench.another()
        found = await asyncio.gather(*(store.keys() for store in (bench.store, other, bench.store)))

        assert [list(keys) for keys in found] == [list(found[0])] * 3
        assert [len(key) for key in found[0]] == [32]

    async def test_every_listener_hears_of_every_process(self, bench: Bench) -> None:
        other, heard = await bench.another(), asyncio.Queue[tuple[str, int]]()
        end = bench.store.subscribe(lambda key, revision: heard.put_nowait((key, revision)))
        await bench.store.commit(commit("a", 0, None))
        async with asyncio.timeout(10):
            assert await heard.get() == ("a", 0)
            await other.commit(commit("b", 3, None))
            assert await heard.get() == ("b", 3)
        end()
        end()
        await bench.store.commit(commit("a", 1, 0))
        await asyncio.sleep(0)
        assert heard.empty()

    async def test_a_listener_hears_of_no_commit_that_did_not_happen(self, bench: Bench) -> None:
        heard = list[tuple[str, int]]()
        await bench.store.commit(commit("a", 0, None))
        end = bench.store.subscribe(lambda key, revision: heard.append((key, revision)))
        await bench.store.commit(commit("a", 5, 4))
        await bench.store.note("a", 0, 1, ())
        await asyncio.sleep(0.05)
        end()
        assert heard == []

    async def test_sessions_are_listed_by_key(self, bench: Bench) -> None:
        now = await bench.store.now()
        for key in ("c", "a", "b"):
            await bench.store.commit(commit(key, 0, None, caller="who"))
        await bench.store.commit(commit("b", 1, 0, caller="who", timer_at=now + 5000))

        listed = await bench.store.list()
        assert [(info.key, info.machine, info.revision, info.caller) for info in listed] == [
            ("a", "m", 0, "who"),
            ("b", "m", 1, "who"),
            ("c", "m", 0, "who"),
        ]
        assert [info.wake_at for info in listed] == [None, pytest.approx(now + 5000, abs=1), None]
        assert all(info.created <= info.changed < info.expires for info in listed)
        assert [info.key for info in await bench.store.list(limit=1, after="a")] == ["b"]

    async def test_the_clock_tells_the_time(self, bench: Bench) -> None:
        now = await bench.store.now()
        assert now == pytest.approx(time.time() * 1000, abs=60_000)
        bench.advance(100)
        assert await (await bench.another()).now() == pytest.approx(now + 100_000, abs=30_000)
        await bench.store.commit(commit("a", 0, None))
        stored = await bench.store.load("a")
        assert stored is not None
        assert stored.now <= await bench.store.now()

    async def test_a_store_that_is_there_says_so(self, bench: Bench) -> None:
        await bench.store.check()

    async def test_closing_twice_is_not_an_error(self, bench: Bench) -> None:
        other = await bench.another()
        if other is not bench.store:
            await other.aclose()
            await other.aclose()
        assert await bench.store.load("a") is None
