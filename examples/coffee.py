"""Order a coffee by voice: `fsmvoice serve examples/coffee.py`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from fsmvoice import Private, State, VoiceMachine, guard, spoken, transition

Drink = Literal["latte", "espresso", "cappuccino", "americano", "flat white", "mocha"]
Size = Literal["small", "medium", "large"]

SOLD_OUT: set[Drink] = {"mocha"}


class CoffeeContext(BaseModel):
    drink: Drink | None = None
    size: Size = "medium"
    card: Annotated[str | None, Private] = None


class Coffee(VoiceMachine[CoffeeContext], id="coffee", version="1"):
    """Order a coffee by voice."""

    idle = State(initial=True, prompt="What would you like?")
    ordering = State(prompt=["One {size} {drink}. Shall I place it?", "Say yes to order, or cancel."])
    brewing = State(prompt="Brewing your {drink} now.")
    done = State(final=True, prompt="Your {drink} is ready. Enjoy!")

    @guard("We are out of {drink}.")
    def in_stock(self, drink: Drink, size: Size = "medium") -> bool:
        return drink not in SOLD_OUT

    @spoken("order a drink", utterances=["[please] (order|get me|i'd like) [a] [{size}] {drink}"])
    @transition("ORDER", source="idle", target="ordering", guard=in_stock)
    async def order(self, drink: Annotated[Drink, Field(description="which drink")], size: Size = "medium") -> None:
        """Order a drink."""
        self.context.drink, self.context.size = drink, size

    @spoken("place the order", answers="yes")
    @transition("CONFIRM", source=ordering, target=brewing)
    def confirm(self) -> None:
        """Place the order that was read back."""

    @spoken("cancel the order", answers="no", says="I cancelled your order.")
    @transition("CANCEL", source=ordering, target=idle)
    def cancel(self) -> None:
        """Drop the order, to choose again."""
        self.context.drink = None

    @spoken("say it is ready")
    @transition("READY", source=brewing, target=done)
    def ready(self) -> None:
        """Tell that the drink is ready."""
