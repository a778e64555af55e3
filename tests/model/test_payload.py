"""A payload knows its parameters, checks arguments with every fault at once, and describes itself to any host."""

import enum
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, field_validator

from fsmvoice.model.payload import InvalidPayload, Parameter, Payload, choices_of


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


ORDER = Payload(
    "ORDER",
    [
        Parameter("drink", Literal["latte", "tea"], description="which drink"),
        Parameter("size", Size, Size.SMALL),
        Parameter("count", Annotated[int, Field(ge=1, le=9)], 1),
        Parameter("note", str | None, None),
    ],
)


def test_defaults_are_filled_in_and_values_are_python_values() -> None:
    assert ORDER.validate({"drink": "tea", "size": "large"}) == {
        "drink": "tea",
        "size": Size.LARGE,
        "count": 1,
        "note": None,
    }


def test_all_faults_are_reported_at_once() -> None:
    with pytest.raises(InvalidPayload) as caught:
        ORDER.validate({"size": "huge", "count": 0, "drnk": "tea"})
    assert {(fault.kind, fault.name) for fault in caught.value.faults} == {
        ("unknown", "drnk"),
        ("missing", "drink"),
        ("bad", "size"),
        ("bad", "count"),
    }
    assert next(f.hint for f in caught.value.faults if f.kind == "unknown") == "did you mean 'drink'?"


def test_the_schema_is_one_that_every_host_takes() -> None:
    assert ORDER.json_schema() == {
        "type": "object",
        "properties": {
            "drink": {"type": "string", "enum": ["latte", "tea"], "description": "which drink"},
            "size": {"type": "string", "enum": ["small", "large"], "default": "small"},
            "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 1},
            "note": {"type": "string"},
        },
        "required": ["drink"],
        "additionalProperties": False,
    }


def test_the_schema_can_be_narrowed_to_what_is_accepted_now() -> None:
    assert ORDER.json_schema({"size": [Size.LARGE]})["properties"]["size"]["enum"] == ["large"]


@pytest.mark.parametrize("name", ["schema", "copy", "json", "model_config", "_x", "class_"])
def test_any_parameter_name_works(name: str) -> None:
    payload = Payload("E", [Parameter(name, int)])
    assert payload.validate({name: 3}) == {name: 3}
    assert list(payload.json_schema()["properties"]) == [name]


def test_a_pydantic_model_brings_its_own_rules() -> None:
    class Pay(BaseModel):
        """Pay for it."""

        amount: Annotated[int, Field(description="in cents")] = 5

        @field_validator("amount")
        @classmethod
        def even(cls, value: int) -> int:
            if value % 2:
                raise ValueError("should be even")
            return value

    payload = Payload.from_model("PAY", Pay)
    assert payload.doc == "Pay for it."
    assert payload.parameters["amount"].description == "in cents"
    assert payload.validate({"amount": 4}) == {"amount": 4}
    with pytest.raises(InvalidPayload, match="'amount' should be even"):
        payload.validate({"amount": 3})


def test_nested_and_recursive_models_are_described_without_references_where_possible() -> None:
    class Topping(BaseModel):
        name: str

    class Pizza(BaseModel):
        toppings: list[Topping]

    schema = Payload.from_model("BAKE", Pizza).json_schema()
    assert schema["properties"]["toppings"]["items"]["properties"] == {"name": {"type": "string"}}
    assert "$defs" not in schema


@pytest.mark.parametrize(
    ("annotation", "choices"),
    [
        (Literal["a", "b"], ("a", "b")),
        (Literal["a"] | None, ("a",)),
        (Size, (Size.SMALL, Size.LARGE)),
        (bool, (True, False)),
        (Annotated[Literal[1, 2], "x"], (1, 2)),
        (str, None),
        (Literal["a"] | int, None),
    ],
)
def test_choices_are_every_value_there_can_be(annotation: Any, choices: Any) -> None:
    assert choices_of(annotation) == choices
