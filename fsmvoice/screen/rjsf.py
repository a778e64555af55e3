"""`rjsf`: a screen for react-jsonschema-form, with a `schema` and a `uiSchema` for the `<Form>` of each action."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from fsmvoice.model.shapes import is_list, is_object
from fsmvoice.screen.screen import Action, Screen
from fsmvoice.voice.phrases.phrases import capital
from fsmvoice.voice.values import words

FEW = 6
"""Up to this many choices are shown as radio buttons; more as a drop-down list."""


ONE_LINE = 120
"""The longest text, in characters, that is entered in a single line."""


def rjsf(screen: Screen) -> dict[str, dict[str, Any]]:
    """The `schema` and `uiSchema` of each action, by event."""
    return {action.event: rjsf_form(action) for action in screen.actions}


def rjsf_form(action: Action) -> dict[str, Any]:
    """The form of one action. The form of a disabled action shows the reason."""
    properties = cast("Mapping[str, Mapping[str, Any]]", action.schema.get("properties", {}))
    schema = {
        **action.schema,
        "title": capital(action.label),
        "properties": {name: _field(name, field) for name, field in properties.items()},
    }
    ui: dict[str, Any] = {
        "ui:order": list(properties),
        "ui:submitButtonOptions": {
            "submitText": capital(action.label),
            "props": {"disabled": not action.enabled, "className": f"btn btn-{action.style}"},
        },
        **{name: look for name, field in properties.items() if (look := _look(field))},
    }
    if not action.enabled:
        ui = {**ui, "ui:disabled": True, "ui:description": action.reason}
    return {"schema": schema, "uiSchema": ui}


def _field(name: str, field: Mapping[str, Any]) -> dict[str, Any]:
    """A field with a title, and its choices as `enum`; their titles are in the uiSchema."""
    plain: dict[str, Any] = {**field, "title": capital(str(field.get("title") or words(name)))}
    choices: list[Any] | None = plain.pop("oneOf", None)
    return plain if choices is None else {**plain, "enum": [choice["const"] for choice in choices]}


def _look(field: Mapping[str, Any]) -> dict[str, Any]:
    titled, listed = field.get("oneOf"), field.get("enum")
    if is_list(titled) or is_list(listed):
        names = [capital(one["title"]) for one in titled] if is_list(titled) else [_named(one) for one in listed or ()]
        look: dict[str, Any] = {"ui:enumNames": names}
        return {"ui:widget": "radio", **look} if len(names) <= FEW else look
    if field.get("type") == "boolean":
        return {"ui:widget": "radio"}
    if field.get("type") in ("integer", "number"):
        return {"ui:widget": "updown"}
    if field.get("type") == "string" and _longer(field):
        return {"ui:widget": "textarea"}
    return {}


def _named(value: object) -> str:
    """The label of a choice without a title."""
    if isinstance(value, str):
        return capital(words(value.lower() if value.isupper() and "_" in value else value))
    return json.dumps(value) if is_object(value) or is_list(value) or value is None else str(value)


def _longer(field: Mapping[str, Any]) -> bool:
    longest = field.get("maxLength")
    return isinstance(longest, int) and longest > ONE_LINE
