from typing import Protocol

from fsmvoice import State, VoiceMachine, create_fsm_mcp_bridge, transition


class Kitchen(Protocol):
    async def bake(self) -> int: ...


class Pizzeria(VoiceMachine, id="pizza"):
    """Order a pizza by voice."""

    kitchen: Kitchen

    idle = State(initial=True, prompt="Hungry?")
    baking = State(final=True, prompt="Your pizza will be there in {minutes} minutes.")

    @transition("BAKE", source=idle, target=baking)
    async def bake(self) -> None:
        """Bake a pizza."""
        self.context["minutes"] = await self.kitchen.bake()


def pizzeria(kitchen: Kitchen) -> type[Pizzeria]:
    """The machine with the kitchen that it uses; each session's machine is of this class."""

    class Connected(Pizzeria, id="pizza"):
        pass

    Connected.kitchen = kitchen
    return Connected


class Oven:
    """Stands for a real kitchen's client."""

    async def bake(self) -> int:
        return 12


bridge = create_fsm_mcp_bridge(pizzeria(Oven()))
print(pizzeria(Oven())().bake.sync().say)  # Your pizza will be there in 12 minutes.
