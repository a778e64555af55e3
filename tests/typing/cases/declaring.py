"""Mistakes in declaring a machine. A state misspelt as text is found when the class is created, not here."""

from __future__ import annotations

from typing import TypedDict

from fsmvoice import ANY, State, VoiceMachine, always, guard, on_enter, transition
from tests.typing.cases.machines import CoffeeContext


class Update(TypedDict, total=False):
    drink: str


class Machine(VoiceMachine[CoffeeContext]):
    idle = State(initial=True)
    ordering = State()

    def no_payload(self) -> bool:
        return self.context.drink is None

    def same_payload(self, drink: str) -> bool:
        return bool(drink)

    def not_bool(self) -> str:
        return "x"

    def other_payload(self, amount: float) -> bool:
        return amount > 0

    @transition("B", source=idel, target=ordering)  # error: E2 a misspelt state
    def e2(self) -> None: ...

    @transition("C", source=idle, target=ordering)
    def e3(self) -> None:
        self.context.drnk = "x"  # error: E3 a misspelt field

    @transition("D", source=idle)  # error: E4 must return None
    def e4(self) -> Update:
        return {}

    @transition("E", source=idle)  # error: E5 must return None
    async def e5(self) -> int:
        return 3

    @transition("F", source=idle, guard=same_payload)
    def guarded(self, drink: str) -> None: ...

    @transition("F0", source=idle, guard=no_payload)
    def guarded_by_state(self, drink: str) -> None: ...

    @transition("G", source=idle, guard=not_bool)  # error: E6 a guard that does not return a bool
    def e6(self) -> None: ...

    @transition("H", source=idle, guard=other_payload)  # error: E7 a guard of another payload
    def e7(self, drink: str) -> None: ...

    @transition("I", source=idle, taget=ordering)  # error: E8 a misspelt keyword
    def e8(self) -> None: ...

    @transition("J", source=idle)  # error: E9 must return None
    def e9(self) -> dict[str, str]:
        return {"drnk": "x"}


class Wrong(VoiceMachine[CoffeeContext]):
    state = State()  # error: V5 a reserved name
    idle = State(initial=True)

    @on_enter(idle)  # error: V6 a hook that takes something
    def hi(self, extra: int) -> None: ...

    @always(source=idle, target=idle, guard=lambda m: m.contxt)  # error: V8 a misspelt attribute in a lambda
    def al(self) -> None: ...

    @transition("Z", source=idle, target=ANY)  # error: V9 ANY as a target
    def z(self) -> None: ...

    @transition("Y", source=idle)  # error: V10 a staticmethod
    @staticmethod
    def y() -> None: ...

    @guard("no")  # error: an async guard
    async def later(self) -> bool:
        return True
