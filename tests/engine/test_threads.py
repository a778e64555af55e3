"""An actor belongs to one thread; calls of several never lose what one of them was told is done."""

from __future__ import annotations

import contextlib
import sys
import threading
from typing import Any

import pytest

from fsmvoice import State, Suspended, VoiceMachine, transition
from fsmvoice.errors import ReentrancyError
from tests.engine.making import actor_of


def add(context: dict[str, Any]) -> dict[str, Any]:
    return {"n": context["n"] + 1}


class Counter(VoiceMachine[dict[str, Any]]):
    idle = State(initial=True)

    @transition(source=idle)
    def add(self) -> None:
        self.context["n"] += 1


@pytest.mark.parametrize("kind", ["config", "class"])
def test_every_event_that_was_taken_counts(kind: str) -> None:
    config = {"initial": "a", "context": {"n": 0}, "states": {"a": {"on": {"ADD": {"actions": "add"}}}}}
    sent: Any = actor_of(config, actions={"add": add}) if kind == "config" else Counter({"n": 0})
    taken = [0, 0, 0]

    def work(number: int) -> None:
        for _ in range(3000):
            with contextlib.suppress(Suspended, ReentrancyError):
                taken[number] += sent.send_sync("ADD").ok

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)

    assert sent.context["n"] == sent.snapshot.revision == sum(taken)
    assert sent.send_sync("ADD").ok
