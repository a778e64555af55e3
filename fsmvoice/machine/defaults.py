"""Checking that default values match their annotations, in signatures and contexts."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from typing import Any

import pydantic
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from fsmvoice.errors import Problem


def misfit(annotation: Any, default: Any, *, strict: bool = True) -> str | None:
    """What is wrong with a default; None if it matches its annotation, or can't be checked.

    Args:
        strict: disallow conversion: a parameter's default is used as it is, but a context's is validated.
    """
    if annotation is Any or type(default) is annotation:
        return None
    if typing.get_origin(annotation) is typing.Literal and default in typing.get_args(annotation):
        return None
    try:
        pydantic.TypeAdapter(annotation).validate_python(default, strict=strict)
    except ValidationError as error:
        return str(error.errors(include_url=False)[0]["msg"]).replace("Input should", "should")
    except Exception:  # noqa: BLE001, RUF100 - a type unknown to pydantic, or a user's validator that raised
        return None
    return None


def default_problems(context: type[Any], place: str) -> list[Problem]:
    """Report context fields whose default does not match their type; the first step would fail on them."""
    problems: list[Problem] = []
    for name, annotation, default in _defaults(context):
        told = misfit(annotation, default, strict=False)
        if told is not None:
            message = f"the default of the context field {name!r} is {default!r:.60}, and it {told}"
            problems.append(Problem(place, message, "give one that fits"))
    return problems


def _defaults(context: type[Any]) -> Iterator[tuple[str, Any, Any]]:
    if issubclass(context, BaseModel) or "__is_pydantic_dataclass__" in vars(context):
        known: dict[str, FieldInfo] = context.__pydantic_fields__
        for name, field in known.items():
            if not field.is_required() and field.default_factory is None:
                yield name, field.rebuild_annotation(), field.default
    elif dataclasses.is_dataclass(context):
        for item in dataclasses.fields(context):
            if item.default is not dataclasses.MISSING and not isinstance(item.type, str):
                yield item.name, item.type, item.default
