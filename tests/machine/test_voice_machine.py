"""A machine is a plain object: made, fired, read, placed, stored and copied without a server or an event loop."""

from __future__ import annotations

import asyncio
import copy
import pickle
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal

import pytest
from pydantic import BaseModel

from fsmvoice import (
    ActionFailed,
    Compound,
    DefinitionError,
    NotAllowed,
    Parallel,
    Private,
    Refuse,
    RestoreError,
    State,
    Suspended,
    VoiceMachine,
    guard,
    on_enter,
    transition,
)
from fsmvoice.errors import ReentrancyError, UnknownName
from fsmvoice.model.context import ContextError
from fsmvoice.model.run_state import RunState

Drink = Literal["latte", "tea"]


class Order(BaseModel):
    drink: Drink | None = None
    extras: list[str] = []
    card: Annotated[str | None, Private] = None


class Cafe(VoiceMachine[Order], id="cafe"):
    """Order something."""

    idle = State(initial=True, prompt="What would you like?")
    ordered = State(prompt="One {drink}.")
    served = State(final=True, prompt="Enjoy!")

    @guard("We are out of {drink}.")
    def in_stock(self, drink: Drink) -> bool:
        return drink != "tea"

    @transition(source=idle, target=ordered, guard=in_stock)
    def order(self, drink: Drink) -> None:
        self.context.drink = drink

    @transition(source=ordered)
    async def add(self, extra: str) -> None:
        await asyncio.sleep(0)
        self.context.extras.append(extra)

    @transition(source=ordered, target=served)
    def serve(self) -> None: ...

    @transition(source=ordered, target=idle)
    def spill(self) -> None:
        self.context.extras.append("mess")
        raise Refuse("Careful with the {drink}!")

    @transition(source=ordered, target=idle)
    def crash(self) -> None:
        self.context.extras.append("mess")
        raise ValueError("no beans")


def test_an_event_moves_the_machine_and_tells_what_it_did() -> None:
    cafe = Cafe()
    outcome = cafe.order.sync(drink="latte")
    assert (outcome.ok, outcome.reason, outcome.event, outcome.changed) == (True, None, "ORDER", True)
    assert outcome.state == cafe.state == "ordered"
    assert outcome.context.drink == cafe.context.drink == "latte"
    assert outcome.say.startswith("One latte.")
    assert outcome.available == cafe.available == ("ADD", "SERVE", "SPILL", "CRASH")


async def test_the_same_by_await_and_by_name() -> None:
    cafe = Cafe()
    assert (await cafe.order("latte")).state == "ordered"
    assert (await cafe.send("ADD", extra="milk")).context.extras == ["milk"]
    assert cafe.send_sync("SERVE").snapshot.done


def test_an_event_method_raises_what_send_tells() -> None:
    cafe = Cafe()
    with pytest.raises(NotAllowed, match=r"SERVE is not possible in 'idle' \(no-transition\)") as refused:
        cafe.serve.sync()
    assert refused.value.outcome.reason == cafe.send_sync("SERVE").reason == "no-transition"
    assert cafe.send_sync("ORDER", drink="tea").reason == "guard-rejected"
    assert cafe.send_sync("ORDER", drink="tea").say.startswith("We are out of tea.")


def test_wrong_arguments_are_named() -> None:
    cafe = Cafe()
    with pytest.raises(NotAllowed, match=r"there is no 'drnk'; did you mean 'drink'\?; 'drink' is missing"):
        cafe.order.sync(drnk="latte")  # type: ignore[call-arg] # pyright: ignore[reportCallIssue] - the mistake under test
    assert cafe.send_sync("ORDER", drink="cola").reason == "invalid-arguments"
    assert cafe.state == "idle"


def test_a_misspelt_event_is_an_error_that_names_the_right_one() -> None:
    with pytest.raises(UnknownName, match=r"Cafe has no event 'ORDR'; did you mean 'ORDER'\?"):
        Cafe().send_sync("ORDR", drink="latte")


def test_a_refusal_in_an_action_undoes_the_step_and_speaks() -> None:
    cafe = Cafe.at("ordered", drink="latte")
    outcome = cafe.send_sync("SPILL")
    assert (outcome.reason, outcome.state, outcome.context.extras) == ("refused", "ordered", [])
    assert outcome.say.startswith("Careful with the latte!")


def test_an_exception_in_an_action_undoes_the_step_and_leaves_as_action_failed() -> None:
    cafe = Cafe.at("ordered", drink="latte")
    with pytest.raises(ActionFailed, match="'crash' raised ValueError") as failed:
        cafe.crash.sync()
    assert isinstance(failed.value.__cause__, ValueError)
    assert (cafe.state, cafe.context.extras) == ("ordered", [])


def test_sync_does_not_wait() -> None:
    cafe = Cafe.at("ordered", drink="latte")
    with pytest.raises(Suspended):
        cafe.add.sync("milk")
    assert cafe.context.extras == []


async def test_tasks_on_one_machine_take_turns() -> None:
    cafe = Cafe.at("ordered", drink="latte")
    outcomes = await asyncio.gather(*(cafe.add(str(number)) for number in range(5)))
    assert [outcome.context.extras[-1] for outcome in outcomes] == list("01234")


async def test_a_reader_during_a_step_sees_the_committed_context() -> None:
    seen: list[list[str]] = []
    cafe = Cafe.at("ordered", drink="latte")

    async def read() -> None:
        seen.append(list(cafe.context.extras))

    await asyncio.gather(cafe.add("milk"), read())
    assert (seen, cafe.context.extras) == ([[]], ["milk"])


def test_questions_about_now() -> None:
    cafe = Cafe()
    assert cafe.order.can("latte")
    assert not cafe.order.can("tea")
    assert cafe.matches(Cafe.idle)
    assert not cafe.matches("ordered")
    assert cafe.blocked == ()
    assert cafe.say() == "You can order. What would you like?"
    assert repr(cafe) == "<Cafe in 'idle'>"
    with pytest.raises(UnknownName, match="did you mean 'ordered'"):
        cafe.matches("orderd")


def test_a_finished_machine_starts_over_with_the_context_it_was_given() -> None:
    cafe = Cafe(Order(extras=["milk"]))
    cafe.order.sync("latte")
    cafe.serve.sync()
    outcome = cafe.start_over.sync()
    assert (outcome.ok, outcome.state, outcome.context) == (True, "idle", Order(extras=["milk"]))


async def test_starting_over_may_be_awaited() -> None:
    cafe = Cafe.at("ordered")
    assert (await cafe.start_over()).state == "idle"


# -- at and restore


class Two(VoiceMachine[Order]):
    off = State(initial=True)

    class on(Parallel):
        class work(Compound):
            waiting = State(initial=True)
            busy = State()

        class light(Compound):
            dim = State(initial=True)
            bright = State()

    entered: ClassVar[list[str]] = []

    @on_enter(on)
    def count(self) -> None:
        self.entered.append("on")

    @transition(source=off, target=on)
    def power(self) -> None: ...

    @transition(source=on.work.waiting, target=on.work.busy)
    def begin(self) -> None: ...

    @transition(source=on.light.dim, target="bright")
    def brighten(self) -> None: ...

    @transition(source=on, target=off)
    def leave(self) -> None: ...


def test_at_places_a_machine_and_runs_nothing() -> None:
    two = Two.at(Two.on.work.busy, drink="tea")
    assert two.state == {"on": {"work": "busy", "light": "dim"}}
    assert two.context.drink == "tea"
    assert Two.entered == []
    assert two.brighten.sync().state == {"on": {"work": "busy", "light": "bright"}}
    assert Two.at("on").state == {"on": {"work": "waiting", "light": "dim"}}


def test_at_names_what_it_does_not_know() -> None:
    with pytest.raises(UnknownName, match=r"unknown state 'busi'; did you mean 'busy'\?"):
        Two.at("busi")
    with pytest.raises(UnknownName, match=r"has no field 'drnk'; did you mean 'drink'\?"):
        Two.at("busy", drnk="tea")
    with pytest.raises(ContextError, match="the context field 'drink' should be"):
        Two.at("busy", drink="cola")


def test_a_machine_may_be_placed_at_its_end() -> None:
    assert Cafe.at("served").snapshot.done


def test_restore_continues_where_persist_left_off_private_fields_too() -> None:
    cafe = Cafe(Order(card="4711"))
    cafe.order.sync("latte")
    stored = cafe.snapshot.persist()
    twin = Cafe.restore(stored)
    assert (twin.state, twin.context) == ("ordered", Order(drink="latte", card="4711"))
    assert twin.serve.sync().ok
    assert cafe.state == "ordered"
    with pytest.raises(RestoreError, match="machine 'cafe'"):
        Two.restore(stored)


def test_a_copy_and_a_pickle_stand_where_the_machine_stood_and_go_their_own_way() -> None:
    cafe = Cafe()
    cafe.order.sync("latte")
    twins = [pickle.loads(pickle.dumps(cafe)), copy.copy(cafe), copy.deepcopy(cafe)]
    for twin in twins:
        assert twin.send_sync("SERVE").ok
    assert cafe.state == "ordered"


# -- a user's own __init__


class Bank:
    def __init__(self) -> None:
        self.charged: list[int] = []


class Payment(VoiceMachine[Order]):
    due = State(initial=True)
    paid = State(final=True)

    def __init__(self, bank: Bank | None = None) -> None:
        super().__init__()
        self.bank = bank or Bank()

    @on_enter(due)
    def hello(self) -> None:
        self.bank.charged.append(0)

    @transition(source=due, target=paid)
    def pay(self) -> None:
        self.bank.charged.append(5)


def test_a_machine_starts_when_all_of_init_is_over() -> None:
    bank = Bank()
    payment = Payment(bank)
    assert bank.charged == [0]
    payment.pay.sync()
    assert bank.charged == [0, 5]


def test_a_machine_whose_init_calls_no_super_runs() -> None:
    class Silent(VoiceMachine):
        idle = State(initial=True)

        def __init__(self) -> None:
            self.name = "silent"

    assert Silent().state == "idle"


def test_a_stored_run_is_placed_on_an_instance_of_its_own_and_nothing_runs() -> None:
    place = Payment.chart.behaviour.place
    assert place is not None
    actor = place(RunState.load(Payment.chart, Payment().snapshot.persist()))
    assert isinstance(actor.machine, Payment)
    assert actor.machine.bank.charged == []
    assert actor.send_sync("PAY").ok
    assert actor.machine.bank.charged == [5]


def test_a_class_that_needs_arguments_says_so_when_it_is_placed() -> None:
    class Needy(VoiceMachine):
        idle = State(initial=True)

        def __init__(self, bank: Bank) -> None:
            super().__init__()

    with pytest.raises(DefinitionError, match="missing a required argument: 'bank'; give its parameters defaults"):
        Needy.at("idle")


def test_attributes_of_a_users_own_are_copied_along() -> None:
    payment = copy.copy(Payment())
    assert payment.bank.charged == [0]


async def test_a_start_that_waits_is_awaited() -> None:
    class Slow(VoiceMachine):
        idle = State(initial=True)

        @on_enter(idle)
        async def warm_up(self) -> None:
            await asyncio.sleep(0)
            self.context["warm"] = True

    with pytest.raises(Suspended, match="started"):
        Slow()
    assert (await Slow.started()).context == {"warm": True}


async def test_a_machine_is_closed_by_async_with() -> None:
    async with Cafe() as cafe:
        assert (await cafe.order("latte")).ok
    assert cafe.state == "ordered"


# -- contexts


@dataclass
class Counter:
    count: int = 0
    names: list[str] = field(default_factory=list[str])


def test_a_dataclass_is_a_context() -> None:
    class Counts(VoiceMachine[Counter]):
        idle = State(initial=True)

        @transition(source=idle)
        def add(self, name: str) -> None:
            self.context.count += 1
            self.context.names.append(name)

    counts = Counts()
    counts.add.sync("a")
    assert counts.add.sync("b").context == Counter(2, ["a", "b"])
    assert Counts().context == Counter()


def test_without_a_type_the_context_is_a_dict() -> None:
    class Loose(VoiceMachine):
        idle = State(initial=True, prompt="{anything|Hello}")

        @transition(source=idle)
        def note(self, what: str) -> None:
            self.context["anything"] = what

    loose = Loose()
    assert loose.note.sync("x").context == {"anything": "x"}
    assert Loose({"anything": 1}).context == {"anything": 1}


def test_an_action_may_assign_a_new_context_and_so_a_frozen_one_will_do() -> None:
    @dataclass(frozen=True)
    class Frozen:
        count: int = 0

    class Counts(VoiceMachine[Frozen]):
        idle = State(initial=True)

        @guard("No.")
        def looks(self) -> bool:
            self.context = Frozen(9)
            return True

        @transition(source=idle)
        def add(self) -> None:
            self.context = replace(self.context, count=self.context.count + 1)

        @transition(source=idle, guard=looks)
        def cheat(self) -> None: ...

    counts = Counts()
    counts.add.sync()
    assert counts.add.sync().context == Frozen(2)
    with pytest.raises(ActionFailed, match="changes only in an action"):
        counts.cheat.sync()
    with pytest.raises(AttributeError, match="the context of Counts changes only in an action"):
        counts.context = Frozen(5)
    assert counts.context == Frozen(2)


def test_a_value_that_does_not_fit_is_not_committed() -> None:
    class Wrong(VoiceMachine[Counter]):
        idle = State(initial=True)

        @transition(source=idle)
        def spoil(self) -> None:
            self.context.count = "many"  # type: ignore[assignment] # pyright: ignore[reportAttributeAccessIssue] - the mistake under test

    wrong = Wrong()
    with pytest.raises(ActionFailed, match=r"'spoil' left an invalid context .*the context field 'count'"):
        wrong.spoil.sync()
    assert wrong.context.count == 0


def test_a_context_of_the_wrong_type_is_refused_at_once() -> None:
    with pytest.raises(ContextError, match="the context is dict; it should be a Order"):
        Cafe({"drink": "latte"})  # type: ignore[arg-type] # pyright: ignore[reportArgumentType] - the mistake under test


def test_a_context_that_needs_values_is_asked_for() -> None:
    class Named(BaseModel):
        name: str

    class Greets(VoiceMachine[Named]):
        idle = State(initial=True, prompt="Hello {name}.")

    with pytest.raises(ContextError, match=r"a new Named can't be made without values: 'name' Field required"):
        Greets()
    assert Greets(Named(name="Ann")).say().startswith("Hello Ann.")
    assert Greets.at("idle", name="Bo").context.name == "Bo"


# -- what can't run yet, and what is not a machine


def test_a_base_without_states_is_not_a_machine() -> None:
    class Base(VoiceMachine[Order]):
        @transition(source="idle")
        def hello(self) -> None: ...

    class Machine(Base):
        idle = State(initial=True)

    with pytest.raises(DefinitionError, match=r"it has no states; a machine needs at least one"):
        Base()
    assert Machine().hello.sync().ok


def test_a_machine_that_still_starts_has_no_state_yet() -> None:
    class Impatient(VoiceMachine):
        idle = State(initial=True)

        @on_enter(idle)
        def look(self) -> None:
            self.context["state"] = self.state

    with pytest.raises(ReentrancyError, match="Impatient is still starting"):
        Impatient()
