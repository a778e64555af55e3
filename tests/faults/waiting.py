"""What the servers serve where time matters: a delay, a service, and step code that waits as long as it is told."""

from __future__ import annotations

import asyncio
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from fsmvoice import State, VoiceMachine, after, invoke, spoken, transition

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

    @invoke(during=checking, done=found, error=broken)
    async def look(self) -> dict[str, Any]:
        seconds, checked = self.context.seconds, self.context.checked
        _write(f"begin {self.idempotency_key}")
        await asyncio.sleep(seconds)
        _write(f"end {self.idempotency_key}")
        return {"checked": checked + 1}

    @spoken("work for a while")
    @transition("WORK", source=idle, target=idle)
    async def work(self, seconds: float) -> None:
        _write("work")
        await asyncio.sleep(seconds)
        self.context.worked += 1


def _write(line: str) -> None:
    with RECEIPTS.open("a") as file:
        file.write(f"{line}\n")
