"""JSON Schema 2020-12, checked by the package jsonschema."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

_jsonschema: Any = import_module("jsonschema")  # it comes with mcp, and brings no types of its own


class Schema:
    """A schema that is one itself."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        kind: Any = _jsonschema.Draft202012Validator
        kind.check_schema(schema)
        self._validator: Any = kind(schema)

    def faults(self, data: object) -> list[str]:
        """What does not fit."""
        return [str(error.message) for error in self._validator.iter_errors(data)]
