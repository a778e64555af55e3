"""The contract of docs/guarantees.md, clause by clause, on every store; on PostgreSQL among the slower proofs.

Delays (C7), versions (C8) and expiry (C10) have files of their own.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from fsmvoice import State, VoiceMachine, effect, invoke, on_enter, transition
from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.outcome import Outcome
from fsmvoice.sessions.keys import CallContext, SessionNotFound, handle_key, new_handle, session_key
from fsmvoice.sessions.request import Request
from tests.sessions.benches import LOCAL, Stores, fire, shared_stores, stores, until, value
from tests.sessions.till import Shop, Till, fresh

__all__ = ["fresh", "shared_stores", "stores"]


# -- C1 --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amount", "reason"),
    [("refuse", "refused"), ("raise", "action-failed"), ("odd", "action-failed"), ("slow", "action-timeout")],
)
async def test_c1_atomic_a_call_that_fails_changes_nothing(
    stores: Stores, amount: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    sessions = stores.sessions(Till.chart, timeout=0.2)
    await fire(sessions, "QUICK")
    before = await sessions.store.load(LOCAL.storage)

    with caplog.at_level(logging.CRITICAL, "fsmvoice"):
        turn = await fire(sessions, "PAY", "r", amount=amount)

    assert turn.reason == reason
    after_it = await sessions.store.load(LOCAL.storage, "r")
    assert before is not None
    assert after_it is not None
    assert (after_it.revision, after_it.answer, after_it.document) == (before.revision, None, before.document)
    assert after_it.state == before.state
    assert [past.event.name for past in await sessions.store.history(LOCAL.storage)] == ["xstate.init", "QUICK"]
    assert Till.effects == []


async def test_c1_atomic_a_cancelled_call_changes_nothing_and_leaves_no_lease(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    await fire(sessions, "QUICK")
    call = asyncio.create_task(fire(sessions, "PAY", amount="slow"))
    await Till.running.wait()

    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

    assert (await fire(stores.sessions(Till.chart, timeout=2), "QUICK")).reason is None
    assert await value(sessions) == "idle"


async def test_c1_atomic_all_that_a_call_did_is_committed_together(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    await fire(sessions, "PAY", "r")

    (info,) = await sessions.store.list()
    stored = await sessions.store.load(LOCAL.storage, "r")
    assert stored is not None
    assert stored.answer is not None
    assert info.revision == 1
    assert info.wake_at is not None
    assert [past.event.request_id for past in await sessions.store.history(LOCAL.storage)] == [None, "r"]
    await until(lambda: len(Till.effects) == 1)


# -- C2 --------------------------------------------------------------------------------------------------------------


async def test_c2_durable_what_was_answered_is_there_for_the_next_process(shared_stores: Stores) -> None:
    first = shared_stores.sessions(Till.chart)
    await fire(first, "PAY", "r")
    await first.aclose(grace=0)
    await first.store.aclose()

    again = shared_stores.sessions(Till.chart)
    assert await value(again) == "paying"
    assert (await fire(again, "PAY", "r")).replayed is not None


# -- C3 --------------------------------------------------------------------------------------------------------------


async def test_c3_order_transitions_are_numbered_without_gaps_whoever_makes_them(stores: Stores) -> None:
    processes = [stores.sessions(Till.chart), stores.sessions(Till.chart)]

    turns = await asyncio.gather(*(fire(processes[n % 2], "QUICK") for n in range(20)))

    assert {turn.reason for turn in turns} == {None}
    revisions = sorted(turn.outcome.snapshot.revision for turn in turns if turn.outcome is not None)
    assert revisions == list(range(1, 21))
    history = await processes[0].store.history(LOCAL.storage)
    assert [past.event.seq for past in history] == list(range(21))


async def test_c3_order_an_expected_revision_that_is_not_there_is_a_conflict(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    await fire(sessions, "QUICK")

    async def quick(actor: FsmActor[Any]) -> Outcome[Any]:
        return await actor.fire("QUICK", {})

    assert (await sessions.take_turn(LOCAL, quick, Request(expected=0))).reason == "version-conflict"
    assert (await sessions.take_turn(LOCAL, quick, Request(expected=1))).reason is None


# -- C4 --------------------------------------------------------------------------------------------------------------


async def test_c4_idempotent_one_of_32_identical_calls_over_two_processes_is_done(stores: Stores) -> None:
    processes = [stores.sessions(Till.chart), stores.sessions(Till.chart)]

    for number in range(3):
        turns = await asyncio.gather(*(fire(processes[n % 2], "QUICK", f"r{number}") for n in range(32)))
        assert sum(turn.replayed is not None for turn in turns) == 31
        assert len({turn.replayed or turn.said for turn in turns}) == 1
    assert (await processes[0].look(LOCAL)).revision == 3


async def test_c4_idempotent_other_arguments_and_refusals(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    assert (await fire(sessions, "DONE", "r")).reason == "no-transition"
    assert (await fire(sessions, "QUICK", "r")).reason is None
    assert (await fire(sessions, "PAY", "r")).reason == "request-id-reused"


@pytest.mark.parametrize("ends", ["cut short", "too late"])
async def test_c4_idempotent_who_slept_through_its_lease_tells_what_the_other_did(
    shared_stores: Stores, ends: str
) -> None:
    slept, awake = shared_stores.sessions(Till.chart, timeout=0.5), shared_stores.sessions(Till.chart)
    await fire(slept, "QUICK")
    late = asyncio.create_task(fire(slept, "PAY", "r", amount="slow"))
    await Till.running.wait()
    shared_stores.advance(10)

    done = await fire(awake, "PAY", "r", amount="1")
    if ends == "too late":
        Till.gate.set()

    assert (await late).replayed == done.said
    assert (await awake.look(LOCAL)).context.paid == 2


# -- C5 --------------------------------------------------------------------------------------------------------------


async def test_c5_step_code_that_waits_runs_in_one_process_at_a_time(shared_stores: Stores) -> None:
    one, two = shared_stores.sessions(Till.chart, timeout=5), shared_stores.sessions(Till.chart, timeout=0.2)
    await fire(one, "QUICK")
    paying = asyncio.create_task(fire(one, "PAY", amount="slow"))
    await Till.running.wait()

    assert (await fire(two, "PAY")).reason == "busy"
    assert (await fire(two, "QUICK")).reason == "busy"
    Till.gate.set()
    assert (await paying).reason is None
    assert (await fire(two, "PAY")).reason is None
    assert (await one.look(LOCAL)).context.paid == 3


async def test_c5_step_code_has_one_key_for_each_request_and_another_for_each_call(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    await fire(sessions, "PAY", "r", amount="refuse")
    for request_id in (None, None, "r"):
        await fire(sessions, "QUICK", request_id)
    keys = (await sessions.look(LOCAL)).context.keys
    assert len(set(keys)) == 3
    assert all(len(key) == 32 for key in keys)


# -- C6: test_workers.py and test_outbox.py have the rest --------------------------------------------------------------


async def test_c6_services_and_effects_run_after_the_commit_each_with_a_key_of_its_own(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    await fire(sessions, "PAY", amount="a")
    await fire(sessions, "PAY", amount="raise")
    await until(lambda: Till.effects)
    assert [told.split()[0] for told in Till.effects] == ["a"]
    (info,) = await sessions.store.list()
    await until(lambda: True)
    assert info.dead == 0


class Stock(VoiceMachine[Shop], id="m"):
    """A state's entry may ask for an effect too."""

    idle = State(initial=True)
    asking = State()

    @on_enter(idle)
    def began(self) -> None:
        self.welcome.later()

    @effect
    async def welcome(self) -> None:
        Till.effects.append("welcome")

    @transition("ASK", source=idle, target=asking)
    def ask(self) -> None: ...

    @invoke(during=asking, done=idle)
    async def look_it_up(self) -> dict[str, Any]:
        return {"paid": 7}


async def test_c6_an_effect_of_the_start_runs_once(stores: Stores) -> None:
    processes = [stores.sessions(Stock.chart), stores.sessions(Stock.chart)]
    await asyncio.gather(*(sessions.look(LOCAL) for sessions in processes))
    await until(lambda: Till.effects)
    assert Till.effects == ["welcome"]
    turn = await fire(processes[0], "ASK")
    assert turn.outcome is not None
    assert turn.outcome.context.paid == 7


# -- C9 --------------------------------------------------------------------------------------------------------------


async def test_c9_history_says_who_did_what_and_never_the_values(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    ann = session_key(CallContext(principal="ann"), "m")
    await fire(sessions, "PAY", "r", key=ann, amount="4111 1111")
    stores.advance(61)
    await sessions.look(ann)

    started, paid, late = [past.event for past in await sessions.store.history(ann.storage)]
    assert (started.name, started.source, started.target) == ("xstate.init", None, "idle")
    assert (paid.seq, paid.name, paid.source, paid.target) == (1, "PAY", "idle", "paying")
    assert (paid.request_id, paid.version, paid.audit) == ("r", "1", None)
    assert len(paid.principal) == len(paid.arguments) == 32
    assert "4111" not in repr(paid)
    assert "ann" not in repr(paid)
    assert (late.name, late.target, late.principal) == ("xstate.after.60000.m.paying", "idle", "")


async def test_c9_history_keeps_arguments_where_it_is_asked_to(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart, audit=True)
    await fire(sessions, "PAY", amount="5")
    assert (await sessions.store.history(LOCAL.storage))[-1].event.audit == '{"amount": "5"}'
    await fire(sessions, "CARD", number="4111 1111", amount="5")
    (*_, past) = await sessions.store.history(LOCAL.storage)
    assert past.event.audit == '{"amount": "5"}'
    assert "4111" not in repr(past)


# -- C11 -------------------------------------------------------------------------------------------------------------


async def test_c11_callers_a_handle_is_worth_nothing_to_others(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    handle = new_handle()
    ann, bob = CallContext(principal="ann"), CallContext(principal="bob")
    await sessions.open(handle_key(ann, "m", handle))
    await fire(sessions, "QUICK", key=handle_key(ann, "m", handle))

    foreign = await fire(sessions, "QUICK", key=handle_key(bob, "m", handle))
    missing = await fire(sessions, "QUICK", key=handle_key(bob, "m", new_handle()))
    assert foreign == missing
    assert foreign.reason == "session-not-found"
    with pytest.raises(SessionNotFound):
        await sessions.look(handle_key(bob, "m", handle))
    assert len(handle) >= 22
