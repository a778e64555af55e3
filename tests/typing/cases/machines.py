"""The machines that the cases use; nothing here is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from fsmvoice import (
    ANY,
    Compound,
    History,
    Parallel,
    Private,
    Refuse,
    State,
    VoiceMachine,
    after,
    always,
    effect,
    forbid,
    guard,
    invoke,
    on_done,
    on_enter,
    on_exit,
    spoken,
    transition,
)

Drink = Literal["latte", "espresso"]
Size = Literal["small", "medium", "large"]


class CoffeeContext(BaseModel):
    drink: Drink | None = None
    size: Size = "medium"
    card: Annotated[str | None, Private] = None


class Coffee(VoiceMachine[CoffeeContext], id="coffee", version="1", locale="en", restart_when_done=True):
    """Order a coffee by voice."""

    idle = State(initial=True, prompt="What would you like?")
    ordering = State(prompt=["One {size} {drink}. Shall I place it?", "Say yes to order, or cancel."], tags=["open"])
    brewing = State(name="in the machine", prompt="Brewing.")
    done = State(final=True, prompt="Enjoy!")

    @guard("We are out of {drink}.")
    def in_stock(self, drink: Drink, size: Size = "medium") -> bool:
        return drink != "espresso"

    @guard("Nothing is ordered.")
    def has_drink(self) -> bool:
        return self.context.drink is not None

    @spoken("order a drink", utterances=["[please] {drink}"])
    @transition("ORDER", source="idle", target="ordering", guard=in_stock)
    @transition("ORDER", source=idle, target="idle")
    async def order(self, drink: Annotated[Drink, Field(description="which drink")], size: Size = "medium") -> None:
        """Order a drink."""
        self.context.drink, self.context.size = drink, size
        self.receipt.later(to="me")
        self.ready.queue()

    @spoken("place the order", answers="yes", confirm="Really?", working="One moment.")
    @transition("CONFIRM", source=ordering, target=brewing, guard=has_drink)
    def confirm(self) -> None: ...

    @spoken("cancel the order", answers="no", says="Cancelled.", destructive=True, irreversible=True)
    @transition("CANCEL", source=ANY, target=idle, reenter=True)
    def cancel(self) -> None:
        if self.context.drink is None:
            raise Refuse("There is nothing to cancel.")
        self.context.drink = None

    @transition(source=[brewing, "ordering"], target=done, guard="has_drink")
    def ready(self) -> None: ...

    no_cancel = forbid("CANCEL", source=brewing, reason="It is being made.")

    @effect
    async def receipt(self, to: str) -> None: ...

    @after(timedelta(minutes=5), source=ordering, target=idle, says="I gave up waiting.")
    def slow(self) -> None: ...


class Fancy(Coffee, id="fancy"):
    """An override with the same payload."""

    @spoken("order a drink")
    @transition("ORDER", source=Coffee.idle, target=Coffee.ordering, guard=Coffee.in_stock)
    async def order(self, drink: Drink, size: Size = "medium") -> None:
        await Coffee.order.body(self, drink, size=size)


@dataclass
class KioskContext:
    grams: float = 0.0
    log: str = ""


class Kiosk(VoiceMachine[KioskContext]):
    off = State(initial=True)

    class on(Parallel):
        class brew(Compound, prompt="The brewing unit is ready.", tags=["hot"]):
            grinding = State(initial=True)
            heating = State()
            ready = State(final=True)
            broken = State()
            last = History(deep=True, target="grinding")

        class light(Compound):
            dim = State(initial=True)
            bright = State()

    def enough(self) -> bool:
        return self.context.grams >= 18

    @transition("POWER", source=off, target=on)
    @transition("POWER", source=on, target=off)
    def power(self) -> None: ...

    @transition(source=off, target=on.brew.last)
    def resume(self) -> None: ...

    @always(source=on.brew.grinding, target=on.brew.heating, guard=enough)
    def dosed(self) -> None:
        self.context.log += "dosed;"

    @after(3.5, source=on, target=off, guard="enough")
    async def idle_too_long(self) -> None: ...

    @on_enter(on.brew.ready)
    def chime(self) -> None: ...

    @on_exit("on.light")
    async def dark(self) -> None: ...

    @on_done(on.brew, target=off)
    def brewed(self) -> None: ...

    @invoke(during=on.brew.heating, done=on.brew.ready, error=on.brew.broken)
    async def heat(self) -> dict[str, float]:
        return {"grams": 0.0}
