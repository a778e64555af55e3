"""A machine is a plain object: made, fired and read without a server or an event loop."""

from __future__ import annotations

import asyncio

import pytest

from fsmvoice import ActionFailed, DefinitionError, NotAllowed, State, Suspended, VoiceMachine, transition
from fsmvoice.errors import UnknownName
from tests.machine.cafe import Cafe, Order


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


async def test_a_machine_is_closed_by_async_with() -> None:
    async with Cafe() as cafe:
        assert (await cafe.order("latte")).ok
    assert cafe.state == "ordered"


def test_a_base_without_states_is_not_a_machine() -> None:
    class Base(VoiceMachine[Order]):
        @transition(source="idle")
        def hello(self) -> None: ...

    class Machine(Base):
        idle = State(initial=True)

    with pytest.raises(DefinitionError, match=r"it has no states; a machine needs at least one"):
        Base()
    assert Machine().hello.sync().ok
