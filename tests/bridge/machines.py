"""The machines that the bridge's tests run on."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from fsmvoice import Private, Refuse, State, VoiceMachine, forbid, guard, spoken, transition

Drink = Literal["latte", "espresso", "flat white", "mocha"]
Size = Literal["small", "medium", "large"]


class CoffeeContext(BaseModel):
    drink: Drink | None = None
    size: Size = "medium"
    card: Annotated[str | None, Private] = "4111 1111"


class Coffee(VoiceMachine[CoffeeContext], id="coffee", version="1"):
    """Order a coffee by voice."""

    idle = State(initial=True, prompt="What would you like?")
    ordering = State(prompt=["One {size} {drink}. Shall I place it?", "Say yes to order, or cancel."])
    brewing = State(prompt="Brewing your {drink} now.")
    done = State(final=True, prompt="Your {drink} is ready. Enjoy!")

    @guard("We are out of {drink}.")
    def in_stock(self, drink: Drink, size: Size = "medium") -> bool:
        return drink != "mocha"

    @spoken("order a drink")
    @transition("ORDER", source=idle, target=ordering, guard=in_stock)
    async def order(self, drink: Annotated[Drink, Field(description="which drink")], size: Size = "medium") -> None:
        """Order a drink."""
        self.context.drink, self.context.size = drink, size

    @spoken("place the order", answers="yes")
    @transition("CONFIRM", source=ordering, target=brewing)
    def confirm(self) -> None: ...

    @spoken("cancel the order", answers="no", says="I cancelled your order.", destructive=True)
    @transition("CANCEL", source=ordering, target=idle)
    def cancel(self) -> None:
        self.context.drink = None

    no_cancel = forbid("CANCEL", source=brewing, reason="Your {drink} is being made already.")

    @spoken("say it is ready", tool=False)
    @transition("READY", source=brewing, target=done)
    def ready(self) -> None: ...


class Slow:
    """What `Kettle.boil` does, set by a test."""

    mode = "boil"
    running = asyncio.Event()


class KettleContext(BaseModel):
    degrees: int = 20


class Kettle(VoiceMachine[KettleContext], id="kettle"):
    cold = State(initial=True, prompt="The kettle is cold.")
    hot = State(prompt="The kettle is hot.")

    @spoken("boil water")
    @transition("BOIL", source=cold, target=hot)
    async def boil(self) -> None:
        self.context.degrees = 60
        Slow.running.set()
        match Slow.mode:
            case "raise":
                raise ValueError("no power in socket 7")
            case "refuse":
                raise Refuse("There is no water in the kettle.")
            case "hang":
                await asyncio.Event().wait()
            case _:
                await asyncio.sleep(0)
        self.context.degrees = 100

    @spoken("let it cool")
    @transition("COOL", source=hot, target=cold)
    def cool(self) -> None:
        self.context.degrees = 20


class Dice(VoiceMachine, id="dice", restart_when_done=True):
    ready = State(initial=True, prompt="Shall I roll?")
    rolled = State(final=True, prompt="You rolled a {n}.")

    @spoken("roll the dice")
    @transition("ROLL", source=ready, target=rolled)
    def roll(self, n: Annotated[int, Field(ge=1, le=6)]) -> None:
        """Roll."""
        self.context["n"] = n

    @spoken("peek")
    @transition("PEEK", source=rolled, target=rolled)
    def peek(self) -> None: ...
