"""What no store can hold is not committed to any."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import BaseModel

from fsmvoice import State, VoiceMachine, transition
from tests.sessions.benches import LOCAL, Stores, fire, stores

__all__ = ["stores"]


class Line(BaseModel):
    rate: float | None = None


class Typed(BaseModel):
    best: float = 0.0
    lines: list[Line] = []
    anything: object = None


@dataclass
class Plain:
    best: float = 0.0
    lines: list[Line] = field(default_factory=list[Line])
    anything: object = None


def machine(context: Any) -> type[VoiceMachine[Any]]:
    class Scores(VoiceMachine[context], id="m"):
        idle = State(initial=True)

        @transition(source=idle)
        def best(self, value: float) -> None:
            self._set("best", value)

        @transition(source=idle)
        def line(self, value: float) -> None:
            self._set("lines", [Line(rate=value)])

        @transition(source=idle)
        def other(self, value: float) -> None:
            self._set("anything", {"deep": (value,)})

        def _set(self, name: str, value: Any) -> None:
            found: Any = self.context
            if context is dict:
                found[name] = value
            else:
                setattr(found, name, value)

    return Scores


@pytest.mark.parametrize("context", [dict, Typed, Plain])
@pytest.mark.parametrize(("event", "name"), [("BEST", "best"), ("LINE", "lines"), ("OTHER", "anything")])
async def test_a_number_that_json_has_not_is_not_committed(
    stores: Stores, context: Any, event: str, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    sessions = stores.sessions(machine(context).chart)
    value = math.nan if event == "LINE" else -math.inf
    assert (await fire(sessions, event, value=1.5)).reason is None
    with caplog.at_level(logging.ERROR, "fsmvoice"):
        assert (await fire(sessions, event, value=value)).reason == "action-failed"
    assert f"the context field '{name}' has the value {value}, which JSON has no number for" in caplog.text
    assert (await sessions.look(LOCAL)).revision == 1
    assert (await fire(sessions, event, value=2.5)).reason is None


@pytest.mark.parametrize("context", [dict, Typed, Plain])
def test_in_memory_it_may_stand_and_clients_see_null(context: Any) -> None:
    scores = machine(context)()
    scores.send_sync("BEST", value=math.inf)
    scores.send_sync("LINE", value=math.nan)
    shown = scores.snapshot.to_dict()["context"]
    assert (shown["best"], shown["lines"]) == (None, [{"rate": None}])
