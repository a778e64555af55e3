"""A context that no store could keep is told when its class is made."""

from __future__ import annotations

import warnings
from dataclasses import dataclass as plain_dataclass
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel, Field, RootModel, SecretStr, field_serializer
from pydantic.dataclasses import dataclass

from fsmvoice import State, VoiceMachine, transition
from tests.machine.defining import the_problem


def defining(context: Any) -> Any:
    def define() -> object:
        class Shop(VoiceMachine[context]):
            idle = State(initial=True)

            @transition(source=idle)
            def go(self) -> None: ...

        return Shop

    return define


class Hidden(BaseModel):
    pin: str = Field(default="", exclude=True)


class Card(BaseModel):
    number: SecretStr | None = None


class Purse(BaseModel):
    cards: list[Card] = []


class Priced(BaseModel):
    price: Decimal = Decimal(1)

    @field_serializer("price")
    def written(self, value: Decimal) -> str:
        return f"{value} euros"


class Root(RootModel[list[str]]):
    root: list[str] = []


@pytest.mark.parametrize(
    ("context", "told"),
    [
        (Hidden, "the context field 'pin' is excluded from what is written, so no store keeps it; Annotated[..., Priv"),
        (Card, "the context field 'number' is a SecretStr, which is written as stars, so no store keeps it; use Anno"),
        (Purse, "the context field 'cards.number' is a SecretStr"),
        (Priced, "a stored context could not be read back: the context field 'price' should be a valid decimal"),
        (Root, "VoiceMachine[...]: Root is a RootModel, which has no fields; use a model with a field"),
    ],
)
def test_it_is_reported(context: Any, told: str) -> None:
    assert the_problem(defining(context)).startswith(told)


@dataclass
class Made:
    names: list[str] = Field(default_factory=list)
    count: int = Field(default=1, ge=0)


@plain_dataclass
class Odd:
    data: bytes = b"\xff"


@pytest.mark.parametrize("context", [Made, Odd])
def test_others_are_no_problem_and_no_warning(context: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shop = defining(context)()()
        assert shop.go.sync().ok
        assert shop.chart.definition


def test_a_default_that_does_not_fit_is_told_of_a_pydantic_dataclass_too() -> None:
    @dataclass
    class Bad:
        count: int = Field(default="x")  # type: ignore[assignment] # pyright: ignore - the mistake

    assert the_problem(defining(Bad)).startswith("the default of the context field 'count' is 'x', and it should be")
