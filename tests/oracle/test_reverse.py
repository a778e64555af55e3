"""An exported machine does in XState what the machine did."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice import State, VoiceMachine, transition
from fsmvoice.exporters.xstate import to_xstate
from fsmvoice.importers.xstate import from_xstate
from fsmvoice.model.parse import parse_config
from tests.oracle.__main__ import lines
from tests.oracle.compare import Difference, first_difference
from tests.oracle.node import in_xstate
from tests.oracle.test_definitions import DEFINITIONS
from tests.oracle.test_oracle import cases

pytestmark = pytest.mark.slow


def differences(recorded: list[dict[str, Any]], jobs: list[dict[str, Any]]) -> list[Difference | str]:
    done = in_xstate(jobs)
    found: list[Difference | str | None] = [
        first_difference(case, done[case["id"]]["steps"]) if "steps" in done[case["id"]] else done[case["id"]]["error"]
        for case in recorded
    ]
    return [difference for difference in found if difference is not None]


def test_every_recorded_machine_does_the_same_when_it_was_exported() -> None:
    recorded = list(cases())
    jobs = [
        {"id": case["id"], "machine": to_xstate(parse_config(case["machine"])), "events": case["events"]}
        for case in recorded
    ]
    assert len(jobs) == 200
    assert differences(recorded, jobs) == []


def test_every_whole_definition_does_too() -> None:
    definitions = {item["id"]: item["definition"] for item in lines(DEFINITIONS)} if DEFINITIONS.exists() else {}
    recorded = [case for case in cases() if "always" not in str(case["machine"])]
    jobs: list[dict[str, Any]] = []
    for case in recorded:
        config = from_xstate({**definitions[case["id"]], "context": case["machine"]["context"]}).config
        jobs.append({"id": case["id"], "machine": to_xstate(config), "events": case["events"]})
    assert len(jobs) == 103
    assert differences(recorded, jobs) == []


def test_names_with_dots_lead_where_they_lead_here() -> None:
    inner = {"initial": "v.1", "states": {"v.1": {"on": {"NEXT": "v.2"}}, "v.2": {"on": {"SELF": ".", "OUT": "#x.y"}}}}
    machine = {"initial": "a.b", "states": {"a.b": {**inner, "on": {"DOWN": ".v.2"}}, "c": {"id": "x.y", **inner}}}
    events = ["NEXT", "SELF", "OUT", "NEXT", "OUT"]
    values = in_xstate(
        [{"id": "m", "machine": to_xstate(parse_config(machine)), "version": 5, "exported": True, "events": events}]
    )["m"]["values"]
    assert values == [
        {"a.b": "v.1"},
        {"a.b": "v.2"},
        {"a.b": "v.2"},
        {"c": "v.1"},
        {"c": "v.2"},
        {"c": "v.1"},
    ]


def test_a_class_runs_in_xstate() -> None:
    class Tea(VoiceMachine):
        idle = State(initial=True)
        brewing = State()
        done = State(final=True)

        @transition("ORDER", source=idle, target=brewing)
        def order(self) -> None: ...

        @transition("READY", source=brewing, target=done)
        def ready(self) -> None: ...

    job = {
        "id": "tea",
        "machine": Tea.to_xstate(),
        "version": 5,
        "exported": True,
        "events": ["READY", "ORDER", "READY"],
    }
    assert in_xstate([job])["tea"]["values"] == ["idle", "idle", "brewing", "done"]
