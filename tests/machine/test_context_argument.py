"""The context is the type in the brackets, through generic bases and by name."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel

from fsmvoice import Private, State, VoiceMachine

T = TypeVar("T")
Ctx = TypeVar("Ctx", bound=BaseModel)


class Order(BaseModel):
    drink: str = "tea"


class Base(VoiceMachine[Ctx], Generic[Ctx, T]):
    idle = State(initial=True)


class Given(Base[Order, int]): ...


class Deeper(Given): ...


class ByName(VoiceMachine["Order"]):
    idle = State(initial=True)


class Bare(VoiceMachine):
    idle = State(initial=True)


class AsDict(VoiceMachine[dict[str, Any]]):
    idle = State(initial=True)


def test_a_generic_base_passes_it_on() -> None:
    assert Given().context == Deeper().context == Order()


def test_a_name_in_quotes_is_looked_up() -> None:
    assert ByName().context == Order()


def test_nothing_or_dict_is_a_dict() -> None:
    assert Bare().context == AsDict().context == {}


def test_a_dataclass_of_a_function_with_types_of_its_own_is_a_context() -> None:
    class Kind(StrEnum):
        one = "one"
        two = "two"

    @dataclass
    class Local:
        kind: Kind = Kind.one
        secret: Annotated[Kind, Private] = Kind.two

    class Machine(VoiceMachine[Local]):
        idle = State(initial=True)

    assert Machine().context == Local()
    assert Machine().snapshot.to_dict()["context"] == {"kind": "one"}
