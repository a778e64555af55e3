"""Checking the slots of spoken texts when a class is created: each must name a field or parameter."""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
import typing
from collections.abc import Collection, Iterable, Mapping
from typing import Any, cast

from pydantic import BaseModel

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
            hint = (hints or {}).get(slot, context.hints.get(slot))
            found = _problem(slot, context, payload) or _unspeakable(hint) or _unformatted(hint)
            if found is not None:
                problems.append(Problem(str(place), f"{what}: the slot {{{slot}}} {found[0]}", found[1]))
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


def _unspeakable(hint: Any) -> tuple[str, str] | None:
    """The message and hint for a slot whose values have parts of their own."""
    kind = _structure(hint)
    if kind is None:
        return None
    return f"is a {kind.__name__}, which can't be spoken", "keep what is to be said in a field of its own"


def _structure(hint: Any) -> type[Any] | None:
    """The class of the values of `hint`, if it has parts; of a union, if all but None have."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _structure(arguments[0])
    if origin in (typing.Union, types.UnionType):
        found = [_structure(part) for part in arguments if part is not type(None)]
        return found[0] if found and all(found) else None
    if origin in (list, tuple, set, frozenset):
        return next((kind for kind in map(_structure, arguments) if kind is not None), None)
    kind: Any = origin or hint
    if not inspect.isclass(kind):
        return None
    has_parts = issubclass(kind, (BaseModel, dict)) or dataclasses.is_dataclass(kind)
    return cast("type[Any]", kind) if has_parts else None


def _unformatted(hint: Any) -> tuple[str, str] | None:
    """The message and hint for a slot whose values need Babel, if that is not installed."""
    if hint is None or not needs_babel(hint) or is_installed():
        return None
    return "is a number, an amount, a date or a time; saying it needs Babel", INSTALL
