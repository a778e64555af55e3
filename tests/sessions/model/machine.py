"""The machine of the model, in two versions, of which the second has other names for its states."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from fsmvoice import migration
from fsmvoice.machine.actor import compile_config
from fsmvoice.model.chart import Chart

RINGS = ("xstate.after.60000.m.b", "xstate.after.60000.m.pause")
"""The event that ends the delay, by version."""
DELAY = 60.0
SLOWNESS = 0.2


@migration("1", "2")
def renamed(document: dict[str, Any]) -> dict[str, Any]:
    names = {"a": "start", "b": "pause"}
    timers = [{**timer, "id": RINGS[1], "event": RINGS[1]} for timer in document["timers"]]
    return {**document, "states": [names[state] for state in document["states"]], "timers": timers}


def chart_of(version: str, mailed: Callable[[str], None]) -> Chart:
    """A version of the machine; `mailed` is told the id of each effect."""
    first, second = ("a", "b") if version == "1" else ("start", "pause")

    def count(context: dict[str, Any], later: Any) -> dict[str, Any]:
        later("mail")
        return {"n": context["n"] + 1}

    async def count_slowly(context: dict[str, Any], later: Any) -> dict[str, Any]:
        await asyncio.sleep(SLOWNESS)
        return count(context, later)

    async def mail(idempotency_key: str) -> None:
        mailed(idempotency_key)

    counting = {"GO": {"actions": "count"}, "SLOW": {"actions": "count_slowly"}}
    config = {
        "id": "m",
        "version": version,
        "initial": first,
        "context": {"n": 0},
        "states": {
            first: {"on": {**counting, "WAIT": second}},
            second: {"on": counting, "after": {"60000": first}},
        },
    }
    actions = {"count": count, "count_slowly": count_slowly}
    return compile_config(config, actions=actions, effects={"mail": mail}, migrations=[renamed])
