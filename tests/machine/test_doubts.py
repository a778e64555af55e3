"""Warnings: valid, and probably not meant. Each stands at its line."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from fsmvoice import ANY, Compound, DefinitionWarning, Parallel, State, VoiceMachine, forbid, transition
from fsmvoice.errors import Problem
from tests.machine.defining import source_line


def warned(define: Callable[[], object]) -> list[tuple[str, str]]:
    """The lines that `define` is warned about, each with the warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        define()
    assert all(item.category is DefinitionWarning for item in caught)
    return [(source_line(Problem(f"{item.filename}:{item.lineno}", "")), str(item.message)) for item in caught]


def test_a_state_that_nothing_leads_to_and_one_that_nothing_leaves() -> None:
    def define() -> object:
        class Machine(VoiceMachine):
            idle = State(initial=True)
            island = State()
            trap = State()
            end = State(final=True)

            class inside(Compound):
                a = State(initial=True)
                b = State()

            @transition(source=idle, target=trap)
            def fall(self) -> None: ...

            @transition(source=island, target=end)
            def leave(self) -> None: ...

            @transition(source=idle, target=inside)
            def enter(self) -> None: ...

            @transition(source=inside, target=end)
            def stop(self) -> None: ...

        return Machine

    assert warned(define) == [
        ("island = State()", "Machine: no transition leads to the state 'island'"),
        ("trap = State()", "Machine: nothing leads out of the state 'trap'; if it ends here, say final=True"),
        ("b = State()", "Machine: no transition leads to the state 'inside.b'"),
    ]


def test_a_machine_without_events_and_one_whose_outer_states_lead_on_are_fine() -> None:
    def define() -> object:
        class Still(VoiceMachine):
            idle = State(initial=True)

        class Around(VoiceMachine):
            class on(Parallel, initial=True):
                class a(Compound):
                    x = State(initial=True)

                class b(Compound):
                    y = State(initial=True)

            off = State()

            @transition(source=on, target=off)
            def leave(self) -> None: ...

            @transition(source=ANY, target=on)
            def enter(self) -> None: ...

        return Around, Still

    assert warned(define) == []


def test_a_guarded_transition_with_any_behind_it() -> None:
    def define(closed: bool) -> object:
        class Machine(VoiceMachine):
            idle = State(initial=True)
            busy = State()

            def may(self) -> bool:
                return False

            @transition("STOP", source=busy, target=idle, guard=may)
            def politely(self) -> None: ...

            @transition("STOP", source=ANY, target=busy)
            def anyhow(self) -> None: ...

            if closed:
                no = forbid("STOP", source=busy, reason="Not now.")

        return Machine

    ((line, told),) = warned(lambda: define(False))
    assert line == '@transition("STOP", source=busy, target=idle, guard=may)'
    assert told == (
        "Machine: when the guard of STOP says no in 'busy', the transition from ANY is taken; "
        "to stop it, add forbid('STOP', source='busy', reason=...)"
    )
    assert warned(lambda: define(True)) == []


def test_a_number_without_bounds() -> None:
    def define() -> object:
        class Machine(VoiceMachine):
            idle = State(initial=True)

            @transition(source=idle)
            def some(self, cups: int, more: int | None = None) -> None: ...

            @transition(source=idle)
            def few(self, cups: Annotated[int, Field(ge=1, le=9)], yes: bool = True, price: float = 0.0) -> None: ...

        return Machine

    assert warned(define) == [
        (
            "@transition(source=idle)",
            f"Machine: '{name}' of SOME is any int; say its bounds: {name}: Annotated[int, Field(ge=1, le=20)]",
        )
        for name in ("cups", "more")
    ]


def test_a_transition_behind_one_without_a_guard_is_reported_at_its_line() -> None:
    def define() -> object:
        class Machine(VoiceMachine):
            idle = State(initial=True)
            end = State(final=True)

            @transition("GO", source=idle, target=end)
            def go(self) -> None: ...

            @transition("GO", source=idle, target=idle)
            def stay(self) -> None: ...

        return Machine

    assert warned(define) == [
        (
            '@transition("GO", source=idle, target=idle)',
            "Machine: the transition for GO in 'idle' is never taken: the one before it has no guard",
        )
    ]
