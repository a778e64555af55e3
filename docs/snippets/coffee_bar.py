from typing import Literal

from fsmvoice import State, VoiceMachine, guard, spoken, transition

Drink = Literal["latte", "espresso", "mocha"]


class CoffeeBar(VoiceMachine, id="bar"):
    """Order a coffee by voice."""

    idle = State(initial=True, prompt="What would you like?")
    brewing = State(prompt="One {drink}, coming up.")

    @guard("We are out of {drink}.")
    def in_stock(self, drink: Drink) -> bool:
        return drink != "mocha"

    @spoken("order a drink")
    @transition("ORDER", source=idle, target=brewing, guard=in_stock)
    def order(self, drink: Drink) -> None:
        """Order a drink."""
        self.context["drink"] = drink

    @spoken("pick up the drink")
    @transition("PICK_UP", source=brewing, target=idle)
    def pick_up(self) -> None:
        """Take the finished drink."""


bar = CoffeeBar()
print(bar.send_sync("ORDER").say)  # Which drink would you like: latte or espresso?
print(bar.send_sync("ORDER", drink="mocha").say)  # We are out of mocha. Which drink would you like: latte or espresso?
print(bar.order.sync(drink="latte").say)  # One latte, coming up. You can pick up the drink.
print(bar.send_sync("ORDER", drink="espresso").say)  # You can't order a drink right now. You can pick up the drink.
