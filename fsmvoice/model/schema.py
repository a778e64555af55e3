"""Simplifying JSON Schema for MCP hosts: references are inlined, titles and null branches dropped."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from fsmvoice.model.shapes import is_list, is_object


@functools.cache
def quiet() -> Any:
    """What makes JSON schemas without a warning where JSON can't hold a default: that is then left out."""
    maker: Any = import_module("pydantic.json_schema").GenerateJsonSchema  # takes a while, so when it is first needed
    return type("Quiet", (maker,), {"ignored_warning_kinds": {"non-serializable-default", "skipped-choice"}})


def plain_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """`schema` with `$defs` inlined (except recursive ones), and without titles and `default: null`."""
    definitions: Mapping[str, Any] = schema.get("$defs", {})
    kept: dict[str, Any] = {}
    body = {key: value for key, value in schema.items() if key not in ("$defs", "title", "description")}
    result: dict[str, Any] = _plain(body, definitions, kept, ())
    if kept:
        result["$defs"] = kept
    return result


def _plain(part: Any, definitions: Mapping[str, Any], kept: dict[str, Any], inside: tuple[str, ...]) -> Any:
    if is_list(part):
        return [_plain(item, definitions, kept, inside) for item in part]
    if not is_object(part):
        return part
    node = dict(part)
    reference = node.get("$ref")
    if isinstance(reference, str):
        name = reference.removeprefix("#/$defs/")
        if name in inside:
            kept.setdefault(name, definitions[name])
            return node
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return _plain({**definitions.get(name, {}), **rest}, definitions, kept, (*inside, name))
    result: dict[str, Any] = {}
    for key, value in node.items():
        if key == "title" and isinstance(value, str):
            continue
        if key == "default" and (value is None or not _is_json(value)):
            continue
        if key in ("properties", "patternProperties") and is_object(value):
            result[key] = {name: _plain(item, definitions, kept, inside) for name, item in value.items()}
        elif key in ("enum", "const", "default", "examples"):
            result[key] = value
        else:
            result[key] = _plain(value, definitions, kept, inside)
    return _without_null(result)


def _is_json(value: Any) -> bool:
    """Whether JSON can represent `value`. A client that meets NaN in one schema may reject all tools."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True


def _without_null(node: dict[str, Any]) -> dict[str, Any]:
    options = node.get("anyOf")
    if not is_list(options):
        return node
    real = [option for option in options if option != {"type": "null"}]
    rest = {key: value for key, value in node.items() if key != "anyOf"}
    if len(real) == 1:
        return {**real[0], **rest}
    return {**rest, "anyOf": real}
