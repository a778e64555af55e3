"""Reading a config from a mapping or JSON text, reporting all problems at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from fsmvoice.errors import DefinitionError, Problem
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.problems import problems_of, without_faults
from fsmvoice.model.shapes import is_object
from fsmvoice.model.texts import check_texts
from fsmvoice.model.tree import MAX_DEPTH, Tree, check


def parse_config(data: FsmConfig | Mapping[str, Any] | str | bytes, subject: str | None = None) -> FsmConfig:
    """Read a config and check every reference in it. `subject` names it in errors, for example by its file name.

    Raises:
        DefinitionError: listing all problems with their JSON paths.
    """
    if isinstance(data, FsmConfig):
        config, name = data, subject or _name(data.id)
    else:
        document = _decoded(data, subject or "the config")
        name = subject or _name(document.get("id"))
        try:
            config = FsmConfig.model_validate(document)
        except ValidationError as error:
            raise DefinitionError(name, [*problems_of(error, document), *_further(error, document)]) from None
    problems = _problems(config)
    if problems:
        raise DefinitionError(name, problems)
    return config


def _problems(config: FsmConfig) -> list[Problem]:
    tree = Tree(config)
    return check(tree) or check_texts(tree)


def _further(error: ValidationError, document: Mapping[str, Any]) -> list[Problem]:
    """Further problems in the parts of the document that pydantic accepted."""
    try:
        rest = FsmConfig.model_validate(without_faults(error, document))
        return _problems(rest)
    except (ValidationError, TypeError):
        return []


def _is_too_deep(document: Any) -> bool:
    """Iterative, because recursion (ours or pydantic's) would overflow on the documents it must detect."""
    level: list[Any] = [document]
    for _ in range(MAX_DEPTH + 1):
        below = [state.get("states") for state in level if is_object(state)]
        level = [state for states in below if is_object(states) for state in states.values()]
    return bool(level)


def _name(machine_id: Any) -> str:
    return f"machine {machine_id!r}" if isinstance(machine_id, str) else "the config"


def _decoded(data: Mapping[str, Any] | str | bytes, name: str) -> Mapping[str, Any]:
    document: Any = data
    if isinstance(data, str | bytes):
        try:
            document = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise DefinitionError(name, [Problem("$", f"is not JSON: {error}")]) from None
    if _is_too_deep(document):
        raise DefinitionError(name, [Problem("$", f"states are nested deeper than {MAX_DEPTH}")])
    if not is_object(document):
        hint = 'a machine is an object: {"initial": ..., "states": {...}}'
        raise DefinitionError(name, [Problem("$", f"is {type(document).__name__}", hint)])
    return document
