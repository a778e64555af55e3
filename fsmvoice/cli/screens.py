"""The screen formats of `fsmvoice convert`."""

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
    """The screen of each state by dotted path, with the start context. Its text is the prompt with unfilled slots.

    Raises:
        ContextError: if the context can't be created without values.
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
"""The screen formats by name."""
