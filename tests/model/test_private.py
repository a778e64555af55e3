"""What is private is shown nowhere, wherever in a context it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, ConfigDict, Field, RootModel

from fsmvoice.model.context import context_type_for
from fsmvoice.model.private import Private


class Card(BaseModel, frozen=True):
    name: str = "ann"
    number: Annotated[str, Private] = Field(default="4711", alias="cardNumber")


class Cards(RootModel[list[Card]]):
    pass


class Holder(BaseModel):
    model_config = ConfigDict(extra="allow")

    card: Card = Card()
    maybe: Card | None = Card()
    many: list[Card] = [Card()]
    pairs: tuple[int, Card] = (1, Card())
    named: dict[str, list[Card]] = {"a": [Card()]}
    some: frozenset[Card] = frozenset({Card()})
    root: Cards = Cards([Card()])
    anything: object = None


@dataclass
class Purse:
    coins: Annotated[int, Private] = 4711
    inner: Holder = field(default_factory=Holder)


SHOWN = {"name": "ann"}


@pytest.mark.parametrize("kind", [Holder, Purse, dict])
def test_a_private_field_of_a_nested_model_never_leaves_the_server(kind: Any) -> None:
    context_type = context_type_for(kind, {"holder": Holder(), "purse": Purse(), "keys": {1: Card(), "1": Card()}})
    context = context_type.initial()
    if kind is Holder:
        context.anything = {"deep": [Card(), Purse()]}
        context.more = Card()
    shown = context_type.dump(context, private=False)
    assert "4711" not in str(shown)
    assert "4711" in str(context_type.dump(context, private=True))


def test_all_else_is_shown() -> None:
    context_type = context_type_for(Holder)
    assert context_type.dump(context_type.initial(), private=False) == {
        "card": SHOWN,
        "maybe": SHOWN,
        "many": [SHOWN],
        "pairs": [1, SHOWN],
        "named": {"a": [SHOWN]},
        "some": [SHOWN],
        "root": [SHOWN],
        "anything": None,
    }


@pytest.mark.parametrize("kind", [Holder, Purse])
def test_and_all_is_stored(kind: Any) -> None:
    context_type = context_type_for(kind)
    context = context_type.initial()
    assert context_type.load(context_type.dump(context, private=True)) == context
