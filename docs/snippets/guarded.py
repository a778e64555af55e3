from typing import Annotated, Literal

from pydantic import BaseModel, Field

from fsmvoice import State, VoiceMachine, guard, spoken, transition

Tea = Literal["green", "black", "mint"]
Cups = Annotated[int, Field(ge=1, le=20)]


class Order(BaseModel):
    tea: Tea | None = None
    cups: int = 0


class TeaHouse(VoiceMachine[Order], id="tea"):
    """Order tea by voice."""

    idle = State(initial=True, prompt="What would you like?")
    ordered = State(prompt="{cups} {tea} tea, coming up.")

    @guard("We are out of {tea} tea.")
    def in_stock(self, tea: Tea, cups: Cups = 1) -> bool:
        return tea != "mint"

    @spoken("order tea", utterances=["[please] (get me|i'd like) {tea} tea"])
    @transition("ORDER", source=idle, target=ordered, guard=in_stock)
    def order(self, tea: Tea, cups: Cups = 1) -> None:
        """Order some tea."""
        self.context.tea, self.context.cups = tea, cups

    @spoken("choose another tea", says="All right, from the beginning.")
    @transition("AGAIN", source=ordered, target=idle)
    def again(self) -> None:
        self.context.tea = None
