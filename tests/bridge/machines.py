"""The machines that the bridge's tests run on."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from fsmvoice import (
    Compound,
    Parallel,
    Private,
    Refuse,
    State,
    VoiceMachine,
    after,
    forbid,
    guard,
    spoken,
    transition,
)

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


class ShopContext(BaseModel):
    drink: str = "latte"
    price: int = 3
    ticks: int = 0
    cancelled: int = 0
    paid: int = 0


class Shop(VoiceMachine[ShopContext], id="shop"):
    """A machine whose events are confirmed, with a clock that ticks beside them."""

    class open_(Parallel, initial=True):
        class order(Compound, prompt="Your {drink} is ordered."):
            placed = State(initial=True)
            gone = State(prompt="There is no order.")

        class clock(Compound):
            tick = State(initial=True)
            tock = State()

    @guard("You have paid already.")
    def unpaid(self) -> bool:
        return not self.context.paid

    @guard("We give {tip} to nobody.")
    def modest(self, tip: Annotated[int, Field(ge=0, le=1000)]) -> bool:
        return tip < 50

    @spoken("cancel the order", confirm="Cancel your {drink}?", destructive=True, says="Cancelled.")
    @transition("CANCEL", source=open_.order.placed, target=open_.order.gone)
    async def cancel(self) -> None:
        """Cancel the order."""
        await asyncio.sleep(0)
        self.context.cancelled += 1

    @spoken("order again")
    @transition("AGAIN", source=open_.order.gone, target=open_.order.placed)
    def again(self) -> None: ...

    @spoken("pay", confirm="Pay {price} and a tip of {tip}?", irreversible=True, says="Paid {price}.")
    @transition("PAY", source=open_.order.placed, guard=unpaid)
    def pay(self, tip: Annotated[int, Field(ge=0, le=1000)]) -> None:
        """Pay."""
        self.context.paid += self.context.price + tip

    @spoken("tip the barista", confirm="Give {tip} to the barista?", says="Thank you.")
    @transition("TIP", source=open_.order.placed, guard=modest)
    def tip(self, tip: Annotated[int, Field(ge=0, le=1000)]) -> None:
        """Give a tip."""
        self.context.paid += tip

    @spoken("change the drink", says="Changed.")
    @transition("CHANGE", source=open_.order.placed)
    def change(self, drink: str) -> None:
        """Have another drink."""
        self.context.drink = drink

    @spoken("let it tick")
    @transition("TICK", source=open_.clock.tick, target=open_.clock.tock)
    @transition("TICK", source=open_.clock.tock, target=open_.clock.tick)
    def ticks(self) -> None:
        self.context.ticks += 1


class Metronome(Shop, id="metronome"):
    """A shop whose clock ticks by itself, every millisecond."""

    @after(0.001, source=Shop.open_.clock.tick, target=Shop.open_.clock.tock)
    def ticked(self) -> None:
        self.context.ticks += 1

    @after(0.001, source=Shop.open_.clock.tock, target=Shop.open_.clock.tick)
    def tocked(self) -> None:
        self.context.ticks += 1
