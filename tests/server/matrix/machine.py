"""The machine that all clients of the matrix talk to; it can be refused for many reasons. Run, it serves over stdio."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, Field

from fsmvoice import Refuse, State, VoiceMachine, create_fsm_mcp_bridge, guard, spoken, transition
from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.bridge.client import Client
from fsmvoice.bridge.result import reply
from fsmvoice.bridge.spec import ToolReply
from fsmvoice.errors import ReasonCode
from fsmvoice.server import serve
from fsmvoice.sessions.keys import CallContext
from fsmvoice.voice.reply import make_speech

Drink = Literal["latte", "espresso", "mocha"]
Count = Annotated[int, Field(ge=1, le=20)]
REASONS: tuple[ReasonCode, ...] = get_args(ReasonCode)
REFUSE = "shop_refuse"
"""A tool that is refused for any reason one likes, so that clients meet those that no conversation leads to."""
PATIENCE = 0.3


class ShopContext(BaseModel):
    drink: Drink | None = None
    count: int = 1


class Shop(VoiceMachine[ShopContext], id="shop", version="1"):
    """Order drinks by voice."""

    idle = State(initial=True, prompt="What would you like?")
    ordering = State(prompt="{count} {drink}. Shall I place it?")
    paid = State(final=True, prompt="Thank you.")

    @guard("We are out of {drink}.")
    def in_stock(self, drink: Drink, count: Count = 1) -> bool:
        return drink != "mocha"

    @spoken("order drinks")
    @transition("ORDER", source=idle, target=ordering, guard=in_stock)
    async def order(self, drink: Annotated[Drink, Field(description="which drink")], count: Count = 1) -> None:
        """Order drinks."""
        self.context.drink, self.context.count = drink, count

    @spoken("cancel", says="Cancelled.")
    @transition("CANCEL", source=ordering, target=idle)
    def cancel(self) -> None:
        """Drop the order."""

    @spoken("add a note")
    @transition("NOTE", source=ordering)
    def note(self, about: dict[str, Any]) -> None:
        """Add a note to the order."""

    @spoken("have it counted")
    @transition("COUNT", source=ordering)
    def count(self) -> None:
        """Count what is left, with a counter that is broken."""
        raise RuntimeError("the counter is broken")

    @spoken("wait for the barista")
    @transition("WAIT", source=ordering)
    async def wait(self) -> None:
        """Wait for a barista who does not come."""
        await asyncio.sleep(60)

    @spoken("pay", irreversible=True)
    @transition("PAY", source=ordering, target=paid)
    async def pay(self, tip: Annotated[int, Field(ge=0, le=5000)] = 0) -> None:
        """Pay for the order."""
        if tip > 100:
            raise Refuse("That is too kind.")


def make_bridge() -> FsmMcpBridge:
    """A new bridge of the shop, with a tool that fails in any way."""
    bridge = create_fsm_mcp_bridge(Shop, tool_timeout=PATIENCE)

    async def refuse(arguments: Any = None, ctx: CallContext | None = None, client: Client | None = None) -> ToolReply:
        reason: ReasonCode = arguments["reason"]
        return reply(make_speech().failure(reason), reason=reason)

    schema = {"type": "object", "properties": {"reason": {"type": "string", "enum": list(REASONS)}}}
    status = next(tool for tool in bridge.tools if tool.name == "shop_status")
    spec = dataclasses.replace(status, name=REFUSE, title="Refuse", input_schema=schema, handler=refuse)
    bridge.tools = (*bridge.tools, spec)
    return bridge


if __name__ == "__main__":
    serve(make_bridge(), stdio=True)
