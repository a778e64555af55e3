"""XState's dialects: version 4 or 5, config or definition, and the keys that each has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from fsmvoice.model.config import FsmConfig, TransitionConfig, json_keys
from fsmvoice.model.shapes import is_list, is_object

Version = Literal[4, 5]

STATE_KEYS = frozenset(json_keys(FsmConfig)) | {
    "key",
    "order",
    "transitions",
    "onEntry",
    "onExit",
    "activities",
    "parallel",
    "data",
}
TRANSITION_KEYS = frozenset(json_keys(TransitionConfig)) | {
    "cond",
    "in",
    "internal",
    "delay",
    "event",
    "eventType",
    "source",
    "order",
}
DERIVED = frozenset({"key", "order", "transitions"})
"""Keys of a state that only a definition has, and that follow from the rest."""
INVOKE_KEYS = frozenset(
    {
        "src",
        "id",
        "input",
        "onDone",
        "onError",
        "onRestart",
        "meta",
        "type",
        "data",
        "onSnapshot",
        "systemId",
        "autoForward",
        "description",
    }
)
NO_MEANING = {
    "types": "it is for TypeScript only",
    "tsTypes": "it is for TypeScript only",
    "schema": "it is for TypeScript only",
    "schemas": "it is for TypeScript only",
    "predictableActionArguments": "this is always the case",
    "preserveActionOrder": "this is always the case",
    "strict": "an event that no transition takes is refused with a reason",
    "$schema": "it is for editors",
    "delimiter": "targets were rewritten with dots",
}
"""Keys of a machine that have no effect here, and why."""

_V4_STATE = frozenset({"onEntry", "onExit", "activities", "parallel"})
_V4_ROOT = frozenset({"tsTypes", "predictableActionArguments", "preserveActionOrder", "delimiter", "strict"})
_V4_TRANSITION = frozenset({"cond", "internal", "in"})
_V5_TRANSITION = frozenset({"guard", "reenter"})


def is_definition(document: Mapping[str, Any]) -> bool:
    """Whether it is the output of `JSON.stringify(machine)`, not the argument of `createMachine`."""
    return is_list(document.get("transitions")) and "on" in document and ("order" in document or "key" in document)


def version_of(document: Mapping[str, Any]) -> Version | None:
    """The version whose keys the document uses: 5 if it uses those of both, None if of neither."""
    older = bool(_V4_ROOT & document.keys())
    for state in _states(document):
        older |= bool(_V4_STATE & state.keys()) or (state.get("type") == "final" and "data" in state)
        for event, arc in _arcs(state):
            if _V5_TRANSITION & arc.keys():
                return 5
            older |= bool(_V4_TRANSITION & arc.keys()) or event == ""
    return 4 if older else None


def _states(document: Any) -> Iterator[Mapping[str, Any]]:
    waiting = [document]
    while waiting:
        state = waiting.pop()
        if is_object(state):
            yield state
            below = state.get("states")
            waiting += below.values() if is_object(below) else ()


def _arcs(state: Mapping[str, Any]) -> Iterator[tuple[str | None, Mapping[str, Any]]]:
    for key in _HOLDERS & state.keys():
        value = state[key]
        if key == "invoke":
            found: list[tuple[str | None, Any]] = [
                (None, service.get(end)) for service in listed(value) if is_object(service) for end in _ENDS
            ]
        elif key in ("on", "after") and is_object(value):
            found = list(value.items())
        else:
            found = [(None, value)]
        for event, arcs in found:
            if event == "":
                yield event, {}
            for arc in listed(arcs) if not isinstance(arcs, str) else ():
                if is_object(arc):
                    yield event, arc


_HOLDERS = frozenset({"on", "after", "always", "onDone", "invoke"})
_ENDS = ("onDone", "onError")


def listed(value: Any) -> list[Any]:
    """One item or a list of items as a list; None becomes an empty one."""
    return [] if value is None else list(value) if is_list(value) else [value]


def misspelt(key: str, known: frozenset[str]) -> str | None:
    """The known key that differs from `key` in one letter, or in one swap of neighbours."""
    if len(key) < 3:
        return None
    return next((word for word in sorted(known) if len(word) > 1 and _one_letter_apart(key, word)), None)


def _one_letter_apart(one: str, other: str) -> bool:
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest, rest_of_other = one[start:], other[start:]
    if len(one) == len(other):
        swapped = rest[:2] == rest_of_other[:2][::-1] and rest[2:] == rest_of_other[2:]
        return rest[1:] == rest_of_other[1:] or swapped
    return rest[1:] == rest_of_other if len(one) > len(other) else rest == rest_of_other[1:]


def plain(value: Any) -> bool:
    """Whether `value` is data only, without an exported function anywhere in it."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if is_object(item):
            if function_in(item) is not None:
                return False
            waiting += item.values()
        elif is_list(item):
            waiting += item
    return True


def function_in(value: Any) -> str | None:
    """The name of a function exported as `{"__fn": name}` ('' if it has none); None for anything else."""
    if not is_object(value):
        return None
    for key in ("__fn", "__ref"):
        if key in value and isinstance(value[key], str):
            return str(value[key])
    return function_in(value["type"]) if "type" in value else None
