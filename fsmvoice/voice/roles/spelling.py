"""Words in one spelling, however they were written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from fsmvoice.voice.roles.numerals import Numerals

_ACCENTS = re.compile("[\u0300-\u036f]+")
_NO_WORD = re.compile(r"[^\w']+|_+")
_POINT = re.compile(r"(?<=\d)[.,:/\u2044](?=\d)")
_MINUS = re.compile(r"(?<![\w-])[-\u2212](?=\d)")


def flat(text: str) -> str:
    """Lower case, no accents, no control characters."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    plain = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", plain)))
    return "".join(char for char in plain if char.isspace() or unicodedata.category(char)[0] != "C")


def with_signs(plain: str, numerals: Numerals) -> str:
    """A flat text with the signs of its numbers as words, and without those between thousands."""
    if not any(map(str.isdecimal, plain)):
        return plain
    plain = re.sub(rf"(?<=\d){re.escape(numerals.thousands)}(?=\d{{3}}(?!\d))", "", plain)
    return _MINUS.sub(f" {numerals.minus[0]} ", _POINT.sub(f" {numerals.point} ", plain))


def words_in(plain: str, contractions: Mapping[str, str], endings: Mapping[str, str]) -> list[str]:
    """The words of a flat text, with what is short for more written out."""
    found: list[str] = []
    for word in _NO_WORD.sub(" ", plain).split():
        whole = contractions.get(word)
        found += whole.split() if whole is not None else _written_out(word, endings)
    return found


def _written_out(word: str, endings: Mapping[str, str]) -> Iterator[str]:
    for ending, written in endings.items():
        if word.endswith(ending) and "'" in ending:
            yield from (part for part in (*word[: -len(ending)].split("'"), written) if part)
            return
    yield from (part for part in word.split("'") if part)
