"""What a language's words for numbers are, beside the numerals themselves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Numerals:
    """One language. Words are written as people write them.

    Attributes:
        digits: zero to nine, as they are said one by one.
        zeros: what else zero is called among digits: "one oh five".
        repeats: what says the digit behind it several times: "double five".
        counts: amounts that are no numerals: "a dozen".
        minus: words that make a number negative, the usual one first.
        point: the word for the sign before decimals.
        thousands: the sign between thousands; it is left out.
        longer: a part of a numeral, and how it is said as well: "hundred and seven".
        endings: what makes an ordinal of digits: "22nd".
        behind_ordinal: what may follow an ordinal, and says nothing: "the second one".
        no_ordinal: words behind which an ordinal is none: "a second".
        before: words before a number that make it another one: "half past nine".
        behind: words behind a number that make it another one: "five thousand", "three pm".
    """

    digits: Sequence[str]
    zeros: Collection[str] = ()
    repeats: Mapping[str, int] = field(default_factory=dict[str, int])
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    minus: Sequence[str] = ("minus",)
    point: str = "point"
    thousands: str = ","
    longer: Mapping[str, str] = field(default_factory=dict[str, str])
    endings: Collection[str] = ()
    behind_ordinal: Collection[str] = ()
    no_ordinal: Collection[str] = ()
    before: Collection[str] = ()
    behind: Collection[str] = ()
