"""The machine of these tests: one that says no, one that asks first, and a secret."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel

from fsmvoice import Private, State, VoiceMachine, forbid, guard, spoken, transition

Drink = Literal["latte", "espresso", "mocha"]


class BarContext(BaseModel):
    drink: Drink | None = None
    sugar: bool = True
    notes: list[str] = []
    name: str | None = None
    card: Annotated[str, Private] = "4111 1111"


class Bar(VoiceMachine[BarContext], id="coffee_bar", version="1"):
    """Order at the bar."""

    idle = State(initial=True, prompt="What would you like?")
    ordering = State(prompt="One {drink}. Shall I place it?")
    brewing = State(prompt="Brewing.")
    done = State(final=True, prompt="Here you are.")

    @guard("We are out of {drink}.")
    def in_stock(self, drink: Drink) -> bool:
        return drink != "mocha"

    @spoken("order a drink")
    @transition("ORDER", source=idle, target=ordering, guard=in_stock)
    def order(self, drink: Drink) -> None:
        self.context.drink = drink

    @spoken("place the order", answers="yes")
    @transition("CONFIRM", source=ordering, target=brewing)
    def place(self) -> None: ...

    @spoken("cancel the order", destructive=True)
    @transition("CANCEL", source=ordering, target=idle)
    def cancel(self) -> None: ...

    too_late = forbid("CANCEL", source=brewing, reason="It is being made already.")

    @spoken("leave it")
    @transition("LEAVE", source=ordering, target=idle)
    def leave(self) -> None: ...

    @spoken("call the barista", tool=False)
    @transition("CALL", source=ordering)
    def call(self) -> None: ...

    @spoken("say it is ready")
    @transition("READY", source=brewing, target=done)
    def ready(self) -> None: ...
