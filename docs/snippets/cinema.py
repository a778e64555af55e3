import asyncio
import datetime as dt
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from fsmvoice import CallContext, Money, State, VoiceMachine, create_fsm_mcp_bridge, spoken, transition

Row = Literal["front", "middle", "back"]


class Ticket(BaseModel):
    row: Row | None = None
    price: Annotated[Decimal, Money("EUR")] = Decimal("9.50")
    begins: dt.time = dt.time(20, 15)


class Cinema(VoiceMachine[Ticket], id="cinema"):
    """Buy a ticket for the film tonight."""

    choosing = State(initial=True, prompt="The film begins at {begins}. Where would you like to sit?")
    buying = State(
        prompt=["A seat in the {row}, for {price}. Shall I buy it?", "Say yes to buy the ticket, or choose again."]
    )
    bought = State(final=True, prompt="Here is your ticket. Enjoy the film!")

    @spoken("choose a seat", utterances=["[a seat] [in] [the] {row}"])
    @transition("SEAT", source=[choosing, buying], target=buying)
    def seat(self, row: Annotated[Row, Field(title="row")]) -> None:
        """Choose where to sit."""
        self.context.row = row

    @spoken("buy the ticket", answers="yes")
    @transition("BUY", source=buying, target=bought)
    def buy(self) -> None:
        """Buy the ticket."""


async def main() -> None:
    """One conversation, in which people speak two languages."""
    bridge = create_fsm_mcp_bridge(Cinema)
    german = CallContext(locale="de-AT")
    for tool, arguments, caller in (
        ("cinema_status", {}, None),
        ("cinema_status", {}, german),
        ("cinema_seat", {}, german),
        ("cinema_seat", {"row": "back"}, german),
        ("cinema_buy", {}, None),
    ):
        print((await bridge.call(tool, arguments, caller)).text)


asyncio.run(main())
