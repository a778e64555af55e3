"""A method's parameters are its event's payload: typed, described, and named as a tool call can carry them."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from fsmvoice import State, VoiceMachine, transition
from tests.machine.defining import problems_in, the_problem

if TYPE_CHECKING:
    from decimal import Decimal


def test_types_that_are_local_to_a_function_are_found() -> None:
    class Size(StrEnum):
        small = "small"
        large = "large"

    class Context(BaseModel):
        size: Size | None = None

    class Local(VoiceMachine[Context]):
        Colour = Literal["red", "blue"]

        idle = State(initial=True)

        @transition(source=idle)
        def pick(self, size: Size, colour: Colour = "red") -> None:
            self.context.size = size

    assert Local().pick.sync(Size.small).context.size is Size.small
    assert Local.chart.behaviour.payloads["PICK"].json_schema()["properties"]["colour"]["enum"] == ["red", "blue"]


def test_descriptions_and_constraints_come_from_annotated() -> None:
    class Cups(VoiceMachine):
        idle = State(initial=True)

        @transition(source=idle)
        def order(self, cups: Annotated[int, Field(ge=1, le=9, description="how many")] = 1) -> None: ...

    payload = Cups.chart.behaviour.payloads["ORDER"]
    assert payload.parameters["cups"].description == "how many"
    assert payload.json_schema()["properties"]["cups"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 9,
        "default": 1,
        "description": "how many",
    }
    assert Cups().send_sync("ORDER", cups=10).reason == "invalid-arguments"


def test_the_return_type_need_not_be_known_at_run_time() -> None:
    class Fine(VoiceMachine):
        idle = State(initial=True)

        @transition(source=idle)
        def go(self) -> Nothing: ...  # type: ignore[name-defined] # noqa: F821 # pyright: ignore - found by nobody

    assert Fine().go.sync().ok


def test_a_type_that_cannot_be_found_is_reported() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)

            @transition(source=idle)
            def pay(self, amount: Decimal) -> None: ...

        return Bad

    assert the_problem(define) == (
        "the type of 'amount' can't be found: 'Decimal'; import or define it above the class, "
        "not under TYPE_CHECKING: the tool's schema is made from it"
    )


@pytest.mark.parametrize("name", ["session", "request_id", "confirm_token"])
def test_names_that_a_tool_call_needs_are_refused(name: str) -> None:
    names: dict[str, Any] = {}
    exec(f"def go(self, {name}: str) -> None: ...", names)

    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)
            go = transition("GO", source=idle)(names["go"])

        return Bad

    assert the_problem(define).startswith(f"GO can't have a parameter {name!r}; tool calls use this name for ")


def test_parameters_that_no_one_could_fill_by_name_are_refused() -> None:
    def define() -> object:
        class Bad(VoiceMachine):
            idle = State(initial=True)

            @transition(source=idle)  # type: ignore[arg-type] # the mistake under test
            def many(self, *args: str, **kwargs: str) -> None: ...

            @transition(source=idle)
            def by_place(self, x: str, /) -> None: ...

            @transition(source=idle)
            def with_field(self, x: str = Field(description="y")) -> None: ...

            @transition(source=idle)  # type: ignore[arg-type] # the mistake under test
            def nothing() -> None: ...  # pyright: ignore - the mistake under test

        return Bad

    assert [f"{problem.message}; {problem.hint}" for problem in problems_in(define)] == [
        "'many' takes *args; name each parameter, with its type",
        "'many' takes **kwargs; name each parameter, with its type",
        "the parameter 'x' is positional-only; leave the / out",
        "the default of 'x' is a Field; write x: Annotated[..., Field(...)] = default",
        "'nothing' takes no self; it is called with the machine",
    ]


def test_a_parameter_without_a_type_is_reported() -> None:
    def define() -> object:
        class Shop(VoiceMachine):
            idle = State(initial=True)

            @transition(source=idle)
            def buy(self, what) -> None: ...  # type: ignore[no-untyped-def]  # pyright: ignore[reportUnknownParameterType, reportMissingParameterType] - the mistake

        return Shop

    assert the_problem(define) == (
        "the parameter 'what' of 'buy' has no type; say it, such as what: str; the tool's schema is made from it"
    )
