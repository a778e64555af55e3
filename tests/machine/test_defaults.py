"""Defaults that don't fit their types are found when a class is made, not in the middle of a call."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal, cast

import pytest
from pydantic import BaseModel, Field

from fsmvoice import DefinitionError, State, VoiceMachine, transition


def test_a_parameters_default_that_its_type_forbids_is_a_definition_error() -> None:
    def define() -> object:
        class Shop(VoiceMachine):
            here = State(initial=True)

            @transition("ORDER", source=here)
            def order(
                self,
                size: Literal["small", "large"] = cast("Any", "medium"),
                count: Annotated[int, Field(ge=1)] = 0,
                day: date | None = None,
                note: str = cast("Any", None),
            ) -> None: ...

        return Shop

    with pytest.raises(DefinitionError) as caught:
        define()
    told = str(caught.value)
    assert all(name in told for name in ("'size' is 'medium'", "'count' is 0", "'note' is None"))
    assert "'day'" not in told


class Order(BaseModel):
    drink: Literal["tea", "latte"] = cast("Any", "water")
    day: date = cast("Any", "2026-01-31")
    count: int = 1


@dataclass
class Cart:
    count: int = cast("Any", "many")


def test_a_context_whose_defaults_do_not_fit_is_a_definition_error() -> None:
    def shop() -> object:
        class Shop(VoiceMachine[Order]):
            here = State(initial=True)

        return Shop

    def market() -> object:
        class Market(VoiceMachine[Cart]):
            here = State(initial=True)

        return Market

    with pytest.raises(DefinitionError, match="'drink' is 'water'") as caught:
        shop()
    assert "'day'" not in str(caught.value)  # a commit makes a date of it
    with pytest.raises(DefinitionError, match="'count' is 'many'"):
        market()
