"""A copy of a machine stands where it stood, with its clock and its start, and goes its own way."""

from __future__ import annotations

import copy
import math
import pickle
from datetime import timedelta
from typing import Any

import pytest
from pydantic import BaseModel

from fsmvoice import SimulatedClock, State, VoiceMachine, after, transition


class Count(BaseModel):
    n: int = 0
    seen: list[int] = []


class Counter(VoiceMachine[Count]):
    __slots__ = ("slot",)

    idle = State(initial=True)
    busy = State()

    slot: int
    tags: list[str]
    me: Any

    @transition(source=idle, target=busy)
    def go(self) -> None:
        self.context.n += 1
        self.context.seen.append(self.context.n)

    @after(10, source=busy, target=idle)
    def late(self) -> None: ...


def counting() -> tuple[Counter, SimulatedClock]:
    clock = SimulatedClock()
    counter = Counter(Count(n=5), clock=clock)
    counter.go.sync()
    counter.tags = ["a"]
    counter.slot = 1
    counter.me = counter
    return counter, clock


@pytest.mark.parametrize("deep", [False, True])
def test_a_copy_has_the_clock_the_start_and_its_own_context(deep: bool) -> None:
    counter, clock = counting()
    twin = copy.deepcopy(counter) if deep else copy.copy(counter)
    counter.context.seen.append(0)
    assert (twin.state, twin.context, twin.slot) == ("busy", Count(n=6, seen=[6]), 1)
    assert (twin.tags is counter.tags, twin.me is twin) == (not deep, deep)
    clock.advance(timedelta(seconds=10))
    assert twin.go.can()
    assert twin.state == "idle"
    assert twin.start_over.sync().context == Count(n=5)


def test_a_pickle_has_all_but_the_clock() -> None:
    counter, _ = counting()
    counter.me = None
    twin = pickle.loads(pickle.dumps(counter))
    assert (twin.state, twin.context, twin.slot, twin.tags) == ("busy", Count(n=6, seen=[6]), 1, ["a"])
    assert twin.start_over.sync().context == Count(n=5)


def test_a_copy_needs_no_json() -> None:
    class Loose(VoiceMachine[dict[str, Any]]):
        idle = State(initial=True)

    loose = Loose({"set": {1}, "most": math.inf})
    assert copy.copy(loose).context == {"set": {1}, "most": math.inf}
