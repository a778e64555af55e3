"""What a class is made into: a config that speaks and survives JSON, and a behaviour; all problems are told at once."""

from __future__ import annotations

import json
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field

from fsmvoice import ANY, Compound, DefinitionError, FsmConfig, Private, State, VoiceMachine, guard, spoken, transition
from fsmvoice.model.parse import parse_config
from fsmvoice.model.tree import Tree, check
from tests.machine.defining import problems_in, source_line, the_problem

Drink = Literal["latte", "tea"]


class Order(BaseModel):
    drink: Drink | None = None
    card: Annotated[str | None, Private] = None


class Coffee(VoiceMachine[Order], id="coffee", version="3", locale="en", restart_when_done=True):
    """Order a coffee.

    By voice.
    """

    idle = State(initial=True, prompt="What would you like?")

    class at_work(Compound):
        brewing = State(initial=True)

    done = State(final=True)

    @guard("We are out of {drink}.")
    def in_stock(self, drink: Drink) -> bool:
        return drink != "tea"

    @spoken(
        "order a drink",
        says="One {drink}.",
        utterances=["{drink} please"],
        answers="yes",
        confirm="{drink}?",
        destructive=True,
        irreversible=True,
        working="One moment.",
    )
    @transition("ORDER", source=idle, target=at_work, guard=in_stock)
    def order(self, drink: Annotated[Drink, Field(description="which drink")]) -> None:
        """Order a drink."""

    @spoken(tool=False)
    @transition(source=at_work.brewing, target=done, reenter=True)
    def ready(self) -> None: ...

    @transition(source=ANY, target=idle)
    def cancel(self) -> None: ...


def test_the_config_says_all_that_was_declared() -> None:
    assert Coffee.config.to_dict() == {
        "id": "coffee",
        "version": "3",
        "description": "Order a coffee.\n\nBy voice.",
        "initial": "idle",
        "context": {"drink": None},
        "on": {"CANCEL": {"target": ".idle", "actions": "cancel"}},
        "states": {
            "idle": {
                "on": {"ORDER": {"target": "at_work", "guard": "in_stock", "actions": "order"}},
                "meta": {"prompt": "What would you like?"},
            },
            "at_work": {
                "initial": "brewing",
                "states": {
                    "brewing": {"on": {"READY": {"target": "#coffee.done", "actions": "ready", "reenter": True}}}
                },
            },
            "done": {"type": "final"},
        },
        "meta": {
            "events": {
                "ORDER": {
                    "label": "order a drink",
                    "says": "One {drink}.",
                    "utterances": ["{drink} please"],
                    "answers": "yes",
                    "confirm": "{drink}?",
                    "destructive": True,
                    "irreversible": True,
                    "working": "One moment.",
                    "description": "Order a drink.",
                },
                "READY": {"tool": False},
            },
            "guards": {"in_stock": {"reason": "We are out of {drink}."}},
            "locale": "en",
            "restartWhenDone": True,
        },
    }


def test_the_config_survives_json_and_holds_together() -> None:
    again = FsmConfig.model_validate_json(Coffee.config.to_json())
    assert again == Coffee.config
    assert check(Tree(again)) == []
    assert parse_config(json.loads(Coffee.config.to_json())).to_dict() == Coffee.config.to_dict()


def test_a_private_field_is_not_in_the_config() -> None:
    assert "card" not in Coffee.config.to_json()


def test_the_payload_is_the_methods_signature() -> None:
    payload = Coffee.chart.behaviour.payloads["ORDER"]
    assert payload.doc == "Order a drink."
    assert payload.json_schema() == {
        "type": "object",
        "properties": {"drink": {"enum": ["latte", "tea"], "type": "string", "description": "which drink"}},
        "additionalProperties": False,
        "required": ["drink"],
    }


def test_events_are_listed_as_they_are_declared() -> None:
    assert Coffee.chart.events == ("ORDER", "READY", "CANCEL")


def test_the_id_is_the_classs_name_if_not_said_and_may_be_left_out() -> None:
    class TwoWords(VoiceMachine):
        idle = State(initial=True)

    class Bare(VoiceMachine, id=""):
        class on(Compound, initial=True):
            a = State(initial=True)
            b = State(final=True)

        off = State(final=True)

        @transition(source=on.a, target=off)
        def leave(self) -> None: ...

        @transition(source=on.a, target=on.b)
        def go(self) -> None: ...

    assert TwoWords.config.id == "two_words"
    assert Bare.config.id is None
    assert Bare().leave.sync().state == "off"


def test_a_docstring_of_the_package_is_not_the_machines() -> None:
    class Silent(VoiceMachine):
        idle = State(initial=True)

    assert Silent.config.description is None


def test_five_mistakes_are_five_problems_each_at_its_line() -> None:
    def define() -> object:
        class Bad(VoiceMachine[Order]):
            idle = State(initial=True, prompt="A {drnk}?")
            ordering = State()

            @transition("ORDER", source="idel", target="ordring", guard="in_stok")
            def order(self, session: str) -> None: ...

            def in_stock(self) -> bool:
                return True

        return Bad

    problems = problems_in(define)
    assert [(source_line(problem), problem.message, problem.hint) for problem in problems] == [
        (
            'idle = State(initial=True, prompt="A {drnk}?")',
            "the prompt of 'idle': the slot {drnk} is not a field of Order",
            "did you mean 'drink'?",
        ),
        (
            '@transition("ORDER", source="idel", target="ordring", guard="in_stok")',
            "ORDER can't have a parameter 'session'",
            "tool calls use this name for the session's handle; rename it",
        ),
        (
            '@transition("ORDER", source="idel", target="ordring", guard="in_stok")',
            "guard: 'in_stok' is not a method of Bad",
            "did you mean 'in_stock'?",
        ),
        (
            '@transition("ORDER", source="idel", target="ordring", guard="in_stok")',
            "source: unknown state 'idel'",
            "did you mean 'idle'?",
        ),
        (
            '@transition("ORDER", source="idel", target="ordring", guard="in_stok")',
            "target: unknown state 'ordring'",
            "did you mean 'ordering'?",
        ),
    ]


def test_the_message_names_the_class_and_counts() -> None:
    with pytest.raises(DefinitionError, match=r"^Bad has 1 problem:\n  tests/machine/test_compile\.py:\d+: "):

        class Bad(VoiceMachine):  # pyright: ignore[reportUnusedClass] - it never comes to be
            idle = State()


def test_one_event_has_one_payload_one_speech_and_one_method_has_one_event() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)

            @spoken("set it")
            @transition("SET", source=idle)
            def drink(self, drink: str) -> None: ...

            @spoken("set it too")
            @transition("SET", source=idle)
            def size(self, size: str) -> None: ...

            @transition("ONE", source=idle)
            @transition("TWO", source=idle)
            def both(self) -> None: ...

            @transition("*", source=idle)
            def everything(self) -> None: ...

        return Bad

    assert [problem.message.partition(", but")[0] for problem in problems_in(define)] == [
        "SET is @spoken twice",
        "SET carries (size: str) in 'size'",
        "'both' is two events, ONE and TWO",
        "'*' can't be an event's name",
    ]


def test_the_same_payload_in_two_methods_is_one_event() -> None:
    class Two(VoiceMachine):
        idle = State(initial=True)
        busy = State()

        @transition("NOTE", source=idle, target=busy)
        def first(self, text: str) -> None:
            self.context["by"] = "first"

        @transition("NOTE", source=busy, target=idle)
        def second(self, text: str) -> None:
            self.context["by"] = "second"

    two = Two()
    assert two.first.sync("x").context["by"] == "first"
    assert two.send_sync("NOTE", text="y").context["by"] == "second"


def test_a_context_that_is_none_is_reported() -> None:
    def define() -> object:
        class Bad(VoiceMachine[int]):
            idle = State(initial=True)

        return Bad

    assert the_problem(define) == (
        "VoiceMachine[...]: int can't be a context; use a pydantic model, a dataclass, or dict"
    )
