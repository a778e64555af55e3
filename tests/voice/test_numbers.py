"""Numbers as people say them, in every language that is heard."""

from __future__ import annotations

import re

import pytest

from fsmvoice.voice.numbers import Numbers
from fsmvoice.voice.roles.languages import LANGUAGES, roles_for


def read(tag: str, text: str) -> int | None:
    roles = roles_for(tag)
    numbers, normal = Numbers(0, 1000, roles), roles.normal(text)
    return numbers.value(normal) if re.fullmatch(numbers.pattern, normal) else None


@pytest.mark.parametrize("tag", LANGUAGES)
def test_each_number_in_words_is_heard_as_itself(tag: str) -> None:
    numbers = Numbers(0, 1000, roles_for(tag))
    pattern = re.compile(numbers.pattern)
    for text, number in numbers.words().items():
        assert pattern.fullmatch(text), text
        assert numbers.value(text) == number, text


@pytest.mark.parametrize(
    ("tag", "text", "number"),
    [
        ("en", "four two seven", 427),
        ("en", "4 2 7", 427),
        ("en", "double five one", 551),
        ("en", "five five one", 551),
        ("en", "triple eight", 888),
        ("en", "one oh five", 105),
        ("en", "oh oh seven", 7),
        ("en", "four hundred and twenty-seven", 427),
        ("en", "the twenty-first", None),
        ("en", "twenty-first", 21),
        ("en", "22nd", 22),
        ("en", "second one", 2),
        ("en", "a dozen", 12),
        ("en", "a couple of", 2),
        ("en", "minus five", -5),
        ("en", "-5", -5),
        ("en", "1,000,000", 1_000_000),
        ("en", "４２", 42),
        ("de", "vier zwei sieben", 427),
        ("de", "zwo", 2),
        ("de", "einundzwanzigsten", 21),
        ("de", "1.000", 1000),
        ("es", "cuatro dos siete", 427),
        ("es", "menos cinco", -5),
        ("fr", "quatre deux", 42),
        ("fr", "quatre-vingt-dix-sept", 97),
        ("fr", "1er", 1),
        ("ja", "四二", 42),
        ("ja", "四十二", 42),
        ("ja", "二つ", 2),
        ("ja", "三番目", 3),
    ],
)
def test_digits_ordinals_amounts_and_signs_are_heard(tag: str, text: str, number: int | None) -> None:
    assert read(tag, text) == number


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("en", "2.5"),
        ("en", "10:30"),
        ("en", "2½"),
        ("en", "3 pm"),
        ("en", "five thousand"),
        ("en", "half past nine"),
        ("en", "two and a half"),
        ("en", "9" * 20),
        ("de", "2,5"),
        ("de", "halb neun"),
        ("es", "dos mil"),
        ("fr", "deux mille"),
        ("ja", "2.5"),
    ],
)
def test_what_is_another_number_is_not_read_as_a_part_of_it(tag: str, text: str) -> None:
    assert read(tag, text) is None


def test_a_second_is_not_a_number() -> None:
    numbers = Numbers(0, 100, roles_for("en"))
    assert re.search(numbers.pattern, "wait a second") is None
    assert re.search(numbers.pattern, "take the second") is not None
