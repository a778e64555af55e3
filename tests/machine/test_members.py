"""Inheritance: what a subclass overrides by name is honoured everywhere, and its base never changes."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any, Literal, Protocol

import pytest

from fsmvoice import Compound, DefinitionWarning, State, VoiceMachine, guard, on_enter, spoken, transition
from tests.machine.defining import problems_in, source_line, the_problem

Size = Literal["small", "large"]


class Base(VoiceMachine, version="7", locale="en", restart_when_done=True):
    """The base."""

    idle = State(initial=True, prompt="Idle.")

    class work(Compound):
        one = State(initial=True, prompt="One.")
        two = State()

    done = State(final=True)

    @guard("Not yet.")
    def ready(self) -> bool:
        return True

    @on_enter(work)
    def hello(self) -> None:
        self.context["log"] = ["base hello"]

    @spoken("begin the work", says="Here we go.")
    @transition(source=idle, target=work, guard=ready)
    def begin(self, size: Size = "small") -> None:
        self.context["size"] = size

    @transition(source=work.one, target=work.two)
    def next_one(self) -> None: ...

    @transition(source=work, target=done)
    def end(self) -> None: ...


class Sub(Base, id="sub"):
    idle = State(initial=True, prompt="Hello!")
    audit = State(prompt="Audited.")

    def ready(self) -> bool:
        return bool(self.context.get("ready"))

    def hello(self) -> None:
        super().hello()
        self.context["log"].append("sub hello")

    @transition(source=Base.work, target=audit)
    def end(self) -> None:
        Base.end.body(self)

    @transition(source=audit, target=Base.done)
    def pass_(self) -> None: ...


def test_a_state_is_replaced_by_name_and_references_to_the_base_still_hold() -> None:
    sub = Sub({"ready": True})
    assert sub.say().startswith("Hello!")
    assert sub.begin.sync().state == {"work": "one"}
    assert Sub.at(Base.idle).matches(Sub.idle)
    assert list(Sub.config.states) == ["idle", "work", "done", "audit"]


def test_a_guard_is_overridden_by_name_and_keeps_its_reason() -> None:
    refused = Sub().send_sync("BEGIN")
    assert refused.reason == "guard-rejected"
    assert refused.say.startswith("Not yet.")
    assert Base().begin.can()


def test_a_hook_stays_a_hook_when_it_is_overridden() -> None:
    assert Sub({"ready": True}).begin.sync().context["log"] == ["base hello", "sub hello"]
    assert Base().begin.sync().context["log"] == ["base hello"]


def test_an_event_is_overridden_with_its_arcs() -> None:
    assert Sub.at(Sub.work).end.sync().state == "audit"
    assert Base.at(Base.work).end.sync().state == "done"


def test_speech_is_inherited_with_the_event_and_not_with_an_override() -> None:
    class Plain(Base):
        @transition(source=Base.idle, target=Base.work)
        def begin(self, size: Size = "small") -> None: ...

    assert Sub.config.meta is not None
    assert Plain.config.meta is not None
    assert Sub.config.meta["events"]["BEGIN"]["label"] == "begin the work"
    assert "BEGIN" not in Plain.config.meta.get("events", {})


def test_class_keywords_but_the_id_are_inherited() -> None:
    assert (Base.config.id, Sub.config.id, Sub.config.version) == ("base", "sub", "7")

    class Other(Sub, version="8"): ...

    assert (Other.config.id, Other.config.version) == ("other", "8")
    assert Other.config.meta is not None
    assert Other.config.meta["restartWhenDone"] is True


def test_what_is_none_is_gone() -> None:
    with pytest.warns(DefinitionWarning, match=r"Less: no transition leads to the state 'work\.two'"):

        class Less(Base):
            next_one = None  # type: ignore[assignment] # pyright: ignore[reportAssignmentType, reportIncompatibleVariableOverride] - taken away

    assert Less.chart.events == ("BEGIN", "END")


def test_an_inner_class_may_extend_its_base() -> None:
    class More(Base):
        class work(Base.work):
            three = State()

        @transition(source=Base.work.two, target=work.three)
        def last_one(self) -> None: ...

    assert More.at(More.work.three).end.sync().state == "done"
    assert list(More.config.states["work"].states) == ["one", "two", "three"]
    assert list(Base.config.states["work"].states) == ["one", "two"]


def test_a_mixin_brings_its_states_and_events() -> None:
    class Helps:
        helping = State(prompt="How can I help?")

        def helper(self) -> str:
            return "x"

    class Helped(Helps, Base):
        @transition(source=Base.idle, target=Helps.helping)
        def ask(self) -> None: ...

        @transition(source=Helps.helping, target=Base.idle)
        def thanks(self) -> None: ...

    assert Helped().ask.sync().state == "helping"


def test_a_machine_may_implement_a_protocol_and_be_abstract() -> None:
    class Named(Protocol):
        def title(self) -> str: ...

    class Abstract(VoiceMachine, Named, abc.ABC):
        idle = State(initial=True)

        @transition(source=idle)
        @abc.abstractmethod
        def go(self, size: Size) -> None: ...

    class Concrete(Abstract):
        def title(self) -> str:
            return "concrete"

        @transition(source=Abstract.idle)
        def go(self, size: Size) -> None: ...

    with pytest.raises(TypeError, match="abstract"):
        Abstract()  # type: ignore[abstract] # pyright: ignore[reportAbstractUsage] - the mistake under test
    assert Concrete().go.sync("small").ok


def test_what_an_override_would_lose_is_reported() -> None:
    def define() -> object:
        class Bad(Base):
            def begin(self) -> None: ...  # type: ignore[override] # pyright: ignore - the mistake under test

            def idle(self) -> None: ...  # type: ignore[override] # pyright: ignore - the mistake under test

            state = State()  # type: ignore[assignment] # pyright: ignore - the mistake under test

            def send_sync(self) -> None: ...  # type: ignore[override] # pyright: ignore - the mistake under test

        return Bad

    told = {problem.message: problem.hint for problem in problems_in(define)}
    assert told["'begin' overrides the event BEGIN by a plain method, so the event is lost"] == (
        "put @transition('BEGIN', source=...) on it, or write `begin = None` to take the event away"
    )
    assert told["'idle' is a state of a base class"].startswith("rename it")
    assert told["'state' is a machine's own attribute"] == "name it 'state_' (an event keeps its own name)"
    assert told["'send_sync' is a machine's own attribute"] == "name it 'send_sync_'"


def test_a_name_used_twice_in_a_body_is_reported_with_both_lines() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)

            @transition(source="idle")
            def go(self) -> None: ...  # pyright: ignore[reportRedeclaration] - the mistake under test

            def go(self) -> None: ...  # type: ignore[no-redef] # noqa: F811 - the mistake under test

            class on(Compound):
                a = State(initial=True)  # pyright: ignore[reportAssignmentType] - the mistake under test

                def a(self) -> None: ...  # type: ignore[no-redef] # noqa: F811 - the mistake under test

        return Bad

    problems = problems_in(define)
    assert [problem.message.partition(" (line")[0] for problem in problems if "already" in problem.message] == [
        "'go' is already an event",
        "'a' is already a state",
    ]
    assert source_line(problems[0]).startswith("def go(self) -> None: ...  # type: ignore")


def plain(machine: VoiceMachine) -> None: ...


@pytest.mark.parametrize("wrap", [classmethod, staticmethod, property])
def test_a_decorator_that_hides_a_transition_or_a_method_is_reported(wrap: Callable[[Any], Any]) -> None:
    def outside() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)
            go = wrap(transition("GO", source=idle)(plain))

        return Bad

    def inside() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)
            go = transition("GO", source=idle)(wrap(plain))

        return Bad

    name = wrap.__name__
    assert the_problem(outside) == f"'go' is an event inside a {name}, so it is lost; leave the {name} out"
    assert the_problem(inside) == (
        f"@transition decorates a {name}; leave the {name} out: the method's first parameter is the running machine"
    )


def test_spoken_and_hooks_on_what_is_not_a_method_are_reported() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)

            @spoken("x")  # type: ignore[type-var] # pyright: ignore - the mistake under test
            def plain(self) -> None: ...

            @transition(source=idle)  # type: ignore[type-var] # the mistake under test
            @spoken("y")  # pyright: ignore - the mistake under test
            def upside_down(self) -> None: ...

            @on_enter(idle)  # type: ignore[arg-type] # pyright: ignore - the mistake under test
            @transition(source=idle)
            def both(self) -> None: ...  # type: ignore[misc] # the mistake under test

        return Bad

    assert [problem.message for problem in problems_in(define)] == [
        "@spoken decorates a function",
        "@spoken decorates a function",
        "@on_enter decorates a Transition",
    ]
