"""A machine may have an `__init__` of its own, and starts when it is over."""

from __future__ import annotations

import asyncio
import copy

import pytest

from fsmvoice import DefinitionError, State, Suspended, VoiceMachine, on_enter, transition
from fsmvoice.errors import ReentrancyError
from fsmvoice.model.run_state import RunState
from tests.machine.cafe import Order


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


def test_a_machine_that_still_starts_has_no_state_yet() -> None:
    class Impatient(VoiceMachine):
        idle = State(initial=True)

        @on_enter(idle)
        def look(self) -> None:
            self.context["state"] = self.state

    with pytest.raises(ReentrancyError, match="Impatient is still starting"):
        Impatient()
