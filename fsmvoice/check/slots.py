"""Rules about the slots of texts: raw values, and values that may be missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from fsmvoice.check.emptiness import Emptiness
from fsmvoice.check.finding import Found
from fsmvoice.check.rule import rule
from fsmvoice.check.subject import Subject
from fsmvoice.check.wording import all_said
from fsmvoice.model.money import Money
from fsmvoice.model.slots import slots_of
from fsmvoice.voice.formats import parts_of

_CODES = "USD|EUR|GBP|JPY|CHF|INR|CNY|KRW|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|TRY|ZAR"
_SIGNS = "[$€£¥₹₩₽₺₪₫฿¢]"
_BEFORE = re.compile(rf"(?:{_SIGNS}|\b(?:{_CODES}))\s*$")
_AFTER = re.compile(
    rf"\s*(?:{_SIGNS}|(?:{_CODES}|kr|zł|Kč)\b|円|"
    r"(?i:dollars?|bucks|euros?|pounds(?: sterling)?|yen|cents?|pence|francs?|franken|rupees?|pesos?|kronor|kroner|won|"
    r"yuan|centimes|céntimos|dólares)\b)"
)
_DATE = re.compile(
    r"\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d.*)?|\d{1,2}[./]\d{1,2}[./]\d{4}|"
    r"\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?|P(?:\d+[YMWD])*T?(?:\d+[HMS])+",
    re.IGNORECASE,
)


@rule(
    "V20",
    "error",
    source="numbers, money and dates are said differently in each language",
    right='type the field as Annotated[Decimal, Money("EUR")], date or time, and remove the currency from the text',
)
def raw_value(subject: Subject) -> Iterator[Found]:
    """A raw amount, date or time in a slot: a number next to a currency, or a string that holds a date."""
    for said in all_said(subject):
        pieces = slots_of(said.text)
        for number, (before, name, _) in enumerate(pieces):
            if name is None:
                continue
            money = _BEFORE.search(before) or _AFTER.match(pieces[number + 1][0])
            if money and _is_plain_number(subject, name):
                message = f"the slot {{{name}}} is a number next to a currency"
                right = f'{name}: Annotated[Decimal, Money("EUR")], and only {{{name}}} in the text'
                yield Found(said.spot, message, right, locale=subject.told(said.language))
            elif _holds_date(subject, name):
                message = f"the slot {{{name}}} is a string that holds a date or time"
                yield Found(said.spot, message, f"{name} as a date or time", locale=subject.told(said.language))


def _hint(subject: Subject, name: str) -> Any:
    parameter = subject.parameters.get(name)
    hint = subject.chart.behaviour.context.hints.get(name)
    return parameter.annotation if hint is None and parameter is not None else hint


def _is_plain_number(subject: Subject, name: str) -> bool:
    hint = _hint(subject, name)
    if hint is None:
        value = subject.chart.config.context.get(name)
        return isinstance(value, int | float) and not isinstance(value, bool)
    parts = list(parts_of(hint))
    numbers = any(isinstance(part, type) and issubclass(part, int | float | Decimal) for part in parts)
    return numbers and not any(isinstance(part, Money) for part in parts)


def _holds_date(subject: Subject, name: str) -> bool:
    hint = _hint(subject, name)
    if hint is not None and str not in list(parts_of(hint)):
        return False
    value = subject.chart.config.context.get(name)
    return isinstance(value, str) and _DATE.fullmatch(value.strip()) is not None


@rule(
    "V30",
    "warning",
    source="without the value, the rest is often not a sentence",
    right="give the slot a fallback: {drink|your order}",
)
def empty_slot(subject: Subject) -> Iterator[Found]:
    """A slot that may be None or an empty string when it is said.

    A field that starts as None stays None until an action gives it a value. Actions are read, not run; one that can't
    be read is assumed to give every field a value.
    """
    emptiness = Emptiness(subject)
    told: set[tuple[str, str]] = set()
    for said in all_said(subject):
        if said.kind not in ("prompt", "says", "reason", "confirm", "working"):
            continue
        for _, name, fallback in slots_of(said.text):
            if name is not None and fallback is None and (said.text, name) not in told:
                where = emptiness.at(said, name)
                if where is not None:
                    told.add((said.text, name))
                    message = f"the slot {{{name}}} of the {said.kind} may be empty{where}"
                    yield Found(said.spot, message, f"{{{name}|fallback words}}", locale=subject.told(said.language))
