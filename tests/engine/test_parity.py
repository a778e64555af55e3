"""The actor does what the seed library's does, on the machines that were recorded with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.model.behaviour import Behaviour, named_code
from fsmvoice.model.chart import compile_chart
from fsmvoice.model.events import collect_event_types
from fsmvoice.model.parse import parse_config

CASES = Path(__file__).parents[2].parent / "shared" / "data" / "parity" / "cases.jsonl"


Fields = dict[str, Any]


def set_item(event: Fields) -> Fields:
    return {"item": event.get("item") or "none"}


def inc(context: Fields) -> Fields:
    return {"count": (context.get("count") or 0) + 1}


async def later(context: Fields) -> Fields:
    return {"late": context.get("late", 0) + 1}


def has_item(context: Fields) -> bool:
    return bool(context.get("item"))


def count_at_least_2(context: Fields) -> bool:
    return bool((context.get("count") or 0) >= 2)


def size_is_large(event: Fields) -> bool:
    return event.get("size") == "large"


ACTIONS: dict[str, Callable[..., Any]] = {
    "setItem": set_item,
    "inc": inc,
    "clear": lambda: {"item": None, "count": 0},
    "nothing": lambda: None,
    "later": later,
}
GUARDS: dict[str, Callable[..., Any]] = {
    "never": lambda: False,
    "always": lambda: True,
    "hasItem": has_item,
    "countAtLeast2": count_at_least_2,
    "sizeIsLarge": size_is_large,
}
BEHAVIOUR = Behaviour(
    actions={name: named_code(name, function) for name, function in ACTIONS.items()},
    guards={name: named_code(name, function, role="guard") for name, function in GUARDS.items()},
)


def cases() -> list[Any]:
    if not CASES.exists():
        skip = pytest.mark.skip(reason=f"the recorded cases are not here: {CASES}")
        return [pytest.param(None, marks=skip, id="absent")]
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, CASES.read_text().splitlines())]


def same(snapshot: Snapshot, recorded: Mapping[str, Any]) -> None:
    ours = snapshot.to_dict()
    assert {key: ours[key] for key in ("value", "context", "done")} == {
        key: recorded[key] for key in ("value", "context", "done")
    }
    assert list(snapshot.verdicts) == recorded["availableEvents"]
    blocked = {blocked.event for blocked in snapshot.blocked_events}
    assert blocked.isdisjoint(snapshot.available_events)
    assert blocked.union(snapshot.available_events) == set(recorded["availableEvents"])


@pytest.mark.parametrize("case", cases())
async def test_a_recorded_case_gives_the_same(case: Mapping[str, Any]) -> None:
    config = parse_config(case["machine"])
    assert list(collect_event_types(config).items()) == list(case["event_types"].items())
    actor = FsmActor[dict[str, Any]](compile_chart(config, BEHAVIOUR))
    same(actor.snapshot, case["start"])
    for step in case["steps"]:
        outcome = await actor.send(step["event"])
        assert (outcome.ok, outcome.reason) == (step["ok"], step.get("reason"))
        same(outcome.snapshot, step["snapshot"])
