"""Order a coffee by voice: `fsmvoice serve examples/coffee.py`, or `fsmvoice talk examples/coffee.py`."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import BaseModel, Field

from fsmvoice import Private, State, VoiceMachine, guard, spoken, transition

Drink = Literal["latte", "espresso", "cappuccino", "americano", "flat white", "mocha"]
Size = Literal["small", "medium", "large"]

SOLD_OUT: set[Drink] = {"mocha"}
CUP = f"(drink|coffee|order|one|{'|'.join(get_args(Drink))})"
WANT = (
    "[i|we] [just|really] (order|have|get|take|try|do|want|need|fancy|make|give|bring|send|grab|fix|go (for|with)|"
    "could use|would (like|love|prefer|rather have)|could do with|feel like|am (after|having)|(how|what) about)"
    " [me|us|it|mine|to (have|get|try|order|drink)] [a|an|one|two|the|another|some|one of (those|the|your)] "
)
ORDERS = [
    f"[{WANT}] [a|an|one|the] [nice|regular|hot] [{{size}}] [sized|cup of] {{drink}} [coffee] [to go|to take away]",
    f"[{WANT}] [a|an|one|the] {{drink}} [please] [in|and] [make (it|that)] [a|the] {{size}} [one|size|cup]",
    f"[{WANT}|a|some] [{{size}}] [cup of] (coffee|something to drink)|order|{WANT} (something|drink|{{size}} [one])",
]
PLACES = [
    "(place|submit|confirm|send|make|put in|put through|finish|accept|brew|start|take|have) (it|that|[the|my] order)",
    "(order|go with|go for|get|want|i want|i will take) (it|that|this) [one]|start [making it|brewing]",
    "that's [exactly] what i (want|wanted|said|ordered|meant)|[i'm] (happy|fine|good) with (that|it)",
]
DROPS = [
    f"(cancel|drop|scrap|forget|undo|delete|abort|stop|bin|call off) [about] (it|that|everything|[the|my] {CUP})",
    f"[i] don't (want|need) (it|that|this|anything|[the|my|a|any] {CUP})|that is not what i (said|wanted)",
    f"don't (place|make|order|brew|send) [it|that|[the|my] {CUP}]|[i want] something else|[that's] [the] wrong {CUP}",
]
READY = [
    "is (it|my coffee|my order) (ready|done) [yet]|is the coffee ready|has it finished",
    "(it is|(my|the) coffee is|my order is) (ready|done)|are you (ready|done|finished) [yet]",
    f"[is] (it|that|[my|the|that] {CUP}) (ready|done|finished|made) [yet]",
    f"(it|that|[my|the|that] {CUP}) is (ready|done|finished|made)|(you|we) are (ready|done|finished)",
]


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

    @spoken("order a drink", utterances=ORDERS)
    @transition("ORDER", source="idle", target="ordering", guard=in_stock)
    async def order(self, drink: Annotated[Drink, Field(description="which drink")], size: Size = "medium") -> None:
        """Order a drink."""
        self.context.drink, self.context.size = drink, size

    @spoken("place the order", utterances=PLACES, answers="yes")
    @transition("CONFIRM", source=ordering, target=brewing)
    def confirm(self) -> None:
        """Place the order that was read back."""

    @spoken("cancel the order", utterances=DROPS, answers="no", says="I cancelled your order.")
    @transition("CANCEL", source=ordering, target=idle)
    def cancel(self) -> None:
        """Drop the order, to choose again."""
        self.context.drink = None

    @spoken("say it is ready", utterances=READY)
    @transition("READY", source=brewing, target=done)
    def ready(self) -> None:
        """Tell that the drink is ready."""
