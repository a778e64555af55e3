import asyncio

from fsmvoice import State, VoiceMachine, create_fsm_mcp_bridge, spoken, transition


class Order(VoiceMachine, id="order"):
    placed = State(initial=True, prompt="Your {drink|drink} is on its way.")
    gone = State(final=True, prompt="There is no order any more.")

    @spoken("change the drink")
    @transition("CHANGE", source=placed)
    def change(self, drink: str) -> None:
        self.context["drink"] = drink

    @spoken("cancel the order", confirm="Cancel your {drink|drink}?", destructive=True)
    @transition("CANCEL", source=placed, target=gone)
    def cancel(self) -> None: ...


async def main() -> None:
    bridge = create_fsm_mcp_bridge(Order)
    asked = await bridge.call("order_cancel")
    print(asked.text)  # Cancel your drink?

    await bridge.call("order_change", {"drink": "latte"})
    again = await bridge.call("order_cancel", {"confirm_token": asked.structured["confirm_token"]})
    print(again.text)  # Cancel your latte?

    done = await bridge.call("order_cancel", {"confirm_token": again.structured["confirm_token"]})
    print(done.text)  # There is no order any more.


asyncio.run(main())
