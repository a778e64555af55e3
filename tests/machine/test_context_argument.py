"""The context is the type in the brackets, through generic bases and by name."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel

from fsmvoice import Private, State, VoiceMachine
from tests.machine.defining import the_problem

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


class Bigger(Order):
    size: int = 1


class Other(BaseModel):
    note: str = ""


class Takes(VoiceMachine[Order]):
    idle = State(initial=True)


class Untyped(VoiceMachine):
    def helper(self) -> int:
        return 1


class Wants(VoiceMachine[Bigger]):
    """A base without states."""


class Apart(VoiceMachine[Other]):
    """Another."""


def test_of_several_bases_types_it_is_the_one_that_is_all_others() -> None:
    class Both(Takes, Wants): ...  # pyright: ignore[reportGeneralTypeIssues] - a context is no subtype for it

    class First(Untyped, Takes): ...

    assert Both().context == Bigger()
    assert First().context == Order()


def test_bases_whose_types_do_not_agree_are_reported() -> None:
    def define() -> object:
        class Both(Takes, Apart): ...  # pyright: ignore[reportGeneralTypeIssues] - the slip

        return Both

    told = "VoiceMachine[...]: the bases of Both have the contexts Order and Other; derive one of them from the others"
    assert the_problem(define) == told


def test_an_annotated_context_is_reported() -> None:
    def define() -> object:
        class Annotates(VoiceMachine):
            context: Order  # pyright: ignore - the slip

            idle = State(initial=True)

        return Annotates

    told = "VoiceMachine[...]: Annotates annotates its context; write class Annotates(VoiceMachine[Order])"
    assert the_problem(define) == told


def test_a_name_that_is_none_is_reported() -> None:
    def define() -> object:
        class Misnamed(VoiceMachine["Ordr"]):  # type: ignore[name-defined] # pyright: ignore - the slip
            idle = State(initial=True)

        return Misnamed

    assert the_problem(define) == "VoiceMachine[...]: name 'Ordr' is not defined"
