"""Runs a recorded case on our engine, in one of three ways, and writes down what it did."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Literal

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.engine.configuration import configuration_of
from fsmvoice.engine.drive import drive_sync
from fsmvoice.engine.kernel import start, step
from fsmvoice.engine.open_step import Nobody
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.engine.timers import next_due
from fsmvoice.engine.verdicts import Look
from fsmvoice.model.chart import Chart, compile_chart
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.parse import parse_config
from fsmvoice.model.run_state import RunState
from tests.oracle.names import Log, behaviour_for

Mode = Literal["sync", "async", "pure"]
Record = dict[str, Any]


def run_case(case: Mapping[str, Any], mode: Mode, config: FsmConfig | None = None) -> list[Record]:
    """One record after the start and one after each event. `config` stands in for the case's own machine."""
    log: Log = []
    return run_chart(chart_for(case, mode, log, config), case, mode, log)


def chart_for(case: Mapping[str, Any], mode: Mode, log: Log, config: FsmConfig | None = None) -> Chart:
    """The case's machine with the oracle's functions, which write to `log`."""
    parsed = config or parse_config(case["machine"])
    return compile_chart(parsed, behaviour_for(parsed.to_dict(), log, waiting=mode == "async"))


def run_chart(chart: Chart, case: Mapping[str, Any], mode: Mode, log: Log) -> list[Record]:
    """As `run_case`, on a chart that `chart_for` made with `log`."""
    if mode == "pure":
        return _run_pure(chart, case, log)
    if mode == "async":
        return asyncio.run(_run_async(chart, case, log))
    return _run_sync(chart, case, log)


def _run_sync(chart: Chart, case: Mapping[str, Any], log: Log) -> list[Record]:
    clock = SimulatedClock()
    actor: FsmActor = FsmActor(chart, clock=clock)
    records = [_record(actor.snapshot, case, log)]
    for event in case["events"]:
        if "advance" in event:
            clock.advance(event["advance"])
            actor.catch_up()
        else:
            actor.send_sync(event)
        records.append(_record(actor.snapshot, case, log))
    return records


async def _run_async(chart: Chart, case: Mapping[str, Any], log: Log) -> list[Record]:
    clock = SimulatedClock()
    actor: FsmActor = await FsmActor.started(chart, clock=clock)
    records = [_record(actor.snapshot, case, log)]
    for event in case["events"]:
        if "advance" in event:
            clock.advance(event["advance"])
            await actor.catch_up_async()
        else:
            await actor.send(event)
        records.append(_record(actor.snapshot, case, log))
    return records


def _run_pure(chart: Chart, case: Mapping[str, Any], log: Log) -> list[Record]:
    """Without an actor; between two steps the run state goes through JSON and back."""
    now = 0.0
    state = _through_json(chart, drive_sync(start(chart, now=now)))
    records = [_record(Snapshot(chart, state), case, log)]
    for event in case["events"]:
        now += event.get("advance", 0)
        while (fired := next_due(state, now)) is not None:
            timer, before = fired
            state = _through_json(chart, drive_sync(step(chart, before, timer.event, now=now))[0])
        if "advance" not in event:
            state = _through_json(chart, drive_sync(step(chart, state, event, now=now))[0])
        records.append(_record(Snapshot(chart, state), case, log))
    return records


def _through_json(chart: Chart, state: RunState) -> RunState:
    loaded = RunState.load(chart, json.loads(json.dumps(state.dump(chart))))
    assert loaded == state
    return loaded


def _record(snapshot: Snapshot, case: Mapping[str, Any], log: Log) -> Record:
    state, nodes = snapshot.run_state, snapshot.chart.nodes
    kinds = dict.fromkeys(event["type"] for event in case["events"] if "type" in event)
    configuration = configuration_of(snapshot.chart, state.leaves)
    record: Record = {
        "value": snapshot.value,
        "nodes": [node.id for node in snapshot.nodes],
        "status": state.status,
        "output": snapshot.output,
        "context": json.loads(json.dumps(snapshot.context)),
        "tags": sorted(snapshot.tags),
        "history": {nodes[key].id: sorted(nodes[index].id for index in kept) for key, kept in state.history},
        "can": {kind: Look(configuration, state, Nobody()).takes(kind, {}) for kind in kinds},
        "log": list(log),
    }
    log.clear()
    return record
