"""Slots of spoken texts are plain fields, known when the class is made; nothing private is ever spoken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel

from fsmvoice import Private, State, VoiceMachine, after, forbid, guard, spoken, transition
from tests.machine.defining import problems_in, the_problem


@dataclass
class Order:
    drink: str | None = None
    card: Annotated[str, Private] = ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{drnk}", "the slot {drnk} is not a field of Order; did you mean 'drink'?"),
        ("{drink.__class__}", "the slot {drink.__class__} is not a plain field; "),
        ("{drink[0]}", "the slot {drink[0]} is not a plain field; "),
        ("{drink!r}", "the slot {drink!r} is not a plain field; "),
        ("{}", "the slot {} is not a plain field; "),
        ("{card}", "the slot {card} is Private, so it is never spoken; "),
        ("One {drink", "an unmatched brace; write {field}"),
    ],
)
def test_a_prompt_names_fields_only(text: str, told: str) -> None:
    def define() -> object:
        class Says(VoiceMachine[Order]):
            idle = State(initial=True, prompt=["Fine {drink|nothing}.", text])

        return Says

    assert the_problem(define).startswith(f"the prompt of 'idle': {told}")


def test_a_dict_may_hold_anything_but_its_slots_are_plain_too() -> None:
    class Fine(VoiceMachine):
        idle = State(initial=True, prompt="{anything}")

    def define() -> object:
        class Says(VoiceMachine):
            idle = State(initial=True, prompt="{any.thing}")

        return Says

    assert Fine({"anything": "Hello."}).say().startswith("Hello.")
    assert "is not a plain field" in the_problem(define)


def test_texts_of_an_event_may_name_its_parameters_and_the_context() -> None:
    class Fine(VoiceMachine[Order]):
        idle = State(initial=True)

        @guard("{size} {drink} is out.")
        def has(self) -> bool:
            return False

        @spoken(says="{size} {drink}.", confirm="{size}?", utterances=["a {size} one"])
        @transition(source=idle, guard=has)
        def order(self, size: Literal["small"]) -> None: ...

    refused = Fine(Order(drink="tea")).send_sync("ORDER", size="small")
    assert refused.say.startswith("small tea is out.")


def test_each_text_is_checked_against_what_it_can_name() -> None:
    def define() -> object:
        class Bad(VoiceMachine[Order]):
            idle = State(initial=True)
            other = State()

            @guard("{seize} is out.")
            def has(self) -> bool:
                return True

            @spoken(says="{a}", confirm="{b}", working="{c}", utterances=["a {drink} please"])
            @transition(source=idle, target=other, guard=has)
            def order(self, size: Literal["small"]) -> None: ...

            @after(1, source=other, target=idle, says="{size}")
            def wait(self) -> None: ...

            no = forbid("ORDER", source=other, reason="{d}")

        return Bad

    assert {problem.message.partition(" is not")[0].partition(": ")[0] for problem in problems_in(define)} == {
        "the reason of the guard 'has' (for ORDER)",
        "says of ORDER",
        "confirm of ORDER",
        "working of ORDER",
        "the utterance 'a {drink} please'",
        "says of 'wait'",
        "the reason of forbid('ORDER')",
    }


class Line(BaseModel):
    name: str = ""


class Cart(BaseModel):
    line: Line | None = None
    lines: list[Line] = []
    prices: dict[str, int] = {}
    names: list[str] = []
    either: Line | str = ""


@pytest.mark.parametrize(("slot", "kind"), [("line", "Line"), ("lines", "Line"), ("prices", "dict")])
def test_what_has_parts_of_its_own_can_not_be_spoken(slot: str, kind: str) -> None:
    def define() -> object:
        class Says(VoiceMachine[Cart]):
            idle = State(initial=True, prompt=f"Your {{{slot}}}, {{names|nothing}} and {{either|nothing}}.")

        return Says

    told = f"the prompt of 'idle': the slot {{{slot}}} is a {kind}, which can't be spoken; keep what is to be said"
    assert the_problem(define).startswith(told)
