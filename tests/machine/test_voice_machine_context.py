"""A context may be a model, a dataclass, frozen too, or a dict."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest
from pydantic import BaseModel

from fsmvoice import ActionFailed, State, VoiceMachine, guard, transition
from fsmvoice.model.context import ContextError
from tests.machine.cafe import Cafe


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
