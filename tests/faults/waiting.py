"""What the servers serve where time matters: a delay, a service, and step code that waits as long as it is told."""

from __future__ import annotations

import asyncio
import os
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from fsmvoice import State, VoiceMachine, after, effect, invoke, spoken, transition
from fsmvoice.errors import Refuse

RECEIPTS = Path(os.environ.get("TALLY_RECEIPTS", os.devnull))
"""Where a line is written each time that something begins or ends."""


class WaitingContext(BaseModel):
    rung: int = 0
    checked: int = 0
    worked: int = 0
    seconds: float = 0.0


class Waiting(VoiceMachine[WaitingContext], id="waiting", version="1"):
    """Wait for something."""

    idle = State(initial=True, prompt="What are we waiting for?")
    waiting = State(prompt="I will ring.")
    rung = State(prompt="It rang.")
    checking = State(prompt="I am looking.")
    found = State(prompt="We have it.")
    broken = State(prompt="I could not look.")
    paying = State(prompt="I am paying.")
    paid = State(prompt="It is paid.")
    unsure = State(prompt="I do not know whether it is paid.")

    @spoken("set the alarm")
    @transition("WAIT", source=idle, target=waiting)
    def wait(self) -> None: ...

    @after(timedelta(seconds=3), source=waiting, target=rung)
    def ring(self) -> None:
        self.context.rung += 1

    @spoken("look for it")
    @transition("CHECK", source=idle, target=checking)
    def check(self, seconds: float = 0.0) -> None:
        self.context.seconds = seconds

    @invoke(during=checking, done=found, error=broken, says="It was found.")
    async def look(self) -> dict[str, Any]:
        seconds, checked = self.context.seconds, self.context.checked
        _write(f"begin {self.idempotency_key}")
        await asyncio.sleep(seconds)
        _write(f"end {self.idempotency_key}")
        return {"checked": checked + 1}

    @spoken("once more")
    @transition("AGAIN", source=[rung, found, broken, paid, unsure], target=idle)
    def again(self) -> None: ...

    @spoken("pay")
    @transition("PAY", source=idle, target=paying)
    def pay(self, seconds: float) -> None:
        self.context.seconds = seconds

    @invoke(during=paying, done=paid, error=unsure, on_restart="error")
    async def charge(self) -> None:
        _write(f"charge {self.idempotency_key}")
        await asyncio.sleep(self.context.seconds)

    @spoken("work for a while")
    @transition("WORK", source=idle, target=idle)
    async def work(self, seconds: float) -> None:
        _write("work")
        await asyncio.sleep(seconds)
        self.context.worked += 1

    @spoken("toil for a while")
    @transition("TOIL", source=idle, target=idle)
    async def toil(self, seconds: float) -> None:
        """It lets nothing else run meanwhile, not even what would cut it short."""
        _write("toil")
        await asyncio.sleep(0)
        time.sleep(seconds)  # noqa: ASYNC251 - that is what it is for
        self.context.worked += 1

    @spoken("send it")
    @transition("SEND", source=idle, target=idle)
    def dispatch(self, words: list[str], fails: bool = False) -> None:
        for word in words:
            self.post.later(word=word, fails=fails)
        if fails:
            raise Refuse("Not this one.")

    @effect
    async def post(self, word: str, fails: bool) -> None:
        _write(f"post {self.idempotency_key} {word}")
        await asyncio.sleep(0.05)


def _write(line: str) -> None:
    with RECEIPTS.open("a") as file:
        file.write(f"{line}\n")
