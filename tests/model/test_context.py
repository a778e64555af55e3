"""Contexts are checked by their fields, and written without what is private."""

import json
from datetime import date
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    RootModel,
    TypeAdapter,
    field_serializer,
    field_validator,
    model_validator,
)

from fsmvoice.model.context import ContextError, TypedContext, context_type_for
from fsmvoice.model.private import Private
from tests.model.contexts import Bare, Cart, Computed, Item, Order


def test_a_field_set_to_what_its_type_forbids_is_found_and_named() -> None:
    order = Order()
    order.drink = "soup"  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue] - the mistake under test
    with pytest.raises(ContextError, match="'drink' should be"):
        context_type_for(Order).check(order)


def test_a_mistake_inside_a_nested_model_is_found() -> None:
    order = Order(items=[Item()])
    order.items[0].name = 3  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue] - the mistake under test
    with pytest.raises(ContextError, match=r"items\.0\.name"):
        context_type_for(Order).check(order)


def test_a_dataclass_is_checked_by_its_fields() -> None:
    with pytest.raises(ContextError, match="'count'"):
        context_type_for(Cart).check(Cart(count="many"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] - the mistake under test


@pytest.mark.parametrize("kind", [Order, Cart])
def test_private_fields_are_stored_and_never_shown(kind: Any) -> None:
    context_type = context_type_for(kind)
    [name] = context_type.private
    assert name in context_type.dump(context_type.initial(), private=True)
    assert name not in context_type.dump(context_type.initial(), private=False)
    assert name not in context_type.values(context_type.initial())


@pytest.mark.parametrize(
    "context", [Order(drink="tea", items=[Item(name="x")], card="1"), Cart(2, ["a"], "s"), {"a": [1]}]
)
def test_what_is_written_is_read_back(context: Any) -> None:
    context_type = context_type_for(type(context))
    assert context_type.load(context_type.dump(context, private=True)) == context


def test_what_can_be_no_context_is_refused() -> None:
    with pytest.raises(TypeError, match="int can't be a context"):
        context_type_for(int)


class Loose(BaseModel):
    n: int = 1
    anything: Any = None


def endless() -> list[Any]:
    items: list[Any] = []
    items.append(items)
    return items


@pytest.mark.parametrize("value", [object(), print, b"\xff", endless()], ids=["object", "code", "bytes", "endless"])
@pytest.mark.parametrize("kind", [dict, Loose])
def test_what_is_not_json_is_not_shown_to_clients_and_never_stored_half(
    kind: type[Any], value: Any, caplog: pytest.LogCaptureFixture
) -> None:
    context = kind(n=1, anything=value)
    assert context_type_for(kind).dump(context, private=False) == {"n": 1}
    assert "'anything'" in caplog.text
    with pytest.raises(ContextError, match="'anything' is not valid JSON"):
        context_type_for(kind).dump(context, private=True)


class Tally(BaseModel):
    n: int = 0
    name: str | None = None
    few: Annotated[int, Field(le=3)] = 0


class Doubled(BaseModel):
    n: int = 0

    @field_validator("n")
    @classmethod
    def _double(cls, n: int) -> int:
        return 2 * n


def test_values_of_just_the_right_class_are_kept_and_all_others_validated() -> None:
    kind = TypedContext(Tally)
    plain = TypedContext(Bare)
    kept = Bare(n=3)
    assert plain.check(kept) is kept
    wrong: Any = Bare.model_construct(n="4")
    assert plain.check(wrong).n == 4
    with pytest.raises(ContextError, match="'few'"):
        kind.check(Tally.model_construct(n=1, name=None, few=9))


def test_a_model_with_a_validator_is_always_asked() -> None:
    assert TypedContext(Doubled).check(Doubled.model_construct(n=2)).n == 4


def test_a_field_that_was_deleted_is_missed() -> None:
    context = Bare()
    del context.n
    assert TypedContext(Bare).check(context).n == 0


class Simple(BaseModel):
    word: str = ""
    drink: Literal["tea", 7] | None = None
    count: int | bool = 0
    price: float = 0.0
    card: Annotated[str | None, Private] = None


anything = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.just(Item())
)


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@given(st.fixed_dictionaries(dict.fromkeys(Simple.model_fields, anything)), st.booleans())
def test_simple_values_are_written_as_pydantic_writes_them(values: dict[str, Any], private: bool) -> None:
    context = Simple.model_construct(None, **values)
    written = TypeAdapter(Simple).dump_python(context, mode="json")
    if not private:
        del written["card"]
    assert TypedContext(Simple).dump(context, private=private) == written


def test_a_model_that_says_how_it_is_written_is_asked() -> None:
    class Loud(BaseModel):
        word: str = "a"

        @field_serializer("word")
        def shout(self, word: str) -> str:
            return word.upper()

    class Marked(BaseModel):
        word: Annotated[str, PlainSerializer(str.upper)] = "a"

    class Part(BaseModel):
        word: str | Annotated[int, PlainSerializer(lambda _: "A")] = 1

    class Short(BaseModel):
        word: str = "a"
        hidden: str = Field(default="b", exclude=True)

    for kind, written in (
        (Loud, {"word": "A"}),
        (Marked, {"word": "A"}),
        (Part, {"word": "A"}),
        (Short, {"word": "a"}),
    ):
        assert TypedContext(kind).dump(kind(), private=True) == written


def test_a_context_that_holds_itself_is_refused_and_one_that_holds_something_twice_is_not() -> None:
    kind = context_type_for(dict)
    shared: list[Any] = [1]
    assert kind.check({"a": shared, "b": [shared, {"c": shared}]})
    shared.append({"again": shared})
    with pytest.raises(ContextError, match="the context field 'b' contains itself"):
        kind.check({"a": 1, "b": shared})


def test_what_is_computed_is_shown_and_not_stored() -> None:
    context_type = context_type_for(Computed)
    context = context_type.initial()
    assert context_type.dump(context, private=False) == {"items": [1], "count": 1}
    assert context_type.load(context_type.dump(context, private=True)) == context


class Tags(RootModel[list[str]]):
    pass


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")


class Nested(BaseModel):
    tags: Tags = Tags(["a"])
    loose: Open = Open()


def test_a_nested_root_model_and_extra_fields_survive_a_check() -> None:
    context_type = context_type_for(Nested)
    context = context_type.initial()
    context.tags.root.append("b")
    context.loose.more = [1]
    checked = context_type.check(context)
    assert (checked.tags.root, checked.loose.more) == (["a", "b"], [1])


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)

    day: date = date(2026, 1, 1)
    days: set[date] = {date(2026, 1, 2)}
    pair: tuple[int, int] = (1, 2)


def test_a_strict_model_is_read_back_from_json() -> None:
    context_type = context_type_for(Strict)
    context = context_type.initial()
    assert context_type.load(json.loads(json.dumps(context_type.dump(context, private=True)))) == context
    context.day = "2026-01-01"
    with pytest.raises(ContextError, match="'day' should be a valid date"):
        context_type.check(context)


def test_a_validator_may_change_what_it_is_given() -> None:
    class Before(BaseModel):
        count: int = 0

        @model_validator(mode="before")
        @classmethod
        def counted(cls, data: dict[str, int]) -> dict[str, int]:
            data["count"] = 7
            return data

    context = Before.model_construct()
    assert context_type_for(Before).check(context).count == 7
    assert context.count == 0
