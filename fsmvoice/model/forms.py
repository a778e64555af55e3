"""Normalizing the shorthand forms that a config may use into the single form of the models."""

from __future__ import annotations

from typing import Any

from pydantic import GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from fsmvoice.model.shapes import is_list, is_object


class OneOrMany:
    """Annotates a field whose JSON may also be a string, an object, or (with `many`) a list of them."""

    def __init__(self, *, many: bool = True) -> None:
        self.many = many

    def __get_pydantic_json_schema__(self, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        schema = handler(core_schema)
        if self.many:
            items = schema.get("items", {})
            forms = [items] if items == {"type": "string"} else [{"type": "string"}, items]
            return {"anyOf": [*forms, {"type": "array", "items": {"anyOf": forms}}]}
        return {"anyOf": [{"type": "string"}, schema]}


ONE_OR_MANY = OneOrMany()


def refuse_function(value: Any, role: str) -> None:
    """Raise ValueError if `value` is a function instead of a name."""
    if callable(value):
        name = getattr(value, "__name__", "it")
        raise ValueError(
            f"is a function; a config holds names. Write {name!r} here and pass the function "
            f"with {role}={{{name!r}: ...}} to create_fsm_actor or create_fsm_mcp_bridge"
        )


def as_named(value: Any) -> Any:
    """Normalize `"name"` to `{"type": "name"}`."""
    if isinstance(value, str):
        return {"type": value}
    refuse_function(value, "actions or guards")
    return value


def as_listed(value: Any) -> Any:
    """Normalize one item or a list of items to a tuple; None becomes an empty one."""
    if value is None:
        return ()
    if is_list(value):
        return tuple(value)
    refuse_function(value, "actions")
    return (value,)


def as_transitions(value: Any) -> Any:
    """Normalize a target, an object, or a list of them. `null` and `{}` forbid the event; `[]` has no effect."""
    return tuple(_as_transition(item) for item in as_listed([value] if value is None else value))


def _as_transition(value: Any) -> Any:
    if value is None:
        return {}
    if isinstance(value, str):
        return {"target": value}
    refuse_function(value, "actions")
    return value


def as_initial(value: Any) -> Any:
    """Normalize `"child"` to `{"target": ("child",)}`."""
    return {"target": as_listed(value)} if isinstance(value, str | list | tuple) else value


def as_delays(value: Any) -> Any:
    """Normalize the keys of `after`: numbers, as Python allows them, become strings, as in JSON."""
    if not is_object(value):
        return value
    return {_delay(key): arcs for key, arcs in _pairs(value)}


def _delay(key: Any) -> Any:
    if type(key) is int and abs(key) < 2**63:
        return str(key)
    return f"{key:.15g}" if type(key) is float else key


def _pairs(value: Any) -> Any:
    return value.items()


def history_form(value: Any) -> Any:
    """Normalize XState v4's boolean form: `true` is shallow, `false` is none."""
    return {True: "shallow", False: None}.get(value, value) if isinstance(value, bool) else value


def walk(data: Any, keys: tuple[str | int, ...]) -> tuple[str, Any]:
    """The JSON path of `keys` in `data` as written, and the value there.

    An index that normalization added (a single object read as a list) is left out of the path.
    """
    path: str = "$"
    here: Any = data
    for key in keys:
        if isinstance(key, int):
            if is_list(here):
                path += f"[{key}]"
                here = here[key] if key < len(here) else None
        elif not isinstance(here, str):
            path += step(key)
            here = here.get(key) if is_object(here) else None
    return path, here


def step(key: str) -> str:
    """One step of a JSON path."""
    return f".{key}" if key.isidentifier() else f"[{key!r}]"
