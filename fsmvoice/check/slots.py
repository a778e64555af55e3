"""Rules about the slots of texts: what may stand in them, and what may be missing."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from fsmvoice.check.finding import Found
from fsmvoice.check.rule import rule
from fsmvoice.check.subject import Subject
from fsmvoice.check.ways import Key
from fsmvoice.check.wording import Said, all_said
from fsmvoice.engine.configuration import Plan
from fsmvoice.model.money import Money
from fsmvoice.model.nodes import INTERNAL, Call, Node
from fsmvoice.model.slots import slots_of
from fsmvoice.voice.formats import parts_of

_CURRENCY = "$€£¥₹"
_UNIT = re.compile(r"^\s*(?:[$€£¥₹]|(?:dollars?|euros?|pounds?|yen|cents?|USD|EUR|GBP)\b)", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?|\d\d:\d\d(?::\d\d)?")


@rule(
    "V20",
    "error",
    source="numbers, money and dates are said as the language has them, not as they are written",
    right='type the field: Annotated[Decimal, Money("EUR")], date, time; and leave the sign out of the text',
)
def raw_value(subject: Subject) -> Iterator[Found]:
    """A raw amount, date or time in a slot: a number with a currency beside it, or a text that holds a date."""
    for said in all_said(subject):
        pieces = slots_of(said.text)
        for number, (before, name, _) in enumerate(pieces):
            if name is None:
                continue
            money = before.rstrip()[-1:] in _CURRENCY if before.strip() else False
            if (money or _UNIT.match(pieces[number + 1][0])) and _is_plain_number(subject, name):
                message = f"the slot {{{name}}} is a number beside a currency"
                right = f'{name}: Annotated[Decimal, Money("EUR")], and {{{name}}} alone in the text'
                yield Found(said.spot, message, right, locale=subject.told(said.language))
            elif _holds_date(subject, name):
                message = f"the slot {{{name}}} is a text that holds a date or a time"
                yield Found(said.spot, message, f"{name} as a date or a time", locale=subject.told(said.language))


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
    source="a slot without a value is left out, and what is left is not a sentence",
    right="give the slot words for that case: {drink|your order}",
)
def empty_slot(subject: Subject) -> Iterator[Found]:
    """A slot that may be None where its text is said.

    Followed from the start: a field that begins as None stays so until an action gives it a value. Actions are read,
    not run; one that can't be read is taken to give every field a value.
    """
    nullable = _nullable(subject)
    if not nullable:
        return
    missing = _missing(subject, nullable)
    told: set[tuple[str, str]] = set()
    for said in all_said(subject):
        if said.language != subject.languages[0] or said.kind not in ("prompt", "says", "confirm", "working"):
            continue
        for _, name, fallback in slots_of(said.text):
            if name in nullable and fallback is None and (said.text, name) not in told:
                where = _empty_at(subject, said, name, missing)
                if where:
                    told.add((said.text, name))
                    message = f"the slot {{{name}}} of the {said.kind} may be None{where}"
                    yield Found(said.spot, message, f"{{{name}|other words}}")


def _nullable(subject: Subject) -> frozenset[str]:
    """The context fields that may be None."""
    hints: Mapping[str, Any] = subject.chart.behaviour.context.hints
    if hints:
        private = subject.chart.behaviour.context.private
        return frozenset(name for name, hint in hints.items() if _allows_none(hint) and name not in private)
    return frozenset(name for name, value in subject.chart.config.context.items() if value is None)


def _allows_none(hint: Any) -> bool:
    if typing.get_origin(hint) is typing.Annotated:
        return _allows_none(typing.get_args(hint)[0])
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return any(_allows_none(option) for option in typing.get_args(hint))
    return hint in (None, type(None))


def _missing(subject: Subject, nullable: frozenset[str]) -> dict[Key | None, frozenset[str]]:
    """For each standing the fields that may be None there: joined over all the ways that lead to it."""
    first = subject.contexts[0] if subject.contexts else None
    values: Mapping[str, Any] = {} if first is None else subject.chart.behaviour.context.values(first)
    start = frozenset(name for name in nullable if values.get(name) is None)
    found: dict[Key | None, frozenset[str]] = {None: start}
    changed = True
    while changed:
        changed = False
        for move in subject.ways.moves:
            if move.end is None or move.start not in found:
                continue
            after = found.get(move.end, frozenset()) | _after(subject, found[move.start], move.plan, nullable)
            if move.end not in found or after != found[move.end]:
                found[move.end] = after
                changed = True
    return found


def _after(subject: Subject, before: frozenset[str], plan: Plan, nullable: frozenset[str]) -> frozenset[str]:
    """The fields that may be None after a step, of those that may be before."""
    empty = set(before)
    for operation in plan.operations:
        if not isinstance(operation, Call):
            continue
        reading = subject.reading(operation.name)
        if reading.unknown:
            empty.clear()
        empty -= reading.sets
        empty |= reading.clears & nullable
    return frozenset(empty)


def _empty_at(subject: Subject, said: Said, name: str, missing: Mapping[Key | None, frozenset[str]]) -> str:
    """Where a slot has no value; '' if it always has one."""
    event = said.spot.events[0] if said.spot.events else ""
    parameter = subject.payload(event).parameters.get(name) if event else None
    if parameter is not None and parameter.required and not _allows_none(parameter.annotation):
        return ""
    for move in subject.ways.moves:
        before = missing.get(move.start, frozenset[str]())
        after = _after(subject, before, move.plan, frozenset({name}) | before)
        if said.kind == "prompt":
            if name in after and said.spot.states and said.spot.states[0] in move.plan.entered:
                return _on(move.event, move.plan.entered[-1])
        elif event and event == move.event and name in (before if said.kind == "confirm" else after):
            return "" if move.before is None else f" in {_innermost(subject, move.before.leaves)}"
    return ""


def _innermost(subject: Subject, leaves: tuple[int, ...]) -> str:
    return repr(" and ".join(str(subject.chart.nodes[leaf]) for leaf in leaves))


def _on(event: str, node: Node) -> str:
    if not event or event.startswith(INTERNAL):
        return f" when {str(node)!r} is entered"
    return f" when {event} leads here"
