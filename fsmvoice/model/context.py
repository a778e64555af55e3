"""Making, copying, checking and serializing a machine's context, compiled once for each context type."""

from __future__ import annotations

import dataclasses
import inspect
import logging
import math
import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

import pydantic
import pydantic_core
import typing_extensions
from pydantic import BaseModel, ValidationError
from pydantic_core import to_jsonable_python

from fsmvoice.errors import FsmVoiceError, message_of
from fsmvoice.model.copying import IMMUTABLE, NotData, copied_dict, copier_of, holds_itself, plain, remembered
from fsmvoice.model.field_classes import has_only, plain_fields, sure_fields
from fsmvoice.model.finite import not_finite
from fsmvoice.model.private import is_private, without_private

log: logging.Logger = logging.getLogger("fsmvoice")


class ContextError(FsmVoiceError, ValueError):
    """A context does not match its type. The message names the field."""


class ContextType(ABC):
    """The operations that the engine needs on contexts of one type."""

    type: type[Any]
    fields: tuple[str, ...] | None
    """The field names, or None for a dict, which may have any keys."""
    private: frozenset[str]
    copier: Callable[[Any], Any] | None = None
    """The function behind `copy`, for callers that copy often."""
    hints: Mapping[str, Any] = types.MappingProxyType({})
    """The known field annotations, including `Annotated` metadata."""

    @property
    def known(self) -> tuple[str, ...] | None:
        """The field names, or None where others may be set too."""
        extra = getattr(self.type, "model_config", {}).get("extra")
        return None if extra == "allow" else self.fields

    @abstractmethod
    def initial(self) -> Any:
        """A new start context."""

    @abstractmethod
    def copy(self, context: Any) -> Any:
        """A copy to be used as a draft: containers and models are new, immutable leaves are shared."""

    @abstractmethod
    def check(self, context: Any) -> Any:
        """Validate the field values of `context`, and return it or an equal one.

        Raises:
            ContextError: naming the field.
        """

    @abstractmethod
    def dump(self, context: Any, *, private: bool) -> dict[str, Any]:
        """JSON-ready values by field name, with private fields only if `private`."""

    @abstractmethod
    def load(self, data: Mapping[str, Any]) -> Any:
        """A context from the output of `dump(private=True)`.

        Raises:
            ContextError: naming the field.
        """

    @abstractmethod
    def values(self, context: Any) -> Mapping[str, Any]:
        """The unconverted values of the public fields, for slots in texts."""

    def merge(self, context: Any, update: Mapping[str, Any]) -> Any:
        """A new context with some fields replaced."""
        raise TypeError(
            f"a {self.type.__name__} context is changed in place, not by a returned {type(update).__name__}"
        )


class DictContext(ContextType):
    """A dict with any JSON-ready content: the context of a config, or of a class without a context type."""

    fields: tuple[str, ...] | None
    private: frozenset[str]

    def __init__(self, start: Mapping[str, Any] | None = None) -> None:
        self.type = dict
        self.fields, self.private = None, frozenset()
        self._start = dict(start or {})

    def initial(self) -> dict[str, Any]:
        return copied_dict(self._start)

    def copy(self, context: dict[str, Any]) -> dict[str, Any]:
        return copied_dict(context)

    def check(self, context: Any) -> dict[str, Any]:
        if not issubclass(context.__class__, dict):
            raise ContextError(f"the context is {context.__class__.__name__}; it should be a dict")
        checked: dict[str, Any] = context
        for name, value in checked.items():
            try:
                if holds_itself(value, {id(context)}):
                    raise ContextError(f"the context field {name!r} contains itself, so it can't be copied or stored")
            except NotData as error:
                raise ContextError(f"the context field {name!r} has {error}") from error
        return checked

    def dump(self, context: dict[str, Any], *, private: bool) -> dict[str, Any]:
        if private:
            check_finite(context)
        try:
            data = to_jsonable_python(context, by_alias=False)
            if private:
                return typing.cast("dict[str, Any]", data)
            data = without_private(context, data)
            # Of a model inside, pydantic writes NaN as it is, whatever it is told.
            return typing.cast("dict[str, Any]", to_jsonable_python(data, inf_nan_mode="null"))
        except Exception:  # noqa: BLE001, RUF100 - a value's own serializer may raise anything
            return _writable(context, private=private)

    def load(self, data: Mapping[str, Any]) -> dict[str, Any]:
        return copied_dict(dict(data))

    def values(self, context: dict[str, Any]) -> Mapping[str, Any]:
        return context

    def merge(self, context: dict[str, Any], update: Mapping[str, Any]) -> dict[str, Any]:
        return merged_dict(context, update)


def merged_dict(context: dict[str, Any], update: Mapping[str, Any]) -> dict[str, Any]:
    """`DictContext.merge`."""
    try:
        return {**context, **update}
    except TypeError:
        raise _no_fields(update) from None


class TypedContext(ContextType):
    """A pydantic model or a dataclass."""

    fields: tuple[str, ...] | None
    private: frozenset[str]
    copier: Callable[[Any], Any] | None

    def __init__(self, kind: type[Any], names: Mapping[str, Any] | None = None) -> None:
        self.type = kind
        self.hints: Mapping[str, Any] = _hints(kind, names)
        marks = {name: getattr(hint, "__metadata__", ()) for name, hint in self.hints.items()}
        self.fields = tuple(marks)
        self.private = frozenset(name for name, given in marks.items() if any(is_private(mark) for mark in given))
        # pydantic loads TypeAdapter when the attribute is first read; a config's machine never needs it.
        self._adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(kind)
        if not self._adapter.pydantic_complete:
            self._adapter.rebuild(_types_namespace=dict(names or {}))
        self._validate = self._adapter.validator.validate_python
        self.copier = self._copy = copier_of(kind)
        self._is_model = issubclass(kind, BaseModel)
        self._sure = sure_fields(kind) if self._is_model else None
        self._plain = plain_fields(kind) if self._is_model else None
        self._has_floats = self._plain is not None and any(float in classes for classes in self._plain.values())
        self._write = self._adapter.serializer.to_python
        self._exactly = _exactly(kind, self.hints)
        self._count, self._remembered = len(marks), remembered(kind)
        if self._sure is not None and all(self._sure.values()):
            self.copier = self._copy_plainly

    def initial(self) -> Any:
        try:
            return self.type()
        except (TypeError, ValidationError) as error:
            why = _first(error, self.type) if isinstance(error, ValidationError) else str(error)
            raise ContextError(
                f"a new {self.type.__name__} can't be made without values: {why}; "
                "give its fields defaults, or give the machine a context to start with"
            ) from None

    def copy(self, context: Any) -> Any:
        return self._copy(context)

    def _copy_plainly(self, context: Any) -> Any:
        """Copy a model by strictly validating its values: it changes none of them, and is the fastest way to copy."""
        if type(context) is self.type:
            values = context.__dict__
            if len(values) == self._count:
                try:
                    return self._validate(values, strict=True)
                except ValidationError:  # an unchecked assignment; `check` reports it before the next commit
                    pass
        return self._copy(context)

    def check(self, context: Any) -> Any:
        sure = self._sure
        if sure is not None and type(context) is self.type:
            values = context.__dict__
            if len(values) == self._count:
                # Only models with an empty config are in `_sure`, so there are no extra fields.
                for name, value in values.items():
                    if value.__class__ not in sure.get(name, ()):
                        break
                else:
                    return context
        if not isinstance(context, self.type):
            raise ContextError(f"the context is {type(context).__name__}; it should be a {self.type.__name__}")
        if self._is_model:
            given: dict[str, Any] = {**context.__dict__, **(context.__pydantic_extra__ or {})}
            for name in self._remembered:
                given.pop(name, None)
            return self._validated(given)
        return self._validated({name: getattr(context, name) for name in self.fields or () if hasattr(context, name)})

    def _validated(self, values: Mapping[str, Any], *, strict: bool | None = None) -> Any:
        known = values
        try:
            for value in values.values():
                if value.__class__ not in IMMUTABLE:
                    known = {name: _bare(name, v) for name, v in values.items()}
                    break
            made = self._validate(known, by_alias=False, by_name=True, strict=strict)
            if self._exactly is not None:
                for name, value in self._exactly.validate_python(known, strict=strict).items():
                    object.__setattr__(made, name, value)
            return made
        except ValidationError as error:
            raise ContextError(f"the context field {_first(error, self.type)}") from None
        except RecursionError:
            raise ContextError("the context contains itself, so it can't be copied or stored") from None

    def dump(self, context: Any, *, private: bool) -> dict[str, Any]:
        plain = self._plain
        if plain is not None and type(context) is self.type and has_only(context.__dict__, plain):
            values: dict[str, Any] = context.__dict__
            if self._has_floats and not all(math.isfinite(v) for v in values.values() if v.__class__ is float):
                if private:
                    check_finite(context)
                values = to_jsonable_python(values, inf_nan_mode="null")
            if private:
                return values.copy()
            return {name: value for name, value in values.items() if name not in self.private}
        if private:
            check_finite(context)
        try:
            # A round trip leaves out what is computed: it is no field to be loaded.
            data: dict[str, Any] = self._write(context, mode="json", by_alias=False, round_trip=private, warnings=False)
        except Exception:  # noqa: BLE001, RUF100 - a value's own serializer may raise anything
            data = _writable({name: getattr(context, name) for name in self.fields or ()}, private=private)
        if private:
            return data
        shown = {key: value for key, value in without_private(context, data).items() if key not in self.private}
        return typing.cast("dict[str, Any]", to_jsonable_python(shown, inf_nan_mode="null"))

    def load(self, data: Mapping[str, Any]) -> Any:
        return self._validated(data, strict=False)  # JSON holds no dates and sets; a strict model would take no text

    def values(self, context: Any) -> Mapping[str, Any]:
        return {name: getattr(context, name) for name in self.fields or () if name not in self.private}


def _writable(values: Mapping[str, Any], *, private: bool) -> dict[str, Any]:
    """The fields of a context that can be serialized, when not all can.

    Clients are shown the context without the others, which the log names: the event that set them is already committed.

    Raises:
        ContextError: if `private`, because a store must not lose a field.
    """
    found: dict[str, Any] = {}
    for name, value in values.items():
        try:
            data = to_jsonable_python(value, by_alias=False)
            found[name] = to_jsonable_python(data if private else without_private(value, data), inf_nan_mode="null")
        except Exception as error:  # noqa: BLE001, RUF100 - a value's own serializer may raise anything
            told = f"the context field {name!r} is not valid JSON ({type(value).__name__}: {message_of(error):.200})"
            if private:
                raise ContextError(f"{told}; it can't be stored") from error
            log.warning("%s; it is hidden from clients", told)
    return found


def context_type_for(
    kind: Any, start: Mapping[str, Any] | None = None, *, names: Mapping[str, Any] | None = None
) -> ContextType:
    """The `ContextType` of a pydantic model or dataclass; for `dict`, None or `Any`, of a dict that starts as `start`.

    Args:
        names: the namespace, besides its module, in which to resolve the annotations of a dataclass defined in a
            function.

    Raises:
        TypeError: for any other `kind`.
    """
    if kind in (None, Any, dict) or typing.get_origin(kind) is dict:
        return DictContext(start)
    if inspect.isclass(kind) and issubclass(kind, pydantic.RootModel):
        raise TypeError(f"{kind.__name__} is a RootModel, which has no fields; use a model with a field")
    if inspect.isclass(kind) and (issubclass(kind, BaseModel) or dataclasses.is_dataclass(kind)):
        return TypedContext(kind, names)
    name = kind.__name__ if inspect.isclass(kind) else repr(kind)
    raise TypeError(f"{name} can't be a context; use a pydantic model, a dataclass, or dict")


def _hints(kind: Any, names: Mapping[str, Any] | None) -> dict[str, Any]:
    """The annotation of each field of a model or dataclass, including `Annotated` metadata."""
    if issubclass(kind, BaseModel):
        return {
            name: typing.Annotated[info.annotation, *info.metadata] if info.metadata else info.annotation
            for name, info in kind.model_fields.items()
        }
    hints = typing.get_type_hints(kind, None, dict(names or {}), include_extras=True)
    return {f.name: hints[f.name] for f in dataclasses.fields(kind)}


def _exactly(kind: type[Any], hints: Mapping[str, Any]) -> pydantic_core.SchemaValidator | None:
    """What validates the field values alone, for a dataclass whose making may set them otherwise; else None."""
    if issubclass(kind, BaseModel) or "__is_pydantic_dataclass__" in vars(kind):
        return None
    if not hasattr(kind, "__post_init__") and all(field.init for field in dataclasses.fields(kind)):
        return None
    make: Any = typing_extensions.TypedDict
    fields = make(f"{kind.__name__} fields", dict(hints), total=False)
    return typing.cast("pydantic_core.SchemaValidator", pydantic.TypeAdapter(fields).validator)


def _bare(name: str, value: Any) -> Any:
    try:
        return plain(value)
    except NotData as error:
        raise ContextError(f"the context field {name!r} has {error}") from error


def check_finite(context: Any) -> None:
    """Raise ContextError if a context has a number that JSON, and so a store, can't hold."""
    odd = not_finite(context)
    if odd is not None:
        raise ContextError(f"the context field {odd[0]!r} has the value {odd[1]}, which JSON has no number for")


def _no_fields(update: Any) -> TypeError:
    """The error for an action that returned something other than context fields."""
    if inspect.iscoroutine(update):
        update.close()
        return TypeError("it returned a coroutine that nobody awaits; make it an async function, or await it there")
    return TypeError(f"it returned {type(update).__name__}; an action returns context fields by name, or nothing")


def _first(error: ValidationError, kind: type[Any]) -> str:
    """The first validation error in a few words. Without the value, which may be private: the message is logged."""
    first = error.errors(include_url=False)[0]
    spot = ".".join(str(key) for key in first["loc"]) or kind.__name__
    message = str(first["msg"]).replace("Input should be", "should be")
    return (
        f"{spot!r} {message}"
        if first["type"] == "missing"
        else f"{spot!r} {message} (it is {type(first['input']).__name__})"
    )
