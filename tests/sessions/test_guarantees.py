"""The contract of docs/guarantees.md, clause by clause, on every store; on PostgreSQL among the slower proofs."""

from __future__ import annotations

import asyncio
import logging
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from fsmvoice import Private, State, VoiceMachine, after, effect, invoke, migration, on_enter, transition
from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.outcome import Outcome
from fsmvoice.errors import Refuse
from fsmvoice.machine.actor import compile_config
from fsmvoice.model.chart import Chart
from fsmvoice.sessions.keys import CallContext, SessionNotFound, handle_key, new_handle, session_key
from fsmvoice.sessions.request import Request
from fsmvoice.sessions.store import Limits
from tests.sessions.benches import LOCAL, Stores, delivered, fire, shared_stores, stores, until, value

__all__ = ["shared_stores", "stores"]


class Shop(BaseModel):
    paid: int = 0
    note: object = None
    keys: list[str] = []


class Till(VoiceMachine[Shop], id="m", version="1"):
    idle = State(initial=True)
    paying = State()
    paid = State(final=True)

    gate: asyncio.Event
    running: asyncio.Event
    effects: list[str]

    @transition("PAY", source=idle, target=paying)
    async def pay(self, amount: str = "1") -> None:
        self.context.paid += 1
        self.context.keys.append(self.idempotency_key)
        self.receipt.later(amount)
        if amount == "refuse":
            raise Refuse("Not with this card.")
        if amount == "raise":
            raise ValueError("no such card")
        if amount == "odd":
            self.context.note = object()
        if amount == "slow":
            Till.running.set()
            await Till.gate.wait()

    @transition("PAY", source=paying, target=paying)
    async def pay_again(self, amount: str = "1") -> None:
        self.context.paid += 1

    @transition("QUICK", source=[idle, paying])
    def quick(self) -> None:
        self.context.paid += 1
        self.context.keys.append(self.idempotency_key)

    @transition("CARD", source=paying)
    def card(self, number: Annotated[str, Private], amount: str) -> None: ...

    @transition("DONE", source=paying, target=paid)
    def done(self) -> None: ...

    @after(60, source=paying, target=idle, says="You took too long.")
    def late(self) -> None: ...

    @effect
    async def receipt(self, amount: str) -> None:
        Till.effects.append(f"{amount} {self.idempotency_key}")


@pytest.fixture(autouse=True)
def fresh() -> None:
    Till.gate, Till.running, Till.effects = asyncio.Event(), asyncio.Event(), []


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


# -- C6: test_services.py and test_outbox.py have the rest -------------------------------------------------------------


async def test_c6_services_and_effects_run_after_the_commit_each_with_a_key_of_its_own(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    await fire(sessions, "PAY", amount="a")
    await fire(sessions, "PAY", amount="raise")
    await until(lambda: Till.effects)
    assert [told.split()[0] for told in Till.effects] == ["a"]
    (info,) = await sessions.store.list()
    await until(lambda: True)
    assert info.dead == 0


# -- C7 --------------------------------------------------------------------------------------------------------------


async def test_c7_delays_are_stepped_before_any_later_event(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    await fire(sessions, "PAY")
    stores.advance(61)

    turn = await fire(sessions, "DONE")

    assert (turn.reason, turn.changed, turn.news) == ("no-transition", True, ("You took too long.",))
    assert await value(sessions) == "idle"


async def test_c7_delays_never_fire_early(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    await fire(sessions, "PAY")
    await delivered(sessions.store)
    for _ in range(2):
        stores.advance(29)
        assert (await sessions.look(LOCAL)).value == "paying"
        assert list((await sessions.store.overdue("m", 10, 10)).keys) == []


async def test_c7_delays_fire_once_in_any_process_that_lives(stores: Stores) -> None:
    first = stores.sessions(Till.chart)
    for number in range(20):
        await fire(first, "PAY", key=session_key(CallContext(principal=str(number)), "m"))
    await first.aclose(grace=0)
    stores.advance(61)

    processes = [stores.sessions(Till.chart), stores.sessions(Till.chart)]
    for sessions in processes:
        sessions.begin()

    infos = await processes[0].store.list()
    async with asyncio.timeout(10):
        while any(info.wake_at for info in await processes[0].store.list()):  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.02)
    assert len(infos) == 20
    for info in infos:
        names = [past.event.name for past in await processes[0].store.history(info.key)]
        assert names == ["xstate.init", "PAY", "xstate.after.60000.m.paying"]


async def test_c7_delays_that_were_cancelled_never_fire(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    await fire(sessions, "PAY")
    await fire(sessions, "DONE")
    await delivered(sessions.store)
    stores.advance(1000)
    assert (await sessions.look(LOCAL)).value == "paid"
    assert list((await sessions.store.overdue("m", 10, 10)).keys) == []


async def test_c7_what_a_timer_said_is_told_to_the_next_who_asks(stores: Stores) -> None:
    sessions = stores.sessions(Till.chart)
    await fire(sessions, "PAY")
    stores.advance(61)
    assert (await sessions.look(LOCAL)).value == "idle"

    turn = await fire(sessions, "QUICK", "r")

    assert turn.news == ("You took too long.",)
    assert (turn.said or "").startswith("You took too long. ")
    assert (await fire(sessions, "QUICK")).news == ()
    assert await sessions.hear(LOCAL) == ()


# -- C8: tests/model/test_versions.py has the documents ----------------------------------------------------------------


class Two(VoiceMachine[Shop], id="m", version="2"):
    waiting = State(initial=True)
    paying = State()
    paid = State(final=True)

    @migration("1", "2")
    @staticmethod
    def renamed(document: dict[str, Any]) -> dict[str, Any]:
        document["states"] = ["waiting" if state == "idle" else state for state in document["states"]]
        return document

    @transition("PAY", source=waiting, target=paying)
    def pay(self) -> None: ...

    @transition("QUICK", source=waiting)
    def quick(self) -> None:
        self.context.paid += 1

    @transition("DONE", source=paying, target=paid)
    def done(self) -> None: ...


class Unmigrated(VoiceMachine[Shop], id="m", version="3"):
    elsewhere = State(initial=True)
    paid = State(final=True)

    @transition("QUICK", source=elsewhere, target=paid)
    def quick(self) -> None: ...


class Reworded(VoiceMachine[Shop], id="m", version="1.1"):
    idle = State(initial=True, prompt="New words.")
    paying = State(prompt="New words here too.")
    paid = State(final=True)
    refunded = State()

    @transition("QUICK", source=[idle, paying])
    def quick(self) -> None:
        self.context.paid += 10

    @transition("BACK", source=idle, target=refunded)
    @transition("BACK", source=[refunded, paying], target=paid)
    def back(self) -> None: ...

    @transition("DONE", source=idle, target=paying)
    def done(self) -> None: ...


async def test_c8_versions_texts_and_added_states_never_matter(stores: Stores) -> None:
    await fire(stores.sessions(Till.chart), "QUICK")
    turn = await fire(stores.sessions(Reworded.chart), "QUICK")
    assert turn.outcome is not None
    assert turn.outcome.context.paid == 11
    assert (await fire(stores.sessions(Till.chart), "QUICK")).reason is None


async def test_c8_versions_a_session_is_migrated_with_the_next_commit(stores: Stores) -> None:
    old, new = stores.sessions(Till.chart), stores.sessions(Two.chart)
    await fire(old, "QUICK")
    before = await old.store.load(LOCAL.storage)
    assert await value(new) == "waiting"
    after_looking = await old.store.load(LOCAL.storage)
    assert before is not None
    assert after_looking is not None
    assert after_looking.document == before.document

    assert (await fire(new, "QUICK")).reason is None
    assert (await new.look(LOCAL)).context.paid == 2
    assert [past.event.version for past in await new.store.history(LOCAL.storage)] == ["1", "1", "2"]


async def test_c8_versions_what_does_not_fit_is_refused_and_left_alone(
    stores: Stores, caplog: pytest.LogCaptureFixture
) -> None:
    old, new = stores.sessions(Till.chart), stores.sessions(Two.chart)
    await fire(new, "QUICK")
    for sessions in (old, stores.sessions(Unmigrated.chart)):
        with caplog.at_level(logging.ERROR, "fsmvoice"):
            assert (await fire(sessions, "QUICK")).reason == "definition-mismatch"
    assert "'waiting'" in caplog.text
    assert "version '2', this is '3'" in caplog.text
    assert (await fire(new, "QUICK")).reason is None


async def test_c8_versions_what_does_not_fit_can_be_started_over(stores: Stores) -> None:
    new = stores.sessions(Unmigrated.chart)
    await fire(stores.sessions(Two.chart), "QUICK")
    turn = await new.take_turn(LOCAL, lambda actor: actor.reset_async(), due=False)
    assert turn.reason is None
    assert await value(new) == "elsewhere"
    assert (await fire(new, "QUICK")).reason is None
    assert [past.event.seq for past in await new.store.history(LOCAL.storage)] == [0, 1, 2, 3]


async def test_c8_versions_a_migration_that_changes_the_revision_is_a_misfit_at_once(
    stores: Stores, caplog: pytest.LogCaptureFixture
) -> None:
    def renumbered(document: dict[str, Any]) -> dict[str, Any]:
        return {**document, "states": ["b"], "seq": 7}

    def chart(version: str, state: str) -> Chart:
        config: dict[str, Any] = {
            "id": "m",
            "version": version,
            "initial": state,
            "states": {state: {"on": {"GO": state}}},
        }
        return compile_config(config, migrations=[migration("1", "2")(renumbered)])

    await fire(stores.sessions(chart("1", "a")), "GO")
    with caplog.at_level(logging.ERROR, "fsmvoice"):
        assert (await fire(stores.sessions(chart("2", "b")), "GO")).reason == "definition-mismatch"
    assert "must not change 'seq'" in caplog.text


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


# -- C10 -------------------------------------------------------------------------------------------------------------


async def test_c10_expiry_a_session_that_expired_begins_anew_and_a_handle_says_so(stores: Stores) -> None:
    store = stores.open(Limits(ttl=100))
    sessions = stores.sessions(Till.chart, store)
    handle = handle_key(CallContext(), "m", new_handle())
    await sessions.open(handle)
    await fire(sessions, "PAY")
    stores.advance(200)

    assert (await fire(sessions, "QUICK", key=handle)).reason == "session-expired"
    assert (await sessions.look(LOCAL)).value == "idle"


@pytest.mark.parametrize("end", ["expires", "is deleted"])
async def test_c10_expiry_a_session_that_ends_while_its_turn_runs_begins_anew(stores: Stores, end: str) -> None:
    started, go = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        started.set()
        await go.wait()

    config = {"id": "m", "initial": "a", "states": {"a": {"on": {"GO": {"target": "b", "actions": "wait"}}}, "b": {}}}
    store = stores.open(Limits(ttl=10))
    sessions = stores.sessions(compile_config(config, actions={"wait": wait}), store)
    await sessions.look(LOCAL)
    call = asyncio.create_task(fire(sessions, "GO"))
    await started.wait()
    if end == "expires":
        stores.advance(11)
    else:
        assert await store.delete(LOCAL.storage)
    go.set()
    assert (await call).reason is None
    stored = await store.load(LOCAL.storage)
    assert stored is not None
    assert (stored.revision, stored.leased_until <= stored.now) == (1, True)


async def test_c10_expiry_caps_are_refused_and_change_nothing(stores: Stores, caplog: pytest.LogCaptureFixture) -> None:
    store = stores.open(Limits(context=120, sessions_per_caller=2, timers=0))
    sessions = stores.sessions(Till.chart, store)
    with caplog.at_level(logging.CRITICAL, "fsmvoice"):
        assert (await fire(sessions, "PAY")).reason == "limit-exceeded"
        assert (await fire(sessions, "QUICK")).reason is None
        assert (await fire(sessions, "QUICK")).reason is None
        assert (await fire(sessions, "QUICK")).reason == "limit-exceeded"
        assert (await sessions.look(LOCAL)).context.paid == 2
        ann = CallContext(principal="ann")
        for _ in range(2):
            await sessions.open(handle_key(ann, "m", new_handle()))
        turns = [await fire(sessions, "QUICK", key=session_key(ann, "m"))]
    assert [turn.reason for turn in turns] == ["limit-exceeded"]


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
