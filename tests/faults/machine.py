"""What the servers of the fault runs serve: a tally whose context proves which events it has taken, in which order."""

from __future__ import annotations

import asyncio
import hashlib
import os
from datetime import timedelta
from pathlib import Path

from pydantic import BaseModel

from fsmvoice import State, VoiceMachine, after, effect, spoken, transition

RECEIPTS = Path(os.environ.get("TALLY_RECEIPTS", os.devnull))
"""Where the effect writes a line each time it runs."""


class TallyContext(BaseModel):
    count: int = 0
    chain: str = ""


def chained(chain: str, word: str) -> str:
    """The chain with one more word on it: equal chains had equal words, in the same order."""
    return hashlib.sha256(f"{chain} {word}".encode()).hexdigest()[:16]


class Tally(VoiceMachine[TallyContext], id="tally", version="1"):
    """Count words."""

    even = State(initial=True, prompt="Even.")
    odd = State(prompt="Odd.")

    @spoken("add a word")
    @transition("ADD", source=even, target=odd)
    @transition("ADD", source=odd, target=even)
    def add(self, word: str) -> None:
        """Add a word. Some of them ask for a receipt."""
        self._count(word)
        if word.endswith("0"):
            self.receipt.later(word=word)

    @spoken("add a word with care")
    @transition("ADD_SLOWLY", source=even, target=odd)
    @transition("ADD_SLOWLY", source=odd, target=even)
    async def add_slowly(self, word: str) -> None:
        """Add a word, in step code that waits."""
        await asyncio.sleep(0.005)
        self._count(word)

    @after(timedelta(hours=1), source=odd, target=even)
    def forgotten(self) -> None: ...

    @effect
    async def receipt(self, word: str) -> None:
        """One short write: it is whole, or not there."""
        _write(f"{self.idempotency_key} {word}")

    def _count(self, word: str) -> None:
        self.context.count += 1
        self.context.chain = chained(self.context.chain, word)


def _write(line: str) -> None:
    with RECEIPTS.open("a") as file:
        file.write(f"{line}\n")
