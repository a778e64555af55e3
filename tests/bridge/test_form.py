"""A form asks with flat fields that the protocol allows, or not at all."""

from __future__ import annotations

import datetime as dt
import enum
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from fsmvoice.bridge.form import form_for
from fsmvoice.model.payload import Fault, Parameter, Payload


class Milk(enum.Enum):
    OAT = "oat"
    COW = "cow"


def fields(annotation: Any, **accepted: Any) -> dict[str, Any] | None:
    """The fields of a form for one parameter `it`."""
    question = form_for("?", Payload("E", [Parameter("it", annotation)]), [Fault("missing", "it", "")], accepted)
    return None if question is None else question.schema["properties"]["it"]


@pytest.mark.parametrize(
    ("annotation", "field"),
    [
        (str, {"type": "string"}),
        (Annotated[str, Field(max_length=9, pattern="x")], {"type": "string", "maxLength": 9}),
        (Annotated[int, Field(ge=1, le=6)], {"type": "integer", "minimum": 1, "maximum": 6}),
        (Annotated[int, Field(gt=0, lt=9)], {"type": "integer", "minimum": 1, "maximum": 8}),
        (Annotated[float, Field(gt=0)], {"type": "number"}),
        (bool, {"type": "boolean"}),
        (dt.date, {"type": "string", "format": "date"}),
        (dt.time, {"type": "string"}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal[1, 2], {"type": "string", "enum": ["1", "2"]}),
        (Milk, {"type": "string", "enum": ["oat", "cow"]}),
        (Annotated[int | None, Field(description="how many")], {"type": "integer", "description": "how many"}),
    ],
)
def test_what_can_be_a_field(annotation: Any, field: dict[str, Any]) -> None:
    found = fields(annotation)

    assert found is not None
    assert {key: value for key, value in found.items() if key != "title"} == field


@pytest.mark.parametrize("annotation", [list[str], dict[str, int], int | str, Any])
def test_what_no_form_can_ask_for(annotation: Any) -> None:
    assert fields(annotation) is None


def test_only_what_would_be_accepted_is_listed() -> None:
    assert fields(Literal["a", "b"], it=("b",)) == {"type": "string", "enum": ["b"]}


def test_what_is_not_known_is_not_asked_for() -> None:
    payload = Payload("E", [Parameter("it", str)])

    assert form_for("?", payload, [Fault("missing", "it", ""), Fault("unknown", "ti", "")]) is None
    assert form_for("?", payload, []) is None
