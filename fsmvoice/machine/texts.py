"""Checking the slots of spoken texts when a class is created: each must name a field or parameter."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from fsmvoice.errors import Problem, did_you_mean
from fsmvoice.machine.place import Place
from fsmvoice.model.context import ContextType
from fsmvoice.model.slots import lone_brace, slots_of
from fsmvoice.voice.formats import INSTALL, is_installed, needs_babel

_PLAIN = re.compile(r"[^\W\d]\w*")


def check_slots(
    texts: Iterable[str],
    place: Place,
    what: str,
    context: ContextType,
    payload: Collection[str] = (),
    *,
    hints: Mapping[str, Any] | None = None,
) -> list[Problem]:
    """The problems with the slots of `texts`.

    Args:
        what: the name of the text in errors, such as "the prompt of 'ordering'".
        payload: parameters that a slot may name, besides the fields of the context.
        hints: the annotations of those parameters.
    """
    problems: list[Problem] = []
    for text in texts:
        for _, slot, _ in slots_of(text):
            if slot is None:
                continue
            found = _problem(slot, context, payload) or _unformatted(slot, context, hints or {})
            if found is not None:
                message, hint = found
                problems.append(Problem(str(place), f"{what}: the slot {{{slot}}} {message}", hint))
        if lone_brace(text):
            problems.append(Problem(str(place), f"{what}: an unmatched brace", "write {field}"))
    return problems


def _problem(slot: str, context: ContextType, payload: Collection[str]) -> tuple[str, str] | None:
    if not _PLAIN.fullmatch(slot):
        return "is not a plain field", "a slot never reads an attribute, an index or a format"
    if slot in payload:
        return None
    if slot in context.private:
        return "is Private, so it is never spoken", "say something else"
    if context.fields is None or slot in context.fields:
        return None
    known = [*payload, *(name for name in context.fields if name not in context.private)]
    owner = f"a field of {context.type.__name__}" + (" or a parameter" if payload else "")
    return f"is not {owner}", did_you_mean(slot, known)


def _unformatted(slot: str, context: ContextType, hints: Mapping[str, Any]) -> tuple[str, str] | None:
    """The message and hint for a slot whose values need Babel, if that is not installed."""
    hint = hints.get(slot, context.hints.get(slot))
    if hint is None or not needs_babel(hint) or is_installed():
        return None
    return "is a number, an amount, a date or a time; saying it needs Babel", INSTALL
