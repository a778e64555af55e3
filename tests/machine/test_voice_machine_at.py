"""A machine is placed in a state, restored from what was stored, and copied; nothing runs meanwhile."""

from __future__ import annotations

import copy
import pickle
from typing import ClassVar

import pytest

from fsmvoice import Compound, Parallel, RestoreError, State, VoiceMachine, on_enter, transition
from fsmvoice.errors import UnknownName
from fsmvoice.model.context import ContextError
from tests.machine.cafe import Cafe, Order


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
