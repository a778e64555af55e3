"""Pydantic's validation errors turned into problems with JSON paths and suggestions."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from fsmvoice.errors import Problem, did_you_mean
from fsmvoice.model.config import (
    FsmConfig,
    InitialConfig,
    InvokeConfig,
    Named,
    StateConfig,
    TransitionConfig,
    json_keys,
)
from fsmvoice.model.forms import walk
from fsmvoice.model.shapes import is_list, is_object

_KEYS = {
    "state": json_keys(StateConfig),
    "machine": json_keys(FsmConfig),
    "transition": json_keys(TransitionConfig),
    "invoke": json_keys(InvokeConfig),
    "initial": json_keys(InitialConfig),
    "named": json_keys(Named),
}
_OLDER = {
    "cond": 'write "guard"; XState v4 machines are read by their importer',
    "internal": "leave it out: an arc is internal unless it says reenter",
    "onEntry": 'write "entry"',
    "onExit": 'write "exit"',
    "assign": 'name a function in "actions"; it returns the new context fields',
    "predictableActionArguments": "leave it out: this is always the case",
}


def problems_of(error: ValidationError, data: Any) -> list[Problem]:
    """One `Problem` for each distinct validation error, in document order."""
    found: dict[tuple[str, str], Problem] = {}
    for item in error.errors(include_url=False):
        location = tuple(item["loc"])
        path, here = walk(data, location[:-2] if location[-1:] == ("[key]",) else location)
        problem = _problem(item["type"], item["msg"], location, path, here)
        found.setdefault((problem.where, problem.message), problem)
    return list(found.values())


def without_faults(error: ValidationError, data: Any) -> Any:
    """A copy of `data` without the parts that pydantic rejected, so that the rest can be checked too."""
    twin = copy.deepcopy(data)
    for item in error.errors(include_url=False):
        spot: Any = twin
        parent: Any = None
        last: str | int = ""
        for key in item["loc"]:
            if isinstance(key, int) and not is_list(spot):
                continue
            parent, last = spot, key
            if is_list(spot) and isinstance(key, int) and key < len(spot):
                spot = spot[key]
            elif is_object(spot):
                spot = spot.get(str(key))
        if item["type"] != "missing" and _is_dict(parent):
            parent.pop(last, None)
    return twin


def _is_dict(value: Any) -> bool:
    return isinstance(value, dict)


def _problem(kind: str, message: str, location: tuple[str | int, ...], path: str, here: Any) -> Problem:
    last = str(location[-1]) if location else ""
    if last == "[key]":  # pydantic's word for a key that is wrong itself
        return Problem(path, f"the name {location[-2]} should be a string", f'write "{location[-2]}"')
    if kind == "extra_forbidden":
        hint = _OLDER.get(last) or did_you_mean(last, _keys_at(location[:-1]), otherwise="the keys here are")
        return Problem(path, f"unknown key {last!r}", hint)
    if kind == "missing":
        return Problem(path, "is missing")
    if kind == "value_error":
        return Problem(path, message.removeprefix("Value error, "))
    if kind == "literal_error":
        return Problem(path, f"{here!r} is not allowed", message.replace("Input should be", "it should be"))
    told = re.sub(
        r"a valid dictionary( or instance of \w+)?", "an object", message.replace("Input should be", "should be")
    )
    told = told.replace("a valid ", "a ")
    shown = "an object" if isinstance(here, Mapping) else "a list" if isinstance(here, list) else repr(here)
    return Problem(path, f"{told}, not {shown}" if told.startswith("should be") else told)


def _keys_at(location: tuple[str | int, ...]) -> tuple[str, ...]:
    """The keys allowed in the object at `location`."""
    what, keys = "machine", list(location)
    while keys:
        key = keys.pop(0)
        if isinstance(key, int):
            continue
        if what in ("machine", "state"):
            if key == "states" and keys:
                what = "state"
                keys.pop(0)
            elif key in ("on", "after") and keys:
                what = "transition"
                keys.pop(0)
            else:
                what = {"always": "transition", "onDone": "transition", "invoke": "invoke", "initial": "initial"}.get(
                    str(key), "named"
                )
        elif what == "invoke":
            what = "transition"
        else:
            what = "named"
    return _KEYS[what]
