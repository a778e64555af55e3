"""States: named by attribute or by `name`, nested by inner classes, referred to by object, class or text."""

from __future__ import annotations

import pytest

from fsmvoice import Compound, History, Parallel, State, VoiceMachine, transition
from tests.machine.defining import problems_in, source_line, the_problem


class Nested(VoiceMachine):
    off = State(initial=True, prompt=["Off.", "Still off."], tags=["resting"])

    class on(Compound, prompt="On.", tags=["lit"]):
        """It is on."""

        low = State(initial=True)
        high = State(name="very high")
        last = History(target=high)

    class both(Parallel):
        class a(Compound):
            x = State(initial=True)

        class b(Compound):
            x = State(initial=True)
            y = State()

    end = State(final=True)

    @transition(source=off, target="on")
    def switch(self) -> None: ...

    @transition(source=on.low, target="very high")
    def up(self) -> None: ...

    @transition(source=on, target=off)
    def down(self) -> None: ...

    @transition(source=off, target=on.last)
    def resume(self) -> None: ...

    @transition(source=on, target=both)
    def split(self) -> None: ...

    @transition(source="both.b.x", target="y")
    def move(self) -> None: ...

    @transition(source=both, target=end)
    def finish(self) -> None: ...


def test_a_name_that_python_cannot_spell() -> None:
    assert Nested.at(Nested.on.high).state == {"on": "very high"}
    assert Nested.at("very high").matches(Nested.on.high)


def test_inner_classes_are_states_with_states() -> None:
    nested = Nested()
    assert nested.switch.sync().state == {"on": "low"}
    assert nested.matches(Nested.on)
    assert nested.up.sync().state == {"on": "very high"}
    assert nested.split.sync().state == {"both": {"a": "x", "b": "x"}}
    assert nested.move.sync().state == {"both": {"a": "x", "b": "y"}}


def test_history_remembers_and_begins_at_its_target() -> None:
    nested = Nested()
    assert nested.resume.sync().state == {"on": "very high"}
    nested.down.sync()
    nested.switch.sync()
    nested.down.sync()
    assert nested.resume.sync().state == {"on": "low"}


def test_tags_texts_and_docs_are_in_the_config() -> None:
    states = Nested.config.to_dict()["states"]
    assert states["off"]["meta"] == {"prompt": ["Off.", "Still off."]}
    assert states["on"]["meta"] == {"prompt": "On."}
    assert states["on"]["description"] == "It is on."
    assert (states["off"]["tags"], Nested.at("on").snapshot.tags) == ("resting", frozenset({"lit"}))


def test_a_state_shows_its_path() -> None:
    assert repr(Nested.on.low) == "<State on.low>"
    assert repr(Nested.on.last) == "<History on.last>"
    assert repr(State()).startswith("<State tests/machine/test_states.py:")


def test_a_name_that_two_states_have_needs_its_path() -> None:
    def define() -> object:
        class Two(VoiceMachine):
            start = State(initial=True)

            class a(Compound):
                x = State(initial=True)

            class b(Compound):
                x = State(initial=True)

            @transition(source=start, target="x")
            def go(self) -> None: ...

        return Two

    assert the_problem(define) == "target: 'x' could be 'a.x' or 'b.x'; write the whole path"


def test_states_that_do_not_hold_together_are_all_told_with_their_lines() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            one = State(initial=True)
            two = State(initial=True)
            three = four = State()

            class empty(Compound): ...

            class none(Compound):
                a = State()

            class regions(Parallel):
                class a(Compound, initial=True):
                    x = State(initial=True)

            dotted = State(name="a.b")
            same = State(name="one")

        return Bad

    problems = problems_in(define)
    assert [(source_line(problem), str(problem).partition(": ")[2]) for problem in problems] == [
        ("two = State(initial=True)", "Bad has 2 initial states, 'one' and 'two'; keep one"),
        ("three = four = State()", "one state object is assigned to both 'three' and 'four'; make two"),
        ("class empty(Compound): ...", "the state 'empty' has no states of its own; give it some, or make it a State"),
        ("a = State()", "the state 'none' has no initial state; for example a = State(initial=True)"),
        (
            "class a(Compound, initial=True):",
            "'regions.a' is initial, but all states of a Parallel are active at once; leave out initial=True",
        ),
        ('dotted = State(name="a.b")', "a state's name can't be 'a.b'; leave out dots and a leading '#'"),
        ('same = State(name="one")', "two states are called 'one'; rename one"),
    ]


def test_a_machine_without_an_initial_state_is_told_how_to_say_it() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State()

        return Bad

    assert the_problem(define) == "Bad has no initial state; for example idle = State(initial=True)"


@pytest.mark.parametrize(
    ("ref", "told"),
    [
        ("idel", "source: unknown state 'idel'; did you mean 'idle'?"),
        (State(), "source: is a State that no class attribute holds; assign it to a name in the class"),
        (3, "source: 3 is not a state; give a state, an inner class, or a name"),
        (Nested.off, "source: 'off' is not a state of Bad; there are idle"),
    ],
)
def test_a_reference_to_no_state_says_what_it_is(ref: State, told: str) -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)

            @transition(source=ref)
            def go(self) -> None: ...

        return Bad

    assert the_problem(define) == told


def test_a_history_is_not_a_source() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            class on(Compound, initial=True):
                a = State(initial=True)
                last = History()

            @transition(source=on.last)
            def go(self) -> None: ...

        return Bad

    assert the_problem(define) == "source: 'on.last' is a History; it is only a target"


def test_an_event_inside_a_state_is_reported_where_it_belongs() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            class on(Compound, initial=True):
                a = State(initial=True)

                @transition(source="a")  # type: ignore[type-var] # pyright: ignore - the mistake under test
                def go(self) -> None: ...

        return Bad

    expected = "the event 'go' is inside the state 'on'; move it to the machine, where `self` is the machine"
    assert the_problem(define) == expected


def test_a_class_that_was_meant_as_a_state_is_reported_once_and_how() -> None:
    def from_state() -> object:
        class Shop(VoiceMachine):
            class ordering(State, initial=True):  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue] - the mistake
                pass

            done = State()

            @transition(source=ordering, target=done)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue] - the mistake
            def pay(self) -> None: ...

            @transition(source="ordering", target=done)
            def leave(self) -> None: ...

        return Shop

    def plain() -> object:
        class Shop(VoiceMachine):
            class ordering:
                low = State(initial=True)

            done = State(initial=True)

            @transition(source=done, target=ordering)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue] - the mistake
            def pay(self) -> None: ...

        return Shop

    def nested() -> object:
        class Shop(VoiceMachine):
            class on(Compound, initial=True):
                low = State(initial=True)

                class high(State):
                    pass

            @transition(source=on.low, target="on.high")
            def up(self) -> None: ...

        return Shop

    def empty() -> object:
        class Shop(VoiceMachine):
            class ordering: ...

            done = State(initial=True)

            @transition(source=done, target=ordering)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue] - the mistake
            def pay(self) -> None: ...

        return Shop

    derive = "derive it from Compound (or Parallel)"
    assert the_problem(from_state) == f"'ordering' is derived from State, so it is not a state; {derive}"
    assert the_problem(plain) == f"'ordering' is a plain class with states in it, so it is not a state; {derive}"
    assert the_problem(nested) == f"'high' is derived from State, so it is not a state; {derive}"
    assert the_problem(empty) == f"target: the class 'ordering' is not a state; {derive}"


def test_a_kind_of_states_of_ones_own_is_not_a_mistake() -> None:
    class Shop(VoiceMachine):
        class Loud(State):
            pass

        idle = Loud(initial=True)

    assert Shop().state == "idle"


def test_of_a_state_with_a_name_of_the_machines_only_that_is_reported() -> None:
    def define() -> object:
        class Shop(VoiceMachine):
            blocked = State(initial=True)  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType] - the mistake
            done = State()

            @transition(source="blocked", target=done)
            def pay(self) -> None: ...

        return Shop

    assert (
        the_problem(define)
        == "'blocked' is a machine's own attribute; name it 'blocked_' (an event keeps its own name)"
    )


def test_an_event_or_a_guard_with_a_name_of_the_machines_is_told_once() -> None:
    def define() -> object:
        class Shop(VoiceMachine):
            idle = State(initial=True)

            def available(self) -> bool:  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride] - the mistake
                return True

            @transition(source=idle, guard=available)
            def pay(self) -> None: ...

        return Shop

    assert the_problem(define) == "'available' is a machine's own attribute; name it 'available_'"
