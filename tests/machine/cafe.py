"""A café, and what is ordered there."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from pydantic import BaseModel

from fsmvoice import Private, Refuse, State, VoiceMachine, guard, transition

Drink = Literal["latte", "tea"]


class Order(BaseModel):
    drink: Drink | None = None
    extras: list[str] = []
    card: Annotated[str | None, Private] = None


class Cafe(VoiceMachine[Order], id="cafe"):
    """Order something."""

    idle = State(initial=True, prompt="What would you like?")
    ordered = State(prompt="One {drink}.")
    served = State(final=True, prompt="Enjoy!")

    @guard("We are out of {drink}.")
    def in_stock(self, drink: Drink) -> bool:
        return drink != "tea"

    @transition(source=idle, target=ordered, guard=in_stock)
    def order(self, drink: Drink) -> None:
        self.context.drink = drink

    @transition(source=ordered)
    async def add(self, extra: str) -> None:
        await asyncio.sleep(0)
        self.context.extras.append(extra)

    @transition(source=ordered, target=served)
    def serve(self) -> None: ...

    @transition(source=ordered, target=idle)
    def spill(self) -> None:
        self.context.extras.append("mess")
        raise Refuse("Careful with the {drink}!")

    @transition(source=ordered, target=idle)
    def crash(self) -> None:
        self.context.extras.append("mess")
        raise ValueError("no beans")
