"""A missing or bad argument is a question that names what would be accepted."""

from __future__ import annotations

import enum
from typing import Annotated, Any, Literal, TypeAlias

import pytest
from pydantic import Field

from fsmvoice.model.payload import REQUIRED, InvalidPayload, Parameter, Payload
from fsmvoice.voice.phrases.en import English
from fsmvoice.voice.questions import Asking, ask, question

EN = English()
Drink = Literal["latte", "espresso", "flat_white"]
Short: TypeAlias = Annotated[str, Field(max_length=1)]


class Cup(enum.Enum):
    SMALL = 1
    EXTRA_LARGE = 2


def payload(**annotations: Any) -> Payload:
    return Payload("ORDER", [Parameter(name, annotation, REQUIRED) for name, annotation in annotations.items()])


def asked(order: Payload, **arguments: Any) -> str:
    with pytest.raises(InvalidPayload) as caught:
        order.validate(arguments)
    return ask(Asking(EN), order, caught.value.faults, "order a drink")


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        (Drink, "Which thing would you like: latte, espresso or flat white?"),
        (Cup, "Which thing would you like: small or extra large?"),
        (bool, "Thing, yes or no?"),
        (int, "What should the thing be, as a whole number?"),
        (Annotated[int, Field(ge=1, le=10)], "What should the thing be, as a whole number from 1 to 10?"),
        (Annotated[int, Field(gt=0)], "What should the thing be, as a whole number of at least 1?"),
        (float, "What should the thing be, as a number?"),
        (str, "What should the thing be?"),
        (list[str], "What should the thing be, one after the other?"),
        (Annotated[str, Field(max_length=20)], "What should the thing be, at most 20 characters?"),
        (Annotated[str, Field(min_length=2, max_length=4)], "What should the thing be, 2 to 4 characters?"),
        (Annotated[str, Field(min_length=5, max_length=5)], "What should the thing be, exactly 5 characters?"),
        (Annotated[str, Field(min_length=1)], "What should the thing be?"),
        (Short | None, "What should the thing be, at most 1 character?"),
        (Annotated[list[str], Field(max_length=3)], "What should the thing be, one after the other, at most 3 items?"),
        (Annotated[int, Field(ge=3, le=3)], "What should the thing be, as a whole number of exactly 3?"),
    ],
)
def test_a_question_says_what_may_be_answered(annotation: Any, text: str) -> None:
    order = payload(thing=annotation)

    assert question(Asking(EN), order, order.parameters["thing"]) == text


def test_only_values_that_are_accepted_now_are_named() -> None:
    order = payload(drink=Drink)

    assert question(Asking(EN), order, order.parameters["drink"], {"drink": ("latte", "flat_white")}) == (
        "Which drink would you like: latte or flat white?"
    )


def test_many_values_are_not_read_out() -> None:
    order = payload(day=Literal["1", "2", "3", "4", "5", "6", "7", "8"])

    assert question(Asking(EN), order, order.parameters["day"]) == "Which day would you like, for example 1, 2 or 3?"


def test_a_missing_argument_is_asked_for() -> None:
    assert asked(payload(drink=Drink)) == "Which drink would you like: latte, espresso or flat white?"


def test_two_missing_arguments_are_both_named_and_one_is_asked_for() -> None:
    assert asked(payload(drink=Drink, extra_shot=bool, name=str)) == (
        "I need the drink and the extra shot. Which drink would you like: latte, espresso or flat white?"
    )


def test_a_wrong_value_is_said_back_without_its_markup() -> None:
    assert asked(payload(drink=Drink), drink="<b>tea</b>") == (
        "Tea isn't one of the choices. Which drink would you like: latte, espresso or flat white?"
    )


def test_a_wrong_value_of_another_kind_is_not_said_back() -> None:
    assert asked(payload(cups=int), cups={"a": 1}) == (
        "I didn't understand the cups. What should the cups be, as a whole number?"
    )


def test_a_number_that_may_not_be_is_said_back() -> None:
    assert asked(payload(cups=Annotated[int, Field(ge=1, le=10)]), cups=11) == (
        "11 isn't possible. What should the cups be, as a whole number from 1 to 10?"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Bartholomew", "That's too long for the name. What should the name be, 2 to 5 characters?"),
        ("B", "That's too short for the name. What should the name be, 2 to 5 characters?"),
    ],
)
def test_a_text_of_another_length_is_told_so_with_the_limit(name: str, text: str) -> None:
    assert asked(payload(name=Annotated[str, Field(min_length=2, max_length=5)]), name=name) == text


def test_an_unknown_argument_is_answered_with_the_nearest_name() -> None:
    assert asked(payload(quantity=int), quantitiy=3) == "I don't know what quantitiy is. Did you mean the quantity?"


def test_an_unknown_argument_that_is_near_to_none_is_answered_with_what_there_is() -> None:
    assert asked(payload(drink=Drink, size=str), colour="red") == (
        "I don't know what colour is. To order a drink, you can tell me the drink or the size."
    )


def test_an_event_without_arguments_says_that_it_needs_none() -> None:
    assert asked(payload(), colour="red") == "I don't know what colour is. To order a drink, I need no details."
