"""Slots are filled with plain values, and nothing a user or a context holds can bring markup into speech."""

from __future__ import annotations

import datetime as dt
import logging
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsmvoice.voice.phrases.en import English
from fsmvoice.voice.slots import fill, values_of, without_values
from fsmvoice.voice.values import MAX_VALUE, clean

EN = English()


def said(text: str, **context: Any) -> str:
    return fill(text, values_of({}, context), EN)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("latte", "latte"),
        ("flat_white", "flat white"),
        ("EXTRA_LARGE", "extra large"),
        (3, "3"),
        (3.0, "3"),
        (2.5, "2.5"),
        (Decimal("4.50"), "4.50"),
        (True, "yes"),
        (["milk", "oat_milk", "sugar"], "milk, oat milk and sugar"),
        (dt.date(2026, 12, 24), "December 24, 2026"),
        (dt.time(14, 5), "2:05 PM"),
        (dt.datetime(2026, 12, 24, 0, 5), "December 24, 2026 at 12:05 AM"),
    ],
)
def test_a_value_is_said_as_people_say_it(value: Any, text: str) -> None:
    assert said("{it}", it=value) == text


@pytest.mark.parametrize("value", [None, "", "  ", {}, {"a": 1}, [], float("nan"), float("inf"), b"x", object()])
def test_what_cannot_be_said_gives_way_to_the_fall_back(value: Any) -> None:
    assert said("Brewing {it|your order}.", it=value) == "Brewing your order."


def test_a_slot_without_value_and_fall_back_is_left_out_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "fsmvoice"):
        assert said("One {size} {drink}, now.", size="large") == "One large, now."
    assert "'drink'" in caplog.text


@pytest.mark.parametrize("slot", ["it.__class__", "it[0]", "it!r", "it:>10", "", "0", "it()"])
def test_a_slot_never_walks_into_a_value(slot: str) -> None:
    assert said("a{" + slot + "}b", it="x") == "ab"


def test_the_payload_comes_before_the_context() -> None:
    lookup = values_of({"drink": "mocha", "size": None}, {"drink": "latte", "size": "small"})

    assert fill("{size} {drink}", lookup, EN) == "small mocha"


def test_a_private_field_is_never_said() -> None:
    lookup = values_of({"card": "4111"}, {"card": "4222"}, frozenset({"card"}))

    assert fill("Card {card|on file}.", lookup, EN) == "Card on file."


def test_a_value_cannot_bring_a_slot_with_it() -> None:
    assert said("{a}", a="{b}", b="secret") == "b"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("<speak>hi</speak>", "hi"),
        ("**bold** `code` [x]{y}", "bold code x y"),
        ("a\x00\x1b[31mb\u202ec\u200bd", "a 31mbcd"),
        ("two\n\nlines", "two lines"),
        ("\ud800", ""),
    ],
)
def test_markup_and_control_characters_are_taken_out(value: str, text: str) -> None:
    assert clean(value) == text


@given(st.text(max_size=1000))
def test_a_cleaned_text_is_short_plain_and_stays_so(value: str) -> None:
    text = clean(value)

    assert len(text) <= MAX_VALUE
    assert not set(text) & set("<>*`{}[]|\n\r\t_")
    assert clean(text) == text


def test_a_text_can_be_read_in_general() -> None:
    assert without_values("Brewing your {drink|order} now.") == "Brewing your … now."
    assert without_values("One {size} {drink}, for {name}.") == "One …, for …"


def test_lists_in_lists_are_said_as_far_as_anyone_can_follow() -> None:
    endless: list[Any] = ["tea"]
    endless.append(endless)
    assert said("{it}.", it=["tea", ["oat", ["skimmed"]]]) == "tea and oat."
    assert said("{it}.", it=endless) == "tea and tea."
