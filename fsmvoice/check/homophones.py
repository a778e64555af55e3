"""English words and numbers that sound alike, such as fifteen and fifty, or flour and flower."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations

_TEENS = {13: 30, 14: 40, 15: 50, 16: 60, 17: 70, 18: 80, 19: 90}
_WORDS = {
    "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_SPELLINGS = (
    (r"(?<=[aeiou][^aeiou])e$", ""),
    (r"^kn|^gn", "n"), (r"^wr", "r"), (r"^wh", "w"), (r"ph", "f"), (r"ght", "t"), (r"gh", ""), (r"ck", "k"),
    (r"c(?=[eiy])", "s"), (r"[cq]", "k"), (r"x", "ks"), (r"z", "s"), (r"mb$", "m"), (r"(?<=[aeiou])w(?=[aeiou])", ""),
    (r"(?<=[aeiou])[wh](?=[^aeiou]|$)", ""), (r"(?:ear|air|are|eir)$", "er"), (r"(?:ee|ea|ie|ei|ey|y)", "i"),
    (r"(?:ai|ay)", "e"), (r"(?:oa|ow|oe|ou)", "o"),
    (r"(.)\1", r"\1"),
)  # fmt: skip


def alike(values: Iterable[str]) -> list[tuple[str, str]]:
    """The pairs of values that sound alike, in the order of the values."""
    by_sound: dict[str, list[str]] = {}
    for value in dict.fromkeys(values):
        by_sound.setdefault(_sound(value), []).append(value)
    return [
        (one, other)
        for sound, same in by_sound.items()
        if len(sound) > 1
        for one, other in combinations(same, 2)
        if one.casefold() != other.casefold()
    ]


def _sound(text: str) -> str:
    """A rough key of how a text sounds. Numbers other than teens and tens are never confused with one another."""
    words = re.sub(r"[^\w ]", "", text.casefold()).split()
    return " ".join(_number(word) or (word if any(map(str.isdigit, word)) else _word(word)) for word in words)


def _number(word: str) -> str:
    """A number as digits, a teen as its ten: "15" and "fifty" are "50". '' for other words."""
    number = int(word) if word.isdecimal() and word.isascii() and len(word) < 9 else _WORDS.get(word)
    return "" if number is None else str(_TEENS.get(number, number))


def _word(word: str) -> str:
    for pattern, sound in _SPELLINGS:
        word = re.sub(pattern, sound, word)
    return word
