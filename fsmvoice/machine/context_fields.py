"""Context fields whose default does not fit, or that a store would lose or could not read back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pydantic
from pydantic import BaseModel

from fsmvoice.errors import Problem
from fsmvoice.machine.defaults import default_problems
from fsmvoice.model.context import ContextError, ContextType
from fsmvoice.model.field_classes import named_classes

_SECRETS = (pydantic.SecretStr, pydantic.SecretBytes, pydantic.Secret)


def context_problems(context: ContextType, place: str) -> list[Problem]:
    """What is wrong with the fields of a context, and of the models in it."""
    problems = default_problems(context.type, place)
    problems += [Problem(place, message, hint) for message, hint in _lost(context.hints, context.type, "", set())]
    if problems:
        return problems
    try:
        data = context.dump(context.initial(), private=True)
    except Exception:  # noqa: BLE001, RUF100 - it needs values, or has one that only a commit can complain of
        return []
    try:
        context.load(data)
    except ContextError as error:
        told = f"a stored context could not be read back: {error}"
        return [Problem(place, told, "its serializer and its validator should fit each other")]
    except Exception:  # noqa: BLE001, RUF100 - a validator of the user's; a commit tells
        return []
    return []


def _lost(hints: Mapping[str, Any], kind: type[Any], path: str, seen: set[type[Any]]) -> Iterator[tuple[str, str]]:
    seen.add(kind)
    fields = kind.model_fields if issubclass(kind, BaseModel) else {}
    for name, hint in hints.items():
        where = f"the context field {path + name!r}"
        if name in fields and fields[name].exclude:
            told = f"{where} is excluded from what is written, so no store keeps it"
            yield told, "Annotated[..., Private] keeps it from clients alone"
        for part in named_classes(hint):
            if issubclass(part, _SECRETS):
                yield (
                    f"{where} is a {part.__name__}, which is written as stars, so no store keeps it",
                    ("use Annotated[str, Private], which never leaves the server"),
                )
            elif issubclass(part, BaseModel) and part not in seen:
                inner = {key: field.annotation for key, field in part.model_fields.items()}
                yield from _lost(inner, part, f"{path}{name}.", seen)
