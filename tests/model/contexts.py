"""Contexts of every kind, for the tests of contexts."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, computed_field

from fsmvoice.model.private import Private


class Item(BaseModel):
    name: str = ""


class Order(BaseModel):
    drink: Literal["tea", "latte"] | None = None
    items: list[Item] = []
    card: Annotated[str | None, Private] = None


@dataclass
class Cart:
    count: int = 0
    items: list[str] = field(default_factory=list[str])
    secret: Annotated[str, Private] = ""


class Bare(BaseModel):
    n: int = 0


class Computed(BaseModel):
    model_config = ConfigDict(extra="forbid")

    items: list[int] = [1]

    @computed_field  # type: ignore[prop-decorator]  # mypy knows no decorated property
    @property
    def count(self) -> int:
        return len(self.items)

    @cached_property
    def total(self) -> int:
        return sum(self.items)
