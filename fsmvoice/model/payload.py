"""`Payload`: the typed parameters of an event, their validation, and their JSON Schema."""

from __future__ import annotations

import enum
import inspect
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self, Union

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python

from fsmvoice.errors import FsmVoiceError, did_you_mean
from fsmvoice.model.copying import copied
from fsmvoice.model.schema import plain_schema, quiet
from fsmvoice.model.values import Values

REQUIRED: Any = inspect.Parameter.empty
"""The `default` of a parameter that has none."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an event."""

    name: str
    annotation: Any
    default: Any = REQUIRED
    description: str = ""

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    @property
    def choices(self) -> tuple[Any, ...] | None:
        """All possible values if the type lists them (Literal, Enum, bool, `Values`); otherwise None."""
        return choices_of(self.annotation)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with an event's arguments. For an unknown one, `hint` names the nearest parameter."""

    kind: Literal["missing", "bad", "unknown"]
    name: str
    message: str
    value: Any = None
    hint: str = ""


class InvalidPayload(FsmVoiceError, ValueError):
    """The arguments of an event do not match its parameters; `faults` lists how."""

    event: str
    faults: tuple[Fault, ...]

    def __init__(self, event: str, faults: Sequence[Fault]) -> None:
        self.event, self.faults = event, tuple(faults)
        super().__init__(f"{event}: " + "; ".join(fault.message for fault in self.faults))


class Payload:
    """The parameters of one event. Its pydantic model is built on first use."""

    event: str
    doc: str

    def __init__(self, event: str, parameters: Sequence[Parameter] = (), *, doc: str = "") -> None:
        self.event, self.doc = event, doc
        self.parameters: Mapping[str, Parameter] = {parameter.name: parameter for parameter in parameters}
        self._given: type[BaseModel] | None = None

    @classmethod
    def from_model(cls, event: str, model: type[BaseModel]) -> Self:
        """The payload described by a pydantic model, whose validators are run."""
        hints = typing.get_type_hints(model, include_extras=True)
        parameters = [
            Parameter(
                info.alias or name,
                hints.get(name, info.annotation),
                REQUIRED if info.is_required() else info.get_default(call_default_factory=True),
                info.description or "",
            )
            for name, info in model.model_fields.items()
        ]
        payload = cls(event, parameters, doc=inspect.getdoc(model) or "" if model.__doc__ else "")
        payload._given = model
        return payload

    @cached_property
    def model(self) -> type[BaseModel]:
        """The pydantic model that validates arguments."""
        if self._given is not None:
            return self._given
        fields: dict[str, Any] = {
            f"p{number}_": (parameter.annotation, _field(parameter))
            for number, parameter in enumerate(self.parameters.values())
        }
        config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)
        return create_model(f"{self.event} payload", __config__=config, **fields)

    @cached_property
    def texts(self) -> Mapping[str, frozenset[str]]:
        """For each parameter whose choices are all strings, those choices."""
        listed = {name: parameter.choices for name, parameter in self.parameters.items()}
        return {
            name: frozenset(choices)
            for name, choices in listed.items()
            if choices and all(choice.__class__ is str for choice in choices)
        }

    def validate(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The validated arguments by parameter name, with defaults filled in.

        Raises:
            InvalidPayload: listing every fault.
        """
        if not arguments and not self.parameters:
            return {}
        model, faults = self.model, list[Fault]()
        unknown: tuple[str, ...] = ()
        if not arguments.keys() <= self.parameters.keys():
            unknown = tuple(name for name in arguments if name not in self.parameters)
            faults = [
                Fault("unknown", name, f"there is no {name!r}", arguments[name], did_you_mean(name, self.parameters))
                for name in unknown
            ]
        try:
            known = {k: v for k, v in arguments.items() if k not in unknown} if unknown else dict(arguments)
            checked: Any = model.__pydantic_validator__.validate_python(known)
        except ValidationError as error:
            raise InvalidPayload(self.event, [*faults, *self._faults(error)]) from None
        if faults:
            raise InvalidPayload(self.event, faults)
        values: dict[str, Any] = checked.__dict__
        return {name: values[field] for name, field in self._fields}

    @cached_property
    def _fields(self) -> tuple[tuple[str, str], ...]:
        """Pairs of parameter name and model field name."""
        return tuple(zip(self.parameters, self.model.model_fields, strict=True))

    def _faults(self, error: ValidationError) -> list[Fault]:
        faults: dict[str, Fault] = {}
        for item in error.errors(include_url=False, include_context=False):
            name = str(item["loc"][0]) if item["loc"] else ""
            if item["type"] == "missing" and len(item["loc"]) == 1:
                faults.setdefault(name, Fault("missing", name, f"{name!r} is missing"))
            else:
                told = str(item["msg"]).replace("Input should be", "should be").removeprefix("Value error, ")
                faults.setdefault(name, Fault("bad", name, f"{name!r} {told}", item["input"]))
        return list(faults.values())

    @cached_property
    def _schema(self) -> dict[str, Any]:
        """The schema without `accepted`; cached because pydantic takes about a millisecond to build it."""
        return (
            plain_schema(self.model.model_json_schema(by_alias=True, schema_generator=quiet()))
            if self.parameters
            else {}
        )

    def json_schema(self, accepted: Mapping[str, Sequence[Any]] | None = None) -> dict[str, Any]:
        """An object schema that every MCP host accepts: no combinator at the top, no `$schema`, no `default: null`.

        Args:
            accepted: for some parameters, the values to offer as `enum`.
        """
        schema: dict[str, Any] = copied(self._schema)
        properties: dict[str, Any] = schema.get("properties", {})
        for name, values in (accepted or {}).items():
            if name in properties:
                properties[name] = {**properties[name], "enum": [json_value(value) for value in values]}
        result: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
        if schema.get("required"):
            result["required"] = schema["required"]
        return result


def _field(parameter: Parameter) -> FieldInfo:
    options: dict[str, Any] = {"alias": parameter.name}
    if parameter.description:
        options["description"] = parameter.description
    info: FieldInfo = Field(**options) if parameter.required else Field(default=parameter.default, **options)
    return info


def choices_of(annotation: Any) -> tuple[Any, ...] | None:
    """Every value that `annotation` allows, if it is a Literal, Enum, bool, `Values`, or a union of those and None."""
    if typing.get_origin(annotation) is typing.Annotated:
        for mark in typing.get_args(annotation)[1:]:
            if isinstance(mark, Values):
                return mark.values
        return choices_of(typing.get_args(annotation)[0])
    origin = typing.get_origin(annotation)
    if origin is Literal:
        return tuple(typing.get_args(annotation))
    if annotation is bool:
        return (True, False)
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return tuple(annotation)
    if origin in (Union, types.UnionType):
        found: list[Any] = []
        for item in typing.get_args(annotation):
            if item is type(None):
                continue
            choices = choices_of(item)
            if choices is None:
                return None
            found += choices
        return tuple(found) or None
    return None


def json_value(value: Any) -> Any:
    """`value` in its JSON form: the value of an Enum member, the ISO text of a date."""
    return to_jsonable_python(value)
