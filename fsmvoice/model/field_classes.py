"""The classes that a model's fields name: values of just these need neither validating nor converting."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from fsmvoice.model.private import is_private

_EXACT = frozenset({str, int, float, bool, bytes, type(None)})


def sure_fields(kind: type[BaseModel]) -> Mapping[str, frozenset[type]] | None:
    """For each field of a model, the classes whose instances satisfy its annotation without further validation.

    None if the model customizes validation.
    """
    decorators = kind.__pydantic_decorators__
    own = decorators.field_validators or decorators.model_validators or decorators.validators
    if own or decorators.root_validators or "model_post_init" in vars(kind) or not _is_ordinary(kind):
        return None
    if kind.__private_attributes__ or hasattr(kind, "__get_validators__"):
        return None
    return {
        name: _classes(field.annotation) if not field.metadata else frozenset()
        for name, field in kind.model_fields.items()
    }


def plain_fields(kind: type[BaseModel]) -> Mapping[str, frozenset[type]] | None:
    """For each field of a model, the classes whose instances are already JSON values.

    None if the model customizes serialization or excludes fields.
    """
    decorators = kind.__pydantic_decorators__
    own = decorators.field_serializers or decorators.model_serializers or decorators.computed_fields
    if (
        own
        or not _is_ordinary(kind)
        or any(field.exclude or getattr(field, "exclude_if", None) for field in kind.model_fields.values())
    ):
        return None
    return {
        name: _written_as_is(field.annotation) if all(map(is_private, field.metadata)) else frozenset()
        for name, field in kind.model_fields.items()
    }


def _is_ordinary(kind: type[BaseModel]) -> bool:
    """Whether a model derives directly from `BaseModel` and customizes nothing."""
    hooks = ("__get_pydantic_core_schema__", "__pydantic_init_subclass__")
    return kind.__mro__[1] is BaseModel and not kind.model_config and not any(hook in vars(kind) for hook in hooks)


def has_only(values: Mapping[str, Any], classes: Mapping[str, frozenset[type]]) -> bool:
    """Whether `values` has exactly these fields, each with an instance of one of its classes."""
    if len(values) != len(classes):
        return False
    for name, value in values.items():  # noqa: SIM110 - a generator would cost more than the rest
        if value.__class__ not in classes.get(name, ()):
            return False
    return True


def _classes(annotation: Any) -> frozenset[type]:
    """The builtin classes of `annotation`, a class or a union of classes; empty for any other annotation."""
    options = typing.get_args(annotation) if _is_union(annotation) else ()
    classes = frozenset(options or (annotation,))
    return classes & _EXACT if all(isinstance(item, type) for item in classes) else frozenset()


def _written_as_is(annotation: Any) -> frozenset[type]:
    """The classes that `annotation` allows, if JSON represents all of them unchanged; otherwise empty."""
    if typing.get_origin(annotation) is typing.Literal:
        literals: tuple[Any, ...] = typing.get_args(annotation)
        found: frozenset[type] = frozenset(value.__class__ for value in literals)
    elif _is_union(annotation):
        parts = [_written_as_is(part) for part in typing.get_args(annotation)]
        found = frozenset(kind for part in parts for kind in part) if all(parts) else frozenset()
    else:
        found = frozenset((annotation,) if isinstance(annotation, type) else ())
    return found if found <= _EXACT - {bytes} else frozenset()


def _is_union(annotation: Any) -> bool:
    return typing.get_origin(annotation) in (typing.Union, types.UnionType)


def named_classes(hint: Any) -> Iterator[type[Any]]:
    """The classes that an annotation names."""
    if isinstance(hint, type) and typing.get_origin(hint) is None:
        yield hint
    for part in typing.get_args(hint):
        yield from named_classes(part)


def reached_classes(hints: Iterable[Any]) -> set[type[Any]]:
    """The classes that annotations name, and those that the fields of these name, and so on."""
    found: set[type[Any]] = set()
    waiting: list[Any] = list(hints)
    while waiting:
        for kind in named_classes(waiting.pop()):
            if kind not in found:
                found.add(kind)
                if issubclass(kind, BaseModel):
                    waiting += [field.annotation for field in kind.model_fields.values()]
                elif dataclasses.is_dataclass(kind):
                    waiting += [field.type for field in dataclasses.fields(kind)]
    return found
