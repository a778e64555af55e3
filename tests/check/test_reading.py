"""What actions do is read from their source: whether a slot may be empty where it is said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from fsmvoice import Refuse, State, VoiceMachine, guard, spoken, transition
from fsmvoice.check import check
from fsmvoice.model.parse import parse_config
from tests.check.breaking import machine

Cup = Literal["cup", "mug"]


class Base(BaseModel):
    cup: Cup | None = None
    name: str = ""
    items: list[str] = []
    big: bool = False


def found(cls: type[VoiceMachine[Any]]) -> set[str]:
    return {finding.rule for finding in check(cls).findings}


Context = dict[str, Any]


def fills_at_times(context: Context) -> None:
    if context["big"]:
        context["cup"] = "mug"


def fills_either_way(context: Context) -> None:
    if context["big"]:
        context["cup"] = "mug"
    else:
        context["cup"] = "cup"


def fills_or_refuses(context: Context) -> None:
    if context["big"]:
        raise Refuse("It is too big.")
    context["cup"] = "cup"


def fills_in_a_loop(context: Context) -> None:
    for cup in context["cups"]:
        context["cup"] = cup


def fills_and_clears(context: Context) -> None:
    context["cup"] = "cup"
    context["cup"] = None


def returns_it(context: Context) -> Context:
    return {"cup": "mug" if context["big"] else "cup"}


@pytest.mark.parametrize(
    ("action", "empty"),
    [
        (fills_at_times, True),
        (fills_either_way, False),
        (fills_or_refuses, False),
        (fills_in_a_loop, True),
        (fills_and_clears, True),
        (returns_it, False),
    ],
)
def test_a_field_that_is_not_filled_on_every_way_may_be_empty(action: Callable[[Context], Any], empty: bool) -> None:
    config = machine(
        context={"tea": "green", "cup": None, "big": False, "cups": []},
        states__idle__on__ORDER={"target": "asked", "actions": "fill"},
        states__asked__meta__prompt="One {cup} of tea. Shall I make it?",
    )
    told = {finding.rule for finding in check(parse_config(config), functions={"fill": action}).findings}
    assert told == ({"V30"} if empty else set())


def test_a_list_is_empty_until_something_is_put_in() -> None:
    class Listed(VoiceMachine[Base]):
        idle = State(initial=True, prompt="Well?")
        told = State(final=True, prompt="You have {items}.")

        @spoken("finish the list")
        @transition("FINISH", source=idle, target=told)
        def finish(self) -> None:
            self.context.big = True

    class Put(VoiceMachine[Base]):
        idle = State(initial=True, prompt="Well?")
        told = State(final=True, prompt="You have {items}.")

        @spoken("finish the list")
        @transition("FINISH", source=idle, target=told)
        def finish(self) -> None:
            self.context.items.append("tea")

    assert found(Listed) == {"V30"}
    assert found(Put) == set()


def test_an_empty_text_and_an_argument_that_may_be_left_out_are_reported() -> None:
    class Greets(VoiceMachine[Base]):
        idle = State(initial=True, prompt="Hello {name}.")

        @spoken("take something", says="Here is your {cup}.")
        @transition("TAKE", source=idle)
        def take(self, cup: Cup | None = None) -> None:
            self.context.cup = cup

    told = [(finding.name, finding.message) for finding in check(Greets).findings]
    assert told == [
        ("idle", "the slot {name} of the prompt may be empty when 'idle' is entered"),
        ("TAKE", "the slot {cup} of the says may be empty"),
    ]


def test_a_reason_is_said_of_what_is_known_then() -> None:
    class Refuses(VoiceMachine[Base]):
        idle = State(initial=True, prompt="Well?")

        @guard("Your {cup} is full.")
        def has_room(self) -> bool:
            return self.context.cup is None

        @guard("There is no {cup}.")
        def has_cup(self, cup: Cup) -> bool:
            return cup == "mug"

        @spoken("pour some")
        @transition("POUR", source=idle, guard=has_room)
        def pour(self) -> None:
            self.context.big = True

        @spoken("take one")
        @transition("TAKE", source=idle, guard=has_cup)
        def take(self, cup: Cup) -> None:
            self.context.big = False

    (finding,) = check(Refuses).findings
    assert (finding.rule, finding.name) == ("V30", "has_room")


class Named(VoiceMachine[Base]):
    idle = State(initial=True, prompt="Well?")

    @spoken("call it something")
    @transition("CALL", source=idle)
    def call(  # noqa: PLR0917 - an event's parameters, which go by their names
        self,
        text: str,
        maybe: str | None = None,
        several: list[str] = [],  # noqa: B006 - pydantic copies it
        told: Annotated[str, Field(description="what to call it")] = "",
        formed: Annotated[str, Field(pattern="[A-Z]{3}")] = "ABC",
        cup: Cup = "cup",
        cups: list[Cup] = [],  # noqa: B006 - pydantic copies it
    ) -> None:
        self.context.big = True


def test_any_text_wants_a_description() -> None:
    told = [finding.message for finding in check(Named).findings if finding.rule == "V17"]
    assert told == [
        f"the parameter {name!r} may be any string and has no description" for name in ("text", "maybe", "several")
    ]
