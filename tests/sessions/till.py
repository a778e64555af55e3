"""A till that takes money, for the tests of what a store guarantees."""

from __future__ import annotations

import asyncio
from typing import Annotated

import pytest
from pydantic import BaseModel

from fsmvoice import Private, State, VoiceMachine, after, effect, transition
from fsmvoice.errors import Refuse


class Shop(BaseModel):
    paid: int = 0
    note: object = None
    keys: list[str] = []


class Till(VoiceMachine[Shop], id="m", version="1"):
    idle = State(initial=True)
    paying = State()
    paid = State(final=True)

    gate: asyncio.Event
    running: asyncio.Event
    effects: list[str]

    @transition("PAY", source=idle, target=paying)
    async def pay(self, amount: str = "1") -> None:
        self.context.paid += 1
        self.context.keys.append(self.idempotency_key)
        self.receipt.later(amount)
        if amount == "refuse":
            raise Refuse("Not with this card.")
        if amount == "raise":
            raise ValueError("no such card")
        if amount == "odd":
            self.context.note = object()
        if amount == "slow":
            Till.running.set()
            await Till.gate.wait()

    @transition("PAY", source=paying, target=paying)
    async def pay_again(self, amount: str = "1") -> None:
        self.context.paid += 1

    @transition("QUICK", source=[idle, paying])
    def quick(self) -> None:
        self.context.paid += 1
        self.context.keys.append(self.idempotency_key)

    @transition("CARD", source=paying)
    def card(self, number: Annotated[str, Private], amount: str) -> None: ...

    @transition("DONE", source=paying, target=paid)
    def done(self) -> None: ...

    @after(60, source=paying, target=idle, says="You took too long.")
    def late(self) -> None: ...

    @effect
    async def receipt(self, amount: str) -> None:
        Till.effects.append(f"{amount} {self.idempotency_key}")


@pytest.fixture(autouse=True)
def fresh() -> None:
    Till.gate, Till.running, Till.effects = asyncio.Event(), asyncio.Event(), []
