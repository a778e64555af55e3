"""A draft shares nothing that can change with what was committed."""

from dataclasses import InitVar, dataclass, field
from datetime import date
from enum import StrEnum
from threading import Lock
from typing import Any

import pytest
from pydantic import BaseModel, PrivateAttr

from fsmvoice.model.context import ContextError, TypedContext, context_type_for
from tests.model.contexts import Bare, Cart, Computed, Item, Order


def append_item(context: Any) -> None:
    items: Any = context.items if hasattr(context, "count") or hasattr(context, "drink") else context["deep"]
    items.append("x")


@pytest.mark.parametrize("kind", [Order, Cart, dict])
def test_a_draft_shares_nothing_that_can_change(kind: Any) -> None:
    context_type = context_type_for(kind, {"deep": []})
    committed = context_type.initial()
    before = context_type.dump(committed, private=True)
    append_item(context_type.copy(committed))
    assert context_type.dump(committed, private=True) == before


def test_nested_models_are_copied_too() -> None:
    context_type = context_type_for(Order)
    committed = Order(items=[Item(name="a")])
    context_type.copy(committed).items[0].name = "b"
    assert committed.items[0].name == "a"


def test_each_start_context_is_new() -> None:
    context_type = context_type_for(dict, {"items": []})
    context_type.initial()["items"].append(1)
    assert context_type.initial() == {"items": []}


class Colour(StrEnum):
    red = "red"


class Basket(BaseModel, extra="allow"):
    item: Item = Item()
    since: date | None = None
    colour: Colour = Colour.red
    _seen: list[int] = PrivateAttr(default_factory=list[int])

    def see(self, number: int) -> list[int]:
        self._seen.append(number)
        return self._seen


def test_a_draft_shares_nothing_that_can_change_extra_and_private_attributes_neither() -> None:
    kind = context_type_for(Basket)
    start = Basket.model_validate({"more": ["x"]})
    draft = kind.copy(start)
    draft.item.name = "tea"
    draft.more.append("y")
    assert draft.see(1) == [1]
    assert start == Basket.model_validate({"more": ["x"]})
    assert start.see(2) == [2]
    assert draft.colour is Colour.red
    assert kind.check(draft).model_dump() == draft.model_dump()


def test_a_plain_models_copy_is_another_model_with_the_same_values() -> None:
    copier = TypedContext(Bare).copier
    assert copier is not None
    first = Bare(n=3)
    second = copier(first)
    second.n += 1
    assert (first.n, second.n, type(second)) == (3, 4, Bare)


def test_what_is_worked_out_once_is_worked_out_anew_in_a_draft() -> None:
    context_type = context_type_for(Computed)
    committed = context_type.initial()
    assert committed.total == 1
    draft = context_type.copy(committed)
    draft.items.append(2)
    assert draft.total == 3
    assert context_type.check(draft).total == 3


@dataclass
class Made:
    start: InitVar[int] = 3
    count: int = 0
    seen: int = field(default=0, init=False)

    def __post_init__(self, start: int) -> None:
        self.count = start
        self.cache: list[int] = []


def test_a_dataclass_keeps_what_its_making_would_set_otherwise() -> None:
    context_type = context_type_for(Made)
    draft = context_type.copy(context_type.initial())
    draft.count, draft.seen = 4, 5
    draft.cache.append(1)
    checked = context_type.check(draft)
    assert (checked.count, checked.seen, checked.cache) == (4, 5, [])
    loaded = context_type.load(context_type.dump(checked, private=True))
    assert (loaded.count, loaded.seen, loaded.cache) == (4, 5, [])


class Anything(BaseModel):
    thing: object = None
    again: list[Any] = []


@pytest.mark.parametrize("kind", [Anything, dict])
def test_what_can_not_be_copied_is_refused_at_once(kind: Any) -> None:
    context_type = context_type_for(kind)
    context = context_type.initial()
    for name, value in (("thing", Lock()), ("again", [Lock()])):
        draft = context_type.copy(context)
        if kind is dict:
            draft[name] = value
        else:
            setattr(draft, name, value)
        with pytest.raises(ContextError, match=f"'{name}' has a lock, which can't be copied.*attribute of the machine"):
            context_type.check(draft)


def test_a_model_that_holds_itself_is_refused() -> None:
    context = Anything()
    context.again.append(context)
    with pytest.raises(ContextError, match="contains itself"):
        context_type_for(Anything).check(context)
