"""A screen for react-jsonschema-form: a `schema` and a `uiSchema` for each action, to give to `<Form>` as they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from fsmvoice.model.shapes import is_list, is_object
from fsmvoice.screen.screen import Action, Screen
from fsmvoice.voice.values import words

FEW = 6
"""So many choices are shown at once; more are a list to open."""


def rjsf(screen: Screen) -> dict[str, dict[str, Any]]:
    """For each action, by its event, the `schema` of its form and the `uiSchema` that says how it looks."""
    return {action.event: rjsf_form(action) for action in screen.actions}


def rjsf_form(action: Action) -> dict[str, Any]:
    """The form of one action. One that is not enabled is disabled, and says why."""
    properties = cast("Mapping[str, Mapping[str, Any]]", action.schema.get("properties", {}))
    schema = {
        **action.schema,
        "title": _capital(action.label),
        "properties": {name: {"title": _capital(words(name)), **field} for name, field in properties.items()},
    }
    ui: dict[str, Any] = {
        "ui:order": list(properties),
        "ui:submitButtonOptions": {
            "submitText": _capital(action.label),
            "props": {"disabled": not action.enabled, "className": f"btn btn-{action.style}"},
        },
        **{name: look for name, field in properties.items() if (look := _look(field))},
    }
    if not action.enabled:
        ui = {**ui, "ui:disabled": True, "ui:description": action.reason}
    return {"schema": schema, "uiSchema": ui}


def _look(field: Mapping[str, Any]) -> dict[str, Any]:
    listed = field.get("enum")
    if is_list(listed):
        look: dict[str, Any] = {"ui:enumNames": [_named(value) for value in listed]}
        return {"ui:widget": "radio", **look} if len(listed) <= FEW else look
    if field.get("type") == "boolean":
        return {"ui:widget": "radio"}
    if field.get("type") in ("integer", "number"):
        return {"ui:widget": "updown"}
    if field.get("type") == "string" and _longer(field):
        return {"ui:widget": "textarea"}
    return {}


def _named(value: object) -> str:
    """A choice as people read it."""
    if isinstance(value, str):
        return _capital(words(value.lower() if value.isupper() and "_" in value else value))
    return json.dumps(value) if is_object(value) or is_list(value) or value is None else str(value)


def _longer(field: Mapping[str, Any]) -> bool:
    longest = field.get("maxLength")
    return isinstance(longest, int) and longest > 120


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
