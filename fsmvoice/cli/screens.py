"""The screens of a machine, state by state, for programs that have a toolkit of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.machine.placing import run_state_at
from fsmvoice.model.chart import Chart
from fsmvoice.screen.rjsf import rjsf
from fsmvoice.screen.screen import Screen, screen
from fsmvoice.voice import texts
from fsmvoice.voice.reply import innermost_prompted

Projection: TypeAlias = Callable[[Screen], Any]


def screens_of(chart: Chart) -> Iterator[tuple[str, Screen]]:
    """The screen of each state by its dotted path, with the context that a run begins with.

    What it says is the state's prompt as it was written, with its slots: there are no values for them yet.

    Raises:
        ContextError: if the context can't begin without values of somebody's.
    """
    for node in chart.nodes:
        if node.path and node.kind != "history":
            snapshot = Snapshot(chart, run_state_at(chart, node.path, {}))
            prompts = [texts.all_prompts(chart)[one.index][0] for one in innermost_prompted(chart, snapshot.nodes)]
            yield chart.name_of(node), screen(snapshot, say=" ".join(prompts))


def written(chart: Chart, to: str) -> str:
    """The screens as JSON, keyed by state."""
    found = {state: SCREENS[to](shown) for state, shown in screens_of(chart)}
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


SCREENS: Mapping[str, Projection] = {"screen": Screen.to_dict, "rjsf": rjsf}
"""What a screen can be written as, by name."""
