"""What a config holds for its author alone: names and data. They must be JSON."""

from __future__ import annotations

from typing import Any

from pydantic_core import to_json

from fsmvoice.errors import Problem, message_of
from fsmvoice.model.config import FsmConfig, StateConfig
from fsmvoice.model.forms import step
from fsmvoice.model.shapes import is_object


def check_data(config: StateConfig, key: str, where: str) -> list[Problem]:
    """What is wrong with the names and data of one state, named `key`."""
    problems = [
        Problem(where, f"the name {name!r} has half a character in it", "write it anew")
        for name in (key, *config.on)
        if not _is_whole(name)
    ]
    own = {"meta": config.meta, "output": config.output}
    if isinstance(config, FsmConfig):
        own["context"] = config.context
    for name, value in own.items():
        if value is not None:
            problems += _check_json(value, f"{where}.{name}")
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
    except Exception as error:  # noqa: BLE001, RUF100 - what stands there may be anything, and fail in its own way
        if is_object(value):
            inside = [problem for name, item in value.items() for problem in _check_json(item, f"{where}{step(name)}")]
            if inside:
                return inside
        return [Problem(where, f"is not valid JSON: {message_of(error):.200}", "a config holds data only")]
    return []
