"""Compares what our engine did with what XState did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

KEYS = ("value", "status", "context", "output", "tags", "history", "log")


class Difference(NamedTuple):
    """The first step and key in which a case differs."""

    case: str
    key: str
    step: int
    theirs: Any
    ours: Any
    before: Any
    """The state value before that step."""
    event: Any


def first_difference(case: Mapping[str, Any], ours: Sequence[Mapping[str, Any]]) -> Difference | None:
    """The first step that differs in a key that must be equal; None if the case is equal."""
    for number, (theirs, mine) in enumerate(zip(case["steps"], ours, strict=True)):
        for key, their_value, my_value in _pairs(theirs, mine):
            if their_value != my_value:
                event = case["events"][number - 1] if number else "start"
                before = case["steps"][number - 1]["value"] if number else None
                return Difference(case["id"], key, number, their_value, my_value, before, event)
    return None


def _pairs(theirs: Mapping[str, Any], mine: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for key in KEYS:
        if key == "log":
            yield key, [entry[:2] for entry in theirs[key]], [entry[:2] for entry in mine[key]]
        else:
            yield key, theirs[key], mine[key]
