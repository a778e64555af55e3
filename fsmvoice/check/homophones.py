"""Whether two English words or numbers are easily heard as each other."""

from __future__ import annotations

import re

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


def sound_alike(one: str, other: str) -> bool:
    """Whether two values are near-homophones: fifteen and fifty, flour and flower."""
    if one.casefold() == other.casefold():
        return False
    numbers = sorted(number for number in (_number(one), _number(other)) if number is not None)
    if len(numbers) == 2:
        return _TEENS.get(numbers[0]) == numbers[1]
    keys = [_key(text) for text in (one, other)]
    return keys[0] == keys[1] and len(keys[0]) > 1


def _number(text: str) -> int | None:
    plain = text.strip().casefold()
    return int(plain) if plain.isdecimal() and plain.isascii() else _WORDS.get(plain)


def _key(text: str) -> str:
    """How a text sounds, roughly."""
    words = re.sub(r"[^a-z ]", "", text.casefold()).split()
    return " ".join(map(_word, words))


def _word(word: str) -> str:
    for pattern, sound in _SPELLINGS:
        word = re.sub(pattern, sound, word)
    return word
