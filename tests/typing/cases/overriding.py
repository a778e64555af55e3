"""Mistakes in overriding. Both checkers also report a widening override, which is legal: it needs an ignore."""

from __future__ import annotations

import abc

from fsmvoice import State, VoiceMachine, transition
from tests.typing.cases.machines import CoffeeContext


class Base(VoiceMachine[CoffeeContext]):
    idle = State(initial=True)

    @transition("A", source=idle)
    def same(self, n: int) -> None: ...

    @transition("B", source=idle)
    def widened(self, n: int) -> None: ...

    @transition("C", source=idle)
    def narrowed(self, n: int) -> None: ...

    @transition("D", source=idle)
    def plain(self, n: int) -> None: ...

    @transition("E", source=idle)
    async def still_async(self, n: int) -> None: ...

    def allowed(self) -> bool:
        return True


class Sub(Base):
    more = State()

    @transition("A", source=Base.idle, target=more)
    def same(self, n: int) -> None:
        Base.same.body(self, n)

    @transition("C", source=Base.idle, target=more)
    def narrowed(self, n: str) -> None: ...  # error: V1 an incompatible payload

    def plain(self, n: int) -> None: ...  # error: V2 the event is lost

    @transition("E", source=Base.idle, target=more)
    async def still_async(self, n: int) -> None:
        await Base.still_async.body(self, n)

    def allowed(self) -> int:  # error: V3 a guard's type changed
        return 1


class Abstract(VoiceMachine[CoffeeContext], abc.ABC):
    idle = State(initial=True)

    @transition("A", source=idle)
    @abc.abstractmethod
    def a(self, n: int) -> None: ...


Abstract()  # error: V4 an abstract machine


class Mixin:
    def helper(self) -> str:
        return "x"


class Mixed(Mixin, Base): ...


Mixed().same.sync(n=1)
