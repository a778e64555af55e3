"""Declarations that would be lost, each by a slip that a newcomer makes, are told with what to write."""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable
from typing import Any

import pytest

from fsmvoice import (
    ANY,
    Compound,
    State,
    VoiceMachine,
    on_done,
    on_enter,
    on_exit,
    spoken,
    transition,
)
from fsmvoice import guard as guard_decorator
from tests.machine.defining import problems_in, source_line, the_problem

any_guard: Any = guard_decorator
any_transition: Any = transition
any_spoken: Any = spoken


def machine(**body: Any) -> Callable[[], object]:
    """A class statement with these attributes and one good state."""

    def define() -> object:
        class Slip(VoiceMachine):
            idle = State(initial=True)
            locals().update(body)

        return Slip

    return define


def method(self: Any) -> Any:
    """What decorators are put on."""


@pytest.mark.parametrize(
    ("decorator", "told"),
    [
        (
            any_transition,
            '@transition stands without its arguments; write @transition("ORDER", source=..., target=...)',
        ),
        (on_enter, "@on_enter stands without its arguments; write @on_enter(state)"),
        (on_exit, "@on_exit stands without its arguments; write @on_exit(state)"),
        (on_done, "@on_done stands without its arguments; write @on_done(state)"),
        (any_spoken, '@spoken stands without its arguments; write @spoken("order a drink")'),
        (any_guard, '@guard stands without its arguments; write @guard("Why not.")'),
    ],
)
def test_a_decorator_without_its_arguments(decorator: Any, told: str) -> None:
    (problem,) = problems_in(machine(slip=decorator(method)))
    assert f"{problem.message}; {problem.hint}" == told
    assert source_line(problem) == "def method(self: Any) -> Any:"


def test_a_guard_whose_decorator_lacks_its_reason_is_reported_once() -> None:
    slip = any_guard(method)
    going = transition("GO", source=ANY, guard=slip)(method)
    assert the_problem(machine(slip=slip, go=going)).startswith("@guard stands without its arguments")


class Name(enum.StrEnum):
    GO = "GO"


class Number(enum.Enum):
    GO = 1


def test_an_event_s_name_is_a_text_and_an_enum_of_texts_will_do() -> None:
    for given in (3, Number.GO):
        told = f"an event's name is a text, not {given!r}"
        assert the_problem(machine(go=any_transition(given, source=ANY)(method))) == told

    class Goes(VoiceMachine):
        idle = State(initial=True)

        @transition(Name.GO, source=idle)
        def go(self) -> None: ...

    assert [type(event) for event in Goes().available] == [str]
    assert Goes().send_sync(Name.GO).ok


@pytest.mark.parametrize("given", [True, [method], 3])
def test_what_is_not_a_guard(given: Any) -> None:
    told = the_problem(machine(go=any_transition("GO", source=ANY, guard=given)(method)))
    assert told.endswith("is not a guard; give a method of the machine, or its name")


def test_a_star_is_not_a_state() -> None:
    told = "source: unknown state '*'; ANY, as a source, is every state"
    assert the_problem(machine(go=transition("GO", source="*")(method))) == told


def test_a_missing_source() -> None:
    assert the_problem(machine(go=any_transition("GO")(method))).startswith("source: GO has no source; name the states")


def test_another_decorator_around_an_event() -> None:
    def logged(function: Any) -> Any:
        @functools.wraps(function)
        def wrapper(*args: Any) -> Any:
            return function(*args)

        return wrapper

    told = "'go' is an event inside a function, so it is lost; put the other decorator below, next to the method"
    assert the_problem(machine(go=logged(transition("GO", source=ANY)(method)))) == told

    class Logged(VoiceMachine):
        idle = State(initial=True)

        @transition(source=idle)
        @logged
        def go(self) -> None: ...

    assert Logged().go.sync().ok


@pytest.mark.parametrize("states", [[State(), State()], (State(),), {"a": State()}])
def test_states_that_only_a_list_holds(states: Any) -> None:
    told = "a state in 'states' has no name of its own, so it is lost; assign each to a name in the class"
    assert the_problem(machine(states=states)) == told


def test_a_list_of_states_that_have_names_is_a_source() -> None:
    class Sources(VoiceMachine):
        a = State(initial=True)
        b = State()
        either = (a, b)

        @transition(source=either, target=b)
        def go(self) -> None: ...

    assert Sources().go.sync().state == "b"


def test_a_class_in_place_of_a_state() -> None:
    assert the_problem(machine(busy=State)) == "'busy' is the class State; write busy = State()"
    told = "'busy' is the class Compound; write class busy(Compound): with its states inside"
    assert the_problem(machine(busy=Compound)) == told


def test_a_method_that_python_calls_is_not_an_event() -> None:
    told = "'__init__' is a method that Python calls, so it can't be an event; name it otherwise"
    assert the_problem(machine(__init__=transition("GO", source=ANY)(method))) == told


def test_a_generator_would_never_run() -> None:
    def steps(self: Any) -> Any:
        yield

    async def later(self: Any) -> Any:
        yield

    for function in (steps, later):
        told = f"'{function.__name__}' has a yield, so it is a generator; its code would never run; leave the yield out"
        assert the_problem(machine(go=transition("GO", source=ANY)(function))) == told
        assert the_problem(machine(go=on_enter("idle")(function))) == told


def test_a_state_whose_name_is_taken_by_its_event_is_reported_once() -> None:
    def define() -> object:
        class Slip(VoiceMachine):
            go: Any = State(initial=True)
            go = transition("GO", source=go)(method)

        return Slip

    assert the_problem(define).startswith("'go' is already a state")
