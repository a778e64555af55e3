"""Spoken forms of numbers, money, dates and times in a locale, by Babel (the extra `voice`)."""

from __future__ import annotations

import datetime as dt
import enum
import importlib.util
import logging
import math
import typing
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from fsmvoice.model.money import Amount, Money
from fsmvoice.voice.languages import fallbacks
from fsmvoice.voice.phrases.phrases import Phrases

logger: logging.Logger = logging.getLogger("fsmvoice")

INSTALL = "pip install 'fsmvoice[voice]'"
_FORMATTED = (float, Decimal, dt.date, dt.time, dt.timedelta)
MAX_PLACES = 12
_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def is_installed() -> bool:
    """Whether Babel is installed."""
    return importlib.util.find_spec("babel") is not None


def needs_babel(annotation: Any) -> bool:
    """Whether values of a type are formatted for a locale: money, floats, dates and times."""
    return any(
        isinstance(part, Money) or (isinstance(part, type) and issubclass(part, _FORMATTED))
        for part in parts_of(annotation)
    )


def is_formatted(value: object) -> bool:
    """Whether `value` is formatted for a locale."""
    return isinstance(value, _FORMATTED)


def parts_of(annotation: Any) -> Iterator[Any]:
    """The types that an annotation is made of, and the metadata of its `Annotated`s."""
    if typing.get_origin(annotation) is typing.Literal:
        yield from (type(value) for value in typing.get_args(annotation))
        return
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return
    arguments = typing.get_args(annotation)
    if not arguments:
        yield annotation
    for argument in arguments:
        yield from parts_of(argument)


def number(value: float | Decimal, phrases: Phrases) -> str | None:
    """A number without thousands separators. Without Babel, it is written as in Python."""
    if isinstance(value, int):
        return str(value) if value.bit_length() < 128 else None
    if not math.isfinite(value):
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    cldr = _cldr()
    if cldr is None:
        return str(value)
    exact = _rounded(value)
    places = max(0, -int(exact.as_tuple().exponent)) if isinstance(value, Decimal) else 0
    pattern = f"0.{'0' * places}" if 0 < places <= MAX_PLACES else "0.############"
    return _line(cldr.format_decimal(exact, pattern, locale=_locale(phrases.tag)))


def money(amount: Amount, phrases: Phrases) -> str | None:
    """An amount with the name of its currency: "4.50 euros", "4 euros"."""
    cldr = _cldr()
    if not math.isfinite(amount.value):
        return None
    if cldr is None:
        _warn("money")
        return None
    value = Decimal(str(amount.value))
    whole = value == value.to_integral_value()
    return _line(
        cldr.format_currency(
            int(value) if whole else value,
            amount.currency,
            "#0" if whole else None,
            locale=_locale(phrases.tag),
            format_type="name",
            currency_digits=not whole,
            group_separator=False,
        )
    )


def date(value: dt.date, phrases: Phrases) -> str | None:
    """A date in long form: "December 24, 2026"."""
    cldr = _cldr()
    if cldr is None:
        _warn("a date")
        return None
    return _line(cldr.format_date(value, "long", locale=_locale(phrases.tag)))


def time(value: dt.time, phrases: Phrases) -> str | None:
    """A time of day, to the minute."""
    cldr = _cldr()
    if cldr is None:
        _warn("a time")
        return None
    pattern = phrases.time_pattern or "short"
    return _line(cldr.format_time(value, pattern, locale=_locale(phrases.tag)))


def duration(value: dt.timedelta, phrases: Phrases) -> str | None:
    """A duration in at most two units: "1 hour and 30 minutes". None for a negative one."""
    cldr = _cldr()
    if value < dt.timedelta():
        return None
    if cldr is None:
        _warn("a length of time")
        return None
    left = round(value.total_seconds())
    counted: list[tuple[str, int]] = []
    for unit, size in _UNITS:
        count, left = divmod(left, size)
        if count or (unit == "second" and not counted):
            counted.append((unit, count))
    first = _UNITS.index(next(unit for unit in _UNITS if unit[0] == counted[0][0]))
    near = [unit for unit, _ in _UNITS[first : first + 2]]
    locale = _locale(phrases.tag)
    said = [
        _line(cldr.format_unit(count, f"duration-{unit}", length="long", locale=locale))
        for unit, count in counted
        if unit in near
    ]
    if not phrases.spaced:
        said = ["".join(words.split()) for words in said]
    return phrases.both(said)


def _rounded(value: float | Decimal) -> Decimal:
    """A float rounded to two decimal places, or below 1 to two significant digits."""
    exact = Decimal(str(value))
    places = max(2, 1 - exact.adjusted()) if exact else 2
    return round(exact, min(places, MAX_PLACES)) if isinstance(value, float) else exact


def _line(text: str) -> str:
    """`text` with plain spaces: CLDR puts narrow ones before "PM" and between digits."""
    return " ".join(text.split())


def _warn(what: str) -> None:
    logger.warning("%s can't be said without Babel; %s", what, INSTALL)


@lru_cache(maxsize=256)
def _locale(tag: str) -> Any:
    cldr = _cldr()
    for candidate in (*fallbacks(tag), "en"):
        try:
            return cldr.Locale.parse(candidate, sep="-")
        except (cldr.UnknownLocaleError, ValueError):
            continue
    return "en"


def _cldr() -> Any:
    """The functions of Babel, or None if it is not installed."""
    try:
        from babel.core import Locale, UnknownLocaleError  # noqa: PLC0415 - an optional extra
        from babel.dates import format_date, format_time  # noqa: PLC0415 - an optional extra
        from babel.numbers import format_currency, format_decimal  # noqa: PLC0415 - an optional extra
        from babel.units import format_unit  # noqa: PLC0415 - an optional extra
    except ImportError:
        return None
    return SimpleNamespace(
        Locale=Locale,
        UnknownLocaleError=UnknownLocaleError,
        format_date=format_date,
        format_time=format_time,
        format_currency=format_currency,
        format_decimal=format_decimal,
        format_unit=format_unit,
    )
