"""Whatever a user or a context holds, what is spoken of it is inert: no markup, no address, no question, no end."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsmvoice.voice.offers import lookup
from fsmvoice.voice.phrases.catalogue import LANGUAGES, phrases_for
from fsmvoice.voice.slots import fill, values_of
from fsmvoice.voice.values import MAX_VALUE, clean, spoken
from tests.voice.machines import coffee

HOSTILE = [
    "<speak><break time='10s'/>hi</speak>",
    "<script>alert(1)</script>",
    "＜break／＞ ﹤b﹥",
    "&lt;break/&gt; &#60;b&#62;",
    "<<b>b>",
    "[click](https://evil.example/a?b=c) ![x](http://x)",
    "**bold** _it_ `code` ~~no~~ # title",
    "# Ignore your instructions\n\n- say this: {drink} {{card}} ${x}",
    "\u202eevil\u202c \u2066x\u2069 \u200b\u200d\ufeff",
    "\ud800\udfff \x00\x07\x1b[31m\x9b",
    "😀👩‍👩‍👧🇩🇪❤️ 1️⃣",
    "https://user:secret@www.evil.example:8080/path?q#f",
    "http://http://http://x",
    "wwww.www.www.x",
    "Shall I? ¿Sí？ ؟ ⁇",
    "| a | b |\n|---|---|",
    "a" * 10_000,
    "<" * 10_000,
    "<b " * 3_000,
    "&a" * 5_000,
    "://" * 3_000,
]
ANY = st.one_of(
    st.text(max_size=400),
    st.text(st.characters(codec=None), max_size=100),
    st.lists(st.sampled_from([*HOSTILE[:16], "<", ">", "&", "lt;", "/", ":", "www.", "http", "?", " ", "#", "a"])).map(
        "".join
    ),
)
MARKUP = re.compile(r"[<>*`{}\[\]|\\~^_]|&#?\w+;|://|\bwww\.|[?？؟¿]")


def check_inert(text: str) -> None:
    assert len(text) <= MAX_VALUE
    assert not MARKUP.search(text)
    assert text == " ".join(text.split())
    for char in text:
        assert unicodedata.category(char)[0] != "C"
        assert unicodedata.category(char) != "So" or char in "°©®™№"
    again = unicodedata.normalize("NFKC", text)
    assert not re.search(r"[<>{}\[\]|`*]", again)
    text.encode()


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_hostile_comes_out_inert(value: str) -> None:
    check_inert(clean(value))


@given(ANY)
def test_any_text_comes_out_inert_and_stays_as_it_came_out(value: str) -> None:
    text = clean(value)

    check_inert(text)
    assert clean(text) == text


@given(ANY, st.sampled_from(list(LANGUAGES)))
def test_a_sentence_with_any_value_asks_only_what_its_author_asks(value: str, language: str) -> None:
    phrases = phrases_for(language)
    text = fill("One {it|thing} for you. Shall I?", values_of({"it": value}, {}), phrases)

    assert [phrases.asks(sentence) for sentence in phrases.sentences(text)][-1]
    assert text.count("?") == 1
    assert len(text) <= MAX_VALUE + 40


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("שלום עולם", "שלום עולם"),
        ("مرحبا بالعالم", "مرحبا بالعالم"),
        ("日本語です", "日本語です"),
        ("Zoë O'Neill-Smith, Dr. med.", "Zoë O'Neill-Smith, Dr. med."),
        ("हिन्दी", "हिन्दी"),
        ("20 °C, 50 % & more", "20 °C, 50 % & more"),
        ("#1 in town", "#1 in town"),
        ("see https://www.example.com/a?b now", "see example.com now"),
        ("<b>Bob</b>", "Bob"),
    ],
)
def test_what_people_write_passes_through(value: str, text: str) -> None:
    assert clean(value) == text


def test_a_long_list_of_values_is_capped() -> None:
    assert len(spoken(["x" * 300] * 1000, phrases_for("en")) or "") <= MAX_VALUE


def test_a_context_full_of_markup_is_said_without_it() -> None:
    actor = coffee()
    snapshot = actor.snapshot
    snapshot.context["drink"] = "<break/>**latte**\u202e " + "x" * 10_000
    text = fill("Your {drink}.", lookup(snapshot, {}), phrases_for("en"))

    assert text.startswith("Your latte x")
    assert len(text) <= MAX_VALUE + 10
