"""Checking that the names and data in a config can be written as JSON."""

from __future__ import annotations

from typing import Any

from pydantic_core import to_json

from fsmvoice.errors import Problem, message_of
from fsmvoice.model.config import FsmConfig, StateConfig
from fsmvoice.model.forms import step
from fsmvoice.model.shapes import is_object


def has_data(config: StateConfig, key: str) -> bool:
    """Whether there is anything to check in the state `key`."""
    own = config.meta is not None or config.output is not None or isinstance(config, FsmConfig)
    return own or not key.isascii() or not all(map(str.isascii, config.on))


def check_data(config: StateConfig, key: str, where: str) -> list[Problem]:
    """The problems with the names and data of the state `key`."""
    problems = [
        Problem(where, f"the name {name!r} contains half a surrogate pair", "type it again")
        for name in (key, *config.on)
        if not (name.isascii() or _is_whole(name))
    ]
    if config.meta is not None:
        problems += _check_json(config.meta, f"{where}.meta")
    if config.output is not None:
        problems += _check_json(config.output, f"{where}.output")
    if isinstance(config, FsmConfig):
        problems += _check_json(config.context, f"{where}.context")
    return problems


def _is_whole(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_json(value: Any, where: str) -> list[Problem]:
    try:
        to_json(value)
    except Exception as error:  # noqa: BLE001, RUF100 - a value's own serializer may raise anything
        if is_object(value):
            inside = [problem for name, item in value.items() for problem in _check_json(item, f"{where}{step(name)}")]
            if inside:
                return inside
        return [Problem(where, f"is not valid JSON: {message_of(error):.200}", "a config contains only data")]
    return []
