"""What the simulated processes serve: its context proves which events it has taken, in which order."""

from __future__ import annotations

import asyncio
import hashlib
from datetime import timedelta
from typing import Any, Protocol

from pydantic import BaseModel

from fsmvoice import State, VoiceMachine, after, effect, invoke, spoken, transition

DELAY = 3.0
"""Seconds that it stays armed."""


class Around(Protocol):
    """The world that step code, services and effects run in."""

    def entered(self, word: str) -> object: ...
    def left(self, attempt: object) -> None: ...
    def working(self) -> float: ...
    def looking(self, key: str) -> float: ...
    def receipt(self, key: str, word: str) -> None: ...


WORLDS: list[Around] = []
"""The world of the run that is under way. No context variable: a process's tasks may begin with none."""


def around() -> Around:
    return WORLDS[-1]


class SimulatedContext(BaseModel):
    count: int = 0
    chain: str = ""
    rung: int = 0
    checked: int = 0


def chained(chain: str, word: str) -> str:
    """The chain with one more word on it."""
    return hashlib.sha256(f"{chain} {word}".encode()).hexdigest()[:12]


class Simulated(VoiceMachine[SimulatedContext], id="simulated", version="1"):
    resting = State(initial=True)
    armed = State()
    checking = State()

    @spoken("add a word")
    @transition("ADD", source=[resting, armed, checking], target=armed)
    def add(self, word: str) -> None:
        self._count(word)

    @spoken("add a word with care")
    @transition("ADD_SLOWLY", source=[resting, armed, checking], target=armed)
    async def add_slowly(self, word: str) -> None:
        attempt = around().entered(word)
        try:
            await asyncio.sleep(0.02)
            await asyncio.sleep(around().working())
        finally:
            around().left(attempt)
        self._count(word)

    @spoken("check")
    @transition("CHECK", source=[resting, armed], target=checking)
    def check(self, word: str) -> None:
        self._count(word)

    @after(timedelta(seconds=DELAY), source=armed, target=resting)
    def ring(self) -> None:
        self.context.rung += 1
        self.context.chain = chained(self.context.chain, "ring")

    @invoke(during=checking, done=resting)
    async def look(self) -> dict[str, Any]:
        checked = self.context.checked
        await asyncio.sleep(around().looking(self.idempotency_key))
        return {"checked": checked + 1}

    @effect
    async def receipt(self, word: str) -> None:
        await asyncio.sleep(0.01)
        around().receipt(self.idempotency_key, word)

    def _count(self, word: str) -> None:
        self.context.count += 1
        self.context.chain = chained(self.context.chain, word)
        if word.endswith(("0", "1", "2")):
            self.receipt.later(word=word)
