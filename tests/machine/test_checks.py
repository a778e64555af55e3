"""Definition errors that need the whole machine: tools of one name, two meanings of "yes"."""

from __future__ import annotations

import time
import types
from typing import Any

from fsmvoice import ANY, Compound, Parallel, State, VoiceMachine, forbid, spoken, transition
from tests.machine.defining import problems_in, the_problem


def test_events_that_make_one_tool_name_are_reported() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)

            @transition("ADD_ITEM", source=idle)
            def add(self) -> None: ...

            @transition("addItem", source=idle)
            def add_again(self) -> None: ...

            @transition(source=idle)
            def status(self) -> None: ...

        return Bad

    assert [problem.message for problem in problems_in(define)] == [
        "the event 'addItem' makes the tool name 'bad_add_item', as does the event 'ADD_ITEM'",
        "the event 'STATUS' makes the tool name 'bad_status', as does the tool 'status' that every machine has",
    ]


def test_an_event_without_a_tool_takes_no_name() -> None:
    class Fine(VoiceMachine):
        idle = State(initial=True)

        @spoken(tool=False)
        @transition(source=idle)
        def status(self) -> None: ...

    assert Fine.chart.events == ("STATUS",)


def test_yes_means_one_thing_in_a_state() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)

            @spoken("go", answers="yes")
            @transition(source=idle)
            def go(self) -> None: ...

            @spoken("stay", answers="yes")
            @transition(source=idle)
            def stay(self) -> None: ...

        return Bad

    assert the_problem(define) == "GO and STAY both answer 'yes' in 'idle'; leave answers= out of one of them"


def test_yes_of_an_outer_state_counts_in_the_inner_one_unless_it_is_forbidden_there() -> None:
    def define(closed: bool) -> object:
        class Machine(VoiceMachine):
            idle = State(initial=True)

            @spoken("go", answers="yes")
            @transition(source=ANY)
            def go(self) -> None: ...

            @spoken("stay", answers="yes")
            @transition(source=idle)
            def stay(self) -> None: ...

            if closed:
                no = forbid("GO", source=idle, reason="Not here.")

        return Machine

    assert the_problem(lambda: define(False)).startswith("GO and STAY both answer 'yes'")
    assert define(True)


def test_yes_in_two_regions_counts_and_in_two_states_does_not() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            class on(Parallel, initial=True):
                class a(Compound):
                    x = State(initial=True)
                    z = State()

                class b(Compound):
                    y = State(initial=True)

            @spoken("go", answers="no")
            @transition(source=on.a.x, target=on.a.z)
            def go(self) -> None: ...

            @spoken("return", answers="no")
            @transition(source=on.a.z, target=on.a.x)
            def return_(self) -> None: ...

            @spoken("stay", answers="no")
            @transition(source=on.b.y)
            def stay(self) -> None: ...

        return Bad

    assert [problem.message for problem in problems_in(define)] == [
        "GO and STAY both answer 'no' in 'on'",
        "RETURN_ and STAY both answer 'no' in 'on'",
    ]


def test_hundreds_of_events_are_a_class_in_no_time() -> None:
    def body(self: Any) -> None: ...

    events = {f"go_{number}": transition(f"GO_{number}", source="idle")(body) for number in range(400)}
    begun = time.process_time()
    types.new_class("Many", (VoiceMachine,), {}, lambda body: body.update(idle=State(initial=True), **events))
    assert time.process_time() - begun < 1.5, "the names of their tools are compared in pairs"
