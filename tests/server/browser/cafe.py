"""A machine with every kind of field and every kind of button, for a browser."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from fsmvoice import Private, State, VoiceMachine, forbid, spoken, transition

Drink = Literal["latte", "espresso", "cappuccino", "americano", "flat_white", "mocha", "matcha"]
Size = Literal["small", "medium", "large"]
HOSTILE = "<img src=x onerror=alert(1)>"


class CafeContext(BaseModel):
    drink: Drink | None = None
    size: Size = "medium"
    shots: int = 1
    decaf: bool = False
    pickup: dt.date | None = None
    name: str | None = None
    card: Annotated[str, Private] = "4111 1111"


class Cafe(VoiceMachine[CafeContext], id="cafe", version="1"):
    """Order at the counter."""

    idle = State(initial=True, prompt="What would you like?")
    ordering = State(prompt="One {size} {drink}. Shall I place it?")
    brewing = State(prompt="Brewing your {drink} now.")
    done = State(final=True, prompt="Your {drink} is ready. Enjoy!")

    @spoken("order a drink", utterances=["[a] [{size}] {drink} [please]"])
    @transition("ORDER", source=idle, target=ordering)
    def order(  # noqa: PLR0917 - a form with every kind of field
        self,
        drink: Annotated[Drink, Field(description="which drink")],
        size: Size = "medium",
        shots: Annotated[int, Field(ge=1, le=4)] = 1,
        decaf: bool = False,
        pickup: dt.date | None = None,
        toppings: list[str] | None = None,
    ) -> None:
        """Order a drink."""
        context = self.context
        context.drink, context.size, context.shots, context.decaf, context.pickup = drink, size, shots, decaf, pickup

    @spoken("leave a name")
    @transition("NAME", source=[idle, ordering])
    def leave_name(self, name: Annotated[str, Field(max_length=80)]) -> None:
        """Say whom the drink is for."""
        self.context.name = name

    @spoken("place the order", answers="yes")
    @transition("CONFIRM", source=ordering, target=brewing)
    def place(self) -> None:
        """Place the order that was read back."""

    @spoken("cancel the order", confirm="Really cancel your {drink}?", destructive=True, says="I cancelled it.")
    @transition("CANCEL", source=ordering, target=idle)
    def cancel(self) -> None:
        """Drop the order."""
        self.context.drink = None

    too_late = forbid("CANCEL", source=brewing, reason="Your {drink} is being made already.")

    @spoken(f"<b>taste</b> {HOSTILE}")
    @transition("TASTE", source=brewing)
    def taste(self) -> None:
        """Taste it."""

    @spoken("say it is ready")
    @transition("READY", source=brewing, target=done)
    def ready(self) -> None:
        """Tell that the drink is ready."""
