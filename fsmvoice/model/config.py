"""`FsmConfig`: a machine as data, in the shape of an XState v5 config. It names functions and never contains them."""

from __future__ import annotations

import functools
import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_serializer
from pydantic.alias_generators import to_camel

from fsmvoice.model.forms import (
    ONE_OR_MANY,
    OneOrMany,
    as_delays,
    as_initial,
    as_listed,
    as_named,
    as_transitions,
    history_form,
)
from fsmvoice.model.shapes import is_list, is_object

_FROZEN = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True, defer_build=True)


class Named(BaseModel):
    """A function referred to by name: `"setDrink"` or `{"type": "setDrink", "params": {...}}`."""

    model_config = _FROZEN

    type: str = Field(min_length=1)
    params: dict[str, Any] | None = None

    @model_serializer
    def _compact(self) -> str | dict[str, Any]:
        return self.type if self.params is None else {"type": self.type, "params": self.params}


NamedRef = Annotated[Named, BeforeValidator(as_named), OneOrMany(many=False)]
NamedRefs = Annotated[tuple[NamedRef, ...], BeforeValidator(as_listed), ONE_OR_MANY]
Keys = Annotated[tuple[str, ...], BeforeValidator(as_listed), ONE_OR_MANY]


class TransitionConfig(BaseModel):
    """A transition. Without `target` it is internal; without `target` and `actions` it forbids its event."""

    model_config = _FROZEN

    target: Keys | None = None
    guard: NamedRef | None = None
    actions: NamedRefs = ()
    reenter: bool = False
    description: str | None = None
    meta: dict[str, Any] | None = None

    @property
    def forbids(self) -> bool:
        """Whether it handles its event by doing nothing."""
        return self.target is None and not self.actions

    @model_serializer
    def _compact(self) -> str | dict[str, Any]:
        data = compact(self)
        return data["target"] if set(data) == {"target"} and isinstance(data["target"], str) else data


Transitions = Annotated[tuple[TransitionConfig, ...], BeforeValidator(as_transitions), ONE_OR_MANY]


class InitialConfig(BaseModel):
    """The initial child of a compound state, and the actions run on entering it."""

    model_config = _FROZEN

    target: Keys
    actions: NamedRefs = ()

    @model_serializer
    def _compact(self) -> str | dict[str, Any]:
        data = compact(self)
        return data["target"] if set(data) == {"target"} and isinstance(data["target"], str) else data


class InvokeConfig(BaseModel):
    """A service that runs while its state is active. `src` is its name."""

    model_config = _FROZEN

    src: str = Field(min_length=1)
    id: str | None = None
    input: Any = None
    on_done: Transitions = ()
    on_error: Transitions = ()
    on_restart: Literal["restart", "error"] = "restart"
    meta: dict[str, Any] | None = None

    @model_serializer
    def _compact(self) -> dict[str, Any]:
        return compact(self)


Invokes = Annotated[tuple[InvokeConfig, ...], BeforeValidator(as_listed), ONE_OR_MANY]


class StateConfig(BaseModel):
    """A state and its descendants. `final: true` means the same as `type: "final"`."""

    model_config = _FROZEN

    id: str | None = None
    type: Literal["atomic", "compound", "parallel", "final", "history"] | None = None
    final: bool = False
    initial: Annotated[InitialConfig | None, BeforeValidator(as_initial), OneOrMany(many=False)] = None
    history: Annotated[Literal["shallow", "deep"] | None, BeforeValidator(history_form)] = None
    target: Keys | None = None
    states: dict[str, StateConfig] = Field(default_factory=dict)
    on: dict[str, Transitions] = Field(default_factory=dict)
    always: Transitions = ()
    after: Annotated[dict[str, Transitions], BeforeValidator(as_delays)] = Field(default_factory=dict)
    invoke: Invokes = ()
    entry: NamedRefs = ()
    exit: NamedRefs = ()
    on_done: Transitions = ()
    tags: Keys = ()
    output: Any = None
    description: str | None = None
    meta: dict[str, Any] | None = None

    @property
    def kind(self) -> Literal["atomic", "compound", "parallel", "final", "history"]:
        """The state's type, given or implied."""
        if self.final:
            return "final"
        return self.type or ("history" if self.history else "compound" if self.states else "atomic")

    @model_serializer
    def _compact(self) -> dict[str, Any]:
        return compact(self)


class FsmConfig(StateConfig):
    """A whole machine: the root state with its start context. Spoken texts are in its `meta`."""

    context: dict[str, Any] = Field(default_factory=dict)
    version: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The config with XState's keys, in its shortest equivalent form."""
        data: dict[str, Any] = self.model_dump(mode="json", by_alias=True)
        return data

    def to_json(self, indent: int | None = 2) -> str:
        """The config as JSON text."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """The JSON Schema (2020-12) of a config file."""
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", **cls.model_json_schema(by_alias=True)}


def compact(model: BaseModel) -> dict[str, Any]:
    """`model` in its shortest form: defaults are dropped and one-element lists are unwrapped."""
    data: dict[str, Any] = {}
    for name, alias, default in _fields(type(model)):
        value = getattr(model, name)
        if value == default and (value != () or name not in model.model_fields_set):
            continue
        data[alias] = value if name in _AS_IT_IS else _written(value)
    return data


@functools.cache
def _fields(model: type[BaseModel]) -> tuple[tuple[str, str, Any], ...]:
    return tuple(
        (name, field.alias or name, field.get_default(call_default_factory=True))
        for name, field in model.model_fields.items()
    )


_AS_IT_IS = frozenset({"context", "meta", "params", "input", "output"})
"""Fields that hold the user's own data, which is never shortened."""


def _written(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if is_list(value):
        items = [_written(item) for item in value]
        return items[0] if len(items) == 1 else items
    if is_object(value):
        return {key: _written(item) for key, item in value.items()}
    return value


def json_keys(model: type[BaseModel]) -> tuple[str, ...]:
    """The JSON keys of `model`, in order."""
    return tuple(field.alias or name for name, field in model.model_fields.items())
