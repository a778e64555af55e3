"""Machines that people wrote for XState, from public repositories, with a stub for every name in them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from fsmvoice.engine.drive import drive_sync
from fsmvoice.engine.kernel import start, step
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.model.behaviour import Behaviour, StepCode, named_code
from fsmvoice.model.chart import Chart, compile_chart
from fsmvoice.model.imported import Imported

FOLDER = Path(__file__).parents[2].parent / "shared" / "data" / "corpus"


class Found(NamedTuple):
    """A file of the corpus. `version` is the one it was written for."""

    name: str
    document: Any
    version: int


def corpus() -> Iterator[Found]:
    """Every machine; the test is skipped where they are not."""
    if not (FOLDER / "LOG.csv").exists():
        pytest.skip(f"the machines are not here: {FOLDER}")
    with (FOLDER / "LOG.csv").open(newline="", encoding="utf-8") as log:
        for row in csv.DictReader(log):
            if row["file"].startswith("xstate/"):
                document = json.loads((FOLDER / row["file"]).read_text(encoding="utf-8"))
                yield Found(Path(row["file"]).stem, document, 4 if "v4" in row["features"].split() else 5)


class Stubs(dict[str, Any]):
    """A function for every name there is."""

    def __init__(self, known: dict[str, Any], make: Callable[[str], Any]) -> None:
        super().__init__(known)
        self.make = make

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> Any:
        return self.make(name)


def chart_of(imported: Imported, random: Random | None = None) -> Chart:
    """The machine with stubs: actions do nothing, guards say no (with `random`, anything), services never end."""

    def guard(name: str) -> StepCode:
        negated = name.startswith("not ")
        return StepCode(name, lambda step, params: negated if random is None else random.random() < 0.5)

    brought = {name: named_code(name, function) for name, function in imported.actions.items()}
    behaviour = Behaviour(
        actions=Stubs(dict(brought), lambda name: StepCode(name, lambda step, params: None)),
        guards=Stubs(dict(imported.guards), guard),
        services=Stubs({}, lambda name: lambda: None),
        delays=Stubs({}, lambda name: 1000),
    )
    return compile_chart(imported.config, behaviour)


def outside(chart: Chart) -> list[str]:
    """The events that the world may send: none of the engine's own."""
    return [event for event in chart.events if not event.startswith(("xstate.", "done.", "error."))]


def values(chart: Chart, events: Sequence[str]) -> list[Any]:
    """The state value after the start, and after each event."""
    state = drive_sync(start(chart))
    found = [Snapshot(chart, state).value]
    for event in events:
        state, _ = drive_sync(step(chart, state, event))
        found.append(Snapshot(chart, state).value)
    return found
