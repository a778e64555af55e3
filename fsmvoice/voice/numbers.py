"""Whole numbers as people say them: "forty two", "four two seven", "double five", "the third", "minus 5"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from fsmvoice.voice.roles.roles import Roles

MAX_NUMBERS = 1000
"""So many whole numbers are known as words; larger ones are heard as digits."""
MAX_ORDINALS = 100
MAX_DIGITS = 15
_NOTHING = "(?!)"


class Numbers:
    """How whole numbers are said. The patterns are for texts in the normal form, and have no groups.

    Attributes:
        pattern: a number that can be read.
        other: one with words round it that make it another number, which can't: "half past nine", "five thousand".
    """

    def __init__(self, low: int, high: int, roles: Roles) -> None:
        numerals, space = roles.numerals, " " if roles.spaced else ""
        end = r"(?!\w)" if roles.spaced else ""
        self._minus = [roles.normal(word) for word in numerals.minus]
        self._repeats = {roles.normal(word): times for word, times in numerals.repeats.items()}
        self._digits = {roles.normal(word): str(number) for number, word in enumerate(numerals.digits)}
        self._digits |= {roles.normal(word): "0" for word in numerals.zeros}
        self._words = {roles.normal(word): number for word, number in numerals.counts.items()}
        for text, number in (*_named(low, high, roles.tag, ordinals=False), *_longer(low, high, roles)):
            self._words.setdefault(roles.normal(text), number)
        ordinals = {roles.normal(text): number for text, number in _named(1, MAX_ORDINALS, roles.tag, ordinals=True)}
        digit = rf"(?:\d|{_any(self._digits)})"
        times = f"(?:{_any(self._repeats)}{space})"
        one_by_one = rf"(?:{times}{digit}{end}(?:{space}{times}?{digit}{end})*|{digit}(?:{space}{times}?{digit}{end})+)"
        endings = _any(map(roles.normal, numerals.endings))
        behind_none = "".join(rf"(?<!\b{re.escape(roles.normal(word))} )" for word in numerals.no_ordinal)
        tail = f"(?:{space}{_any(map(roles.normal, numerals.behind_ordinal))})?"
        ranked = r"\d{1,4}" if roles.spaced else rf"(?:\d{{1,4}}|{_any(self._words)})"
        ordinal = rf"{behind_none}(?:{_any(ordinals)}|{ranked}{endings}){tail}"
        self._ordinals = ordinals
        self._ordinal = re.compile(rf"(?:(?P<digits>{ranked}){endings}|(?P<word>{_any(ordinals)})){tail}")
        self._one_by_one = re.compile(rf"{one_by_one}")
        self._piece = re.compile(rf"(?P<times>{_any(self._repeats)})|(?P<digit>{digit})")
        spoken = rf"(?:{one_by_one}|{ordinal}|\d{{1,{MAX_DIGITS}}}|{_compact(self._words)})"
        self.pattern: str = rf"(?:(?:{_any(self._minus)}{space})?{spoken})"
        before, behind = (_any(map(roles.normal, words)) for words in (numerals.before, numerals.behind))
        self.other: str = rf"(?:{before}{space}{spoken}|{spoken}{space}{behind})"

    def value(self, text: str) -> int | None:
        """The number that a text in the normal form is; None if it is none."""
        for minus in self._minus:
            rest = text.removeprefix(minus)
            if rest != text and (found := self._positive(rest.strip())) is not None:
                return -found
        return self._positive(text)

    def _positive(self, text: str) -> int | None:
        if text in self._words:
            return self._words[text]
        if re.fullmatch(rf"\d{{1,{MAX_DIGITS}}}", text):
            return int(text)
        if found := self._ordinal.fullmatch(text):
            return self._positive(found["digits"]) if found["digits"] else self._ordinals[found["word"]]
        digits = "".join(self._said(text)) if self._one_by_one.fullmatch(text) else ""
        return int(digits) if 0 < len(digits) <= MAX_DIGITS else None

    def _said(self, text: str) -> Iterator[str]:
        """The digits of "four double two", one by one."""
        times = 1
        for piece in self._piece.finditer(text):
            if piece["times"]:
                times = self._repeats[piece["times"]]
            else:
                yield self._digits.get(piece["digit"], piece["digit"]) * times
                times = 1

    def words(self) -> Mapping[str, int]:
        """The numbers that are words, in the normal form."""
        return self._words


def _any(words: Iterable[str]) -> str:
    known = "|".join(map(re.escape, sorted(filter(None, words), key=len, reverse=True)))
    return f"(?:{known})" if known else _NOTHING


def _compact(words: Mapping[str, int]) -> str:
    """A pattern of number words that is shorter than all of them: from a hundred on they end in smaller ones."""
    small = {text for text, number in words.items() if number < 100}
    by_number: dict[int, list[str]] = {}
    for text in small:
        by_number.setdefault(words[text], []).append(text)
    whole: set[str] = set()
    heads: set[str] = set()
    for text, number in words.items():
        if number >= 100:
            tails = [tail for tail in by_number.get(number % 100, ()) if number % 100 and text.endswith(tail)]
            if tails:
                heads.add(text.removesuffix(max(tails, key=len)))
            else:
                whole.add(text)
    return f"(?:{_any(heads)}{_any(small)}|{_any(small | whole)})"


def _longer(low: int, high: int, roles: Roles) -> Iterator[tuple[str, int]]:
    for text, number in _named(low, high, roles.tag, ordinals=False):
        for part, longer in roles.numerals.longer.items():
            if part in text:
                yield text.replace(part, longer), number


@lru_cache(maxsize=64)
def _named(low: int, high: int, tag: str, *, ordinals: bool) -> tuple[tuple[str, int], ...]:
    """Numbers in words, where the package that knows them is there."""
    try:
        from unicode_rbnf import FormatPurpose, RbnfEngine  # noqa: PLC0415 - it comes with hassil, of the extra
    except ImportError:
        return ()
    engine = RbnfEngine.for_language(tag)
    purpose = FormatPurpose.ORDINAL if ordinals else FormatPurpose.CARDINAL
    found: dict[str, int] = {}
    for number in range(max(low, 0), min(high, low + MAX_NUMBERS) + 1):
        for text in engine.format_number(number, purpose).text_by_ruleset.values():
            found.setdefault(text, number)
    return tuple(found.items())


def number_words(low: int, high: int, roles: Roles) -> list[str]:
    """Whole numbers as people say them; as digits without the package that knows."""
    try:
        said = _saying(roles.tag)
    except ImportError:
        return [str(number) for number in range(low, high + 1)]
    return [said(number) for number in range(low, high + 1)]


@lru_cache(maxsize=16)
def _saying(language: str) -> Callable[[int], str]:
    """How a language says a whole number; its rules take long to read."""
    from unicode_rbnf import RbnfEngine  # noqa: PLC0415 - it comes with hassil, of the extra

    engine = RbnfEngine.for_language(language)
    return lambda number: engine.format_number(number).text
