"""The fourteen mistakes: each line that ends in a mark must be reported, and no other."""

from __future__ import annotations

from fsmvoice import ANY, State, VoiceMachine, guard, spoken, transition
from tests.typing.cases.machines import Coffee, CoffeeContext


async def using() -> None:
    coffee = Coffee()
    await coffee.order(drink=3)  # error: B1 a payload of the wrong type
    coffee.order.sync(drnk="latte")  # error: B2 a misspelt parameter
    print(coffee.ordr)  # error: B3 a misspelt event
    print((await coffee.order(drink="latte")).context.drnk)  # error: B4 a misspelt field
    await Coffee.order.body(coffee, 3)  # error: B5 the wrong type for a body


class Bad(VoiceMachine[CoffeeContext], idd="x"):  # error: B6 an unknown keyword
    a = State(initial=True)

    @guard("no")
    def takes_int(self, x: int) -> bool:
        return True

    @guard("no")  # error: B7 a guard that does not return a bool
    def not_bool(self) -> str:
        return ""

    @transition("E", source=a, target=ANY)  # error: B8 ANY as a target
    def e(self) -> None: ...

    @transition("F", source=a, target=a, guard=takes_int)  # error: B9 a guard of another payload
    def f(self, y: str) -> None: ...

    @spoken("x")  # error: B10 spoken on what is no event
    def h(self) -> None: ...

    @transition("G", source=a)
    def g(self, y: str) -> None: ...

    @transition("K", source=aa)  # error: B11 a misspelt state
    def k(self) -> None:
        self.g.queue(y=3)  # error: B12 a queued payload of the wrong type

    @transition("L", source=a)  # error: B13 a transition that returns something
    def returns(self) -> int:
        return 3


class BadId(Coffee, id=3): ...  # error: B14 an id that is not a text
