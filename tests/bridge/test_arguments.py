"""Arguments as real clients send them are understood where nothing is lost, and refused where something would be."""

from __future__ import annotations

import datetime as dt
import enum
import json
import math
from decimal import Decimal
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from fsmvoice.bridge.arguments import MAX_DEPTH, Arguments, read_arguments
from fsmvoice.model.payload import REQUIRED, Parameter, Payload

Drink = Literal["latte", "flat white", "espresso"]


class Size(enum.Enum):
    SMALL = "s"
    LARGE = "l"


class Address(BaseModel):
    street: str
    number: int


class Point(TypedDict):
    x: int


def read(annotation: Any, value: Any, default: Any = REQUIRED) -> Arguments:
    return read_arguments(Payload("E", [Parameter("it", annotation, default)]), {"it": value})


@pytest.mark.parametrize(
    ("annotation", "sent", "meant"),
    [
        (int, 5, 5),
        (int, "5", 5),
        (int, " -12 ", -12),
        (int, 3.0, 3),
        (int, "3.0", 3),
        (int | None, "7", 7),
        (Annotated[int, Field(ge=1)], "5", 5),
        (float, 2, 2.0),
        (float, "2.5", 2.5),
        (Decimal, "4.50", Decimal("4.50")),
        (Decimal, 4.5, Decimal("4.5")),
        (bool, True, True),
        (bool, "true", True),
        (bool, "False", False),
        (bool, "no", False),
        (str, "5812", "5812"),
        (str, 5812, "5812"),
        (str, 2.0, "2"),
        (str, "null", "null"),
        (Drink, "latte", "latte"),
        (Drink, "Flat White", "flat white"),
        (Drink, "  FLAT_WHITE", "flat white"),
        (Drink, "flat-white", "flat white"),
        (Size, "l", Size.LARGE),
        (Size, "Large", Size.LARGE),
        (Literal[1, 2], "2", 2),
        (Literal[1, 2], 2.0, 2),
        (list[int], ["1", 2], [1, 2]),
        (list[str], '["a","b"]', ["a", "b"]),
        (dict[str, int], '{"a":"1"}', {"a": 1}),
        (dict, '{"a":1}', {"a": 1}),
        (Address, '{"street":"Elm","number":"3"}', Address(street="Elm", number=3)),
        (Point, {"x": "3"}, {"x": 3}),
        (dt.date, "2026-12-24", dt.date(2026, 12, 24)),
        (int | str, "5", "5"),
        (int | list[int], "5", 5),
    ],
)
def test_what_is_meant_is_understood(annotation: Any, sent: Any, meant: Any) -> None:
    arguments = read(annotation, sent)

    assert arguments.faults == ()
    assert arguments.values == {"it": meant}
    assert type(arguments.values["it"]) is type(meant)


@pytest.mark.parametrize(
    ("annotation", "sent"),
    [
        (int, "12px"),
        (int, ""),
        (int, True),
        (int, 2.5),
        (int, "1e3"),
        (int, []),
        (int, 10**30),
        (int, "9" * 5000),
        (int, "５"),
        (float, True),
        (float, math.nan),
        (float, math.inf),
        (float, "NaN"),
        (float, "Infinity"),
        (bool, 1),
        (bool, "1"),
        (bool, ""),
        (bool, "maybe"),
        (str, []),
        (str, {}),
        (str, True),
        (str, "\ud800"),
        (str, "a\x00b"),
        (Drink, "tea"),
        (Drink, ""),
        (Drink, ["latte"]),
        (Literal[1, 2], True),
        (Size, "xl"),
        (list[int], "1,2"),
        (list[int], [True]),
        (dict, "[]"),
        (dict, '{"a":NaN}'),
        (Address, {"street": "Elm", "number": True}),
        (dt.date, 86400),
        (dt.date, "86400"),
        (int | list[int], "x"),
    ],
)
def test_what_would_be_a_guess_is_refused(annotation: Any, sent: Any) -> None:
    arguments = read(annotation, sent)

    assert arguments.reason == "invalid-arguments"
    assert [(fault.kind, fault.name) for fault in arguments.faults] == [("bad", "it")]


@pytest.mark.parametrize("annotation", [int, str, bool, Drink, Size, list[int], int | None, str | None])
@pytest.mark.parametrize("sent", [None, "null", "NULL "])
def test_null_for_an_optional_argument_is_the_same_as_leaving_it_out(annotation: Any, sent: Any) -> None:
    assert read(annotation, sent, default="the default").values == {"it": "the default"}


def test_null_is_a_value_where_the_type_has_it_and_the_argument_is_required() -> None:
    assert read(int | None, None).values == {"it": None}


def test_null_for_a_required_argument_is_a_missing_one() -> None:
    assert [fault.kind for fault in read(int, None).faults] == ["missing"]


@pytest.mark.parametrize("raw", [None, {}, "", "{}", "null"])
def test_no_arguments_at_all_are_an_empty_object(raw: Any) -> None:
    payload = Payload("E", [Parameter("it", int, 1)])

    assert read_arguments(payload, raw).values == {"it": 1}


@pytest.mark.parametrize("raw", [[], 5, True, "x", "[1]", object()])
def test_arguments_that_are_not_an_object_are_refused(raw: Any) -> None:
    assert read_arguments(Payload("E"), raw).reason == "invalid-arguments"


def test_the_whole_may_be_a_json_text() -> None:
    assert read_arguments(Payload("E", [Parameter("it", int)]), '{"it": "5"}').values == {"it": 5}


def test_an_unknown_argument_is_a_fault_unless_it_is_null() -> None:
    payload = Payload("E", [Parameter("quantity", int, 1)])

    assert [fault.kind for fault in read_arguments(payload, {"quantitiy": 3}).faults] == ["unknown"]
    assert read_arguments(payload, {"quantitiy": None}).values == {"quantity": 1}


def test_everything_that_is_wrong_is_reported_in_the_order_of_the_parameters() -> None:
    payload = Payload("E", [Parameter("a", int), Parameter("b", int), Parameter("c", int)])

    faults = read_arguments(payload, {"c": "x", "b": 1, "z": 1}).faults

    assert [(fault.kind, fault.name) for fault in faults] == [("unknown", "z"), ("missing", "a"), ("bad", "c")]


@pytest.mark.parametrize("payload", [None, Payload("E", [Parameter("it", Any)])])
def test_too_deep_too_long_or_too_many_is_refused(payload: Payload | None) -> None:
    deep: Any = 1
    for _ in range(MAX_DEPTH + 1):
        deep = [deep]

    for value in (deep, "x" * 10_001, list(range(10_001))):
        assert read_arguments(payload, {"it": value}).reason == "limit-exceeded"


def test_an_event_without_a_schema_takes_any_object() -> None:
    assert read_arguments(None, {"a": "5", "b": None}).values == {"a": "5", "b": None}


@pytest.mark.parametrize("value", [math.nan, 10**40, "\udc00", [["\x00"]], {"\ud800": 1}])
def test_without_a_schema_too_nothing_comes_in_that_json_cannot_hold(value: Any) -> None:
    assert read_arguments(None, {"a": value}).reason == "invalid-arguments"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
ORDER = Payload(
    "ORDER",
    [
        Parameter("drink", Drink),
        Parameter("size", Size, Size.SMALL),
        Parameter("cups", Annotated[int, Field(ge=1, le=20)], 1),
        Parameter("price", float | None, None),
        Parameter("to_go", bool, False),
        Parameter("names", list[str], ()),
        Parameter("address", Address | None, None),
    ],
)
NAMES = st.sampled_from([*ORDER.parameters, "drnk"])


@given(st.dictionaries(NAMES, JSON) | JSON)
def test_any_json_is_read_or_refused_and_never_raises(raw: Any) -> None:
    arguments = read_arguments(ORDER, raw)

    if arguments.reason is None:
        assert list(arguments.values) == list(ORDER.parameters)
        assert isinstance(arguments.values["cups"], int)
        assert not isinstance(arguments.values["cups"], bool)
    else:
        assert not arguments.values


@given(st.integers(-(2**63) + 1, 2**63 - 1))
def test_an_integer_survives_every_way_of_writing_it(number: int) -> None:
    for sent in (number, str(number), f" {number} ", f"{number}.0"):
        assert read(int, sent).values == {"it": number}
    assert read(str, number).values == {"it": str(number)}


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_survives_being_sent_as_text(number: float) -> None:
    assert read(float, repr(number)).values == {"it": number}


@given(JSON)
def test_a_structure_survives_being_sent_as_json_text(value: Any) -> None:
    plain = read(dict[str, Any], {"a": value})
    as_text = read(dict[str, Any], json.dumps({"a": value}))

    if plain.reason is None:
        assert as_text == plain


@given(st.sampled_from(["latte", "flat white", "espresso"]), st.data())
def test_a_choice_is_found_whatever_its_case_and_spacing(drink: str, data: st.DataObject) -> None:
    letters = [data.draw(st.sampled_from([char.lower(), char.upper()])) for char in drink]
    sent = "".join(letters).replace(" ", data.draw(st.sampled_from([" ", "  ", "_", "-", "\t"])))

    assert read(Drink, f" {sent}").values == {"it": drink}
