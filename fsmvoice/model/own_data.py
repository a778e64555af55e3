"""What a config holds for its author alone: names, texts and data. They must be JSON, and texts where texts belong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import to_json

from fsmvoice.errors import Problem, did_you_mean, message_of
from fsmvoice.model.config import FsmConfig, StateConfig
from fsmvoice.model.forms import step
from fsmvoice.model.shapes import is_list, is_object


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
    if not problems:
        problems += _check_texts(config.meta, f"{where}.meta")
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
        return [Problem(where, f"is no JSON: {message_of(error):.200}", "a config holds data only")]
    return []


def _check_texts(meta: Mapping[str, Any] | None, where: str) -> list[Problem]:
    if meta is None:
        return []
    problems: list[Problem] = []
    if not (meta.get("prompt") is None or _is_text(meta["prompt"]) or _is_texts(meta["prompt"])):
        problems.append(Problem(f"{where}.prompt", "should be a text, or a list of texts"))
    for section, kinds in (("events", _EVENT), ("guards", _GUARD)):
        entries = meta.get(section)
        if not is_object(entries):
            continue
        for name, entry in entries.items():
            at = f"{where}.{section}{step(name)}"
            if not is_object(entry):
                hint = f"it may hold {', '.join(kinds)}"
                problems.append(Problem(at, f"should be an object, not {entry!r:.60}", hint))
                continue
            for word, value in entry.items():
                kind = kinds.get(word)
                if kind is None and (hint := did_you_mean(word, kinds, otherwise="")).startswith("did"):
                    problems.append(Problem(f"{at}{step(word)}", "is unknown here", hint))
                elif kind is not None and value is not None and not kind[0](value):
                    problems.append(Problem(f"{at}.{word}", f"should be {kind[1]}, not {value!r:.60}"))
    return problems


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_texts(value: Any) -> bool:
    return is_list(value) and bool(value) and all(isinstance(item, str) for item in value)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


_Kinds = Mapping[str, tuple[Callable[[Any], bool], str]]
_TEXT, _FLAG = (_is_text, "a text"), (_is_flag, "true or false")
_EVENT: _Kinds = {
    "label": _TEXT,
    "says": _TEXT,
    "utterances": (lambda value: _is_text(value) or value == [] or _is_texts(value), "a list of texts"),
    "answers": (lambda value: value in ("yes", "no"), '"yes" or "no"'),
    "confirm": _TEXT,
    "destructive": _FLAG,
    "irreversible": _FLAG,
    "working": _TEXT,
    "tool": _FLAG,
    "description": _TEXT,
}
_GUARD: _Kinds = {"reason": _TEXT}
