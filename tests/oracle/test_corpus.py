"""Machines that people wrote for XState are imported, or refused for a reason, and do what they do in XState."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from fsmvoice.engine.actor import FsmActor
from fsmvoice.errors import DefinitionError, RunawayError
from fsmvoice.exporters.xstate import to_xstate
from fsmvoice.importers.xstate import from_xstate
from fsmvoice.model.chart import Chart
from fsmvoice.model.imported import Imported
from fsmvoice.model.shapes import is_list, is_object
from tests.oracle.corpus import Found, chart_of, corpus, outside, values
from tests.oracle.node import in_xstate

REFUSED = {
    "xstate-coretest__id-2": "$.states.foo.states.bar: the id '(machine).foo.bar' is used twice",
    "xstate-coretest__predictableexec-11": "$.states.waiting.invoke.src: a machine invoked by a machine",
    "xstate-statemachine__json-atmscenario": "$: initial is missing",
    "xstate-statemachine__json-yeshunguang": "$.states.onField.states.enlightenedMind.states.stance.states.airborne: "
    "initial is missing",
    "xstate-tools__exit-action-parallel-root-with-final-states": "$.states.a: initial is missing",
    "xstate-viz__testmachine-2": "$.invoke.src: a machine invoked by a machine",
}
"""What can't be a machine here. XState refuses the ones of xstate-statemachine too."""

ALONE = {"editor__playground-machine-0", "xstate-viz__canvascontainer-2", "xstate-viz__dragsessiontracker"} | {
    "xstate-viz__testmachine-0"
}
"""Machines that talk to a parent, or to a page, on some event: in XState, alone, they fail there."""


def imported() -> tuple[dict[str, tuple[Found, Imported]], dict[str, str]]:
    machines: dict[str, tuple[Found, Imported]] = {}
    refused: dict[str, str] = {}
    for found in corpus():
        try:
            machines[found.name] = found, from_xstate(found.document)
        except DefinitionError as error:
            refused[found.name] = str(error.problems[0])
    return machines, refused


def charts() -> dict[str, tuple[Found, Chart]]:
    return {name: (found, chart_of(machine)) for name, (found, machine) in imported()[0].items()}


def walks() -> dict[str, list[str]]:
    """Sixty events for each machine."""
    found: dict[str, list[str]] = {}
    for name, (_, chart) in charts().items():
        events = outside(chart)
        found[name] = Random(name).choices(events, k=60) if events else []
    return found


def test_all_are_imported_but_those_with_a_reason() -> None:
    machines, refused = imported()
    assert len(machines) + len(refused) == 136
    assert refused.keys() == REFUSED.keys()
    for name, reason in REFUSED.items():
        assert refused[name].startswith(reason)


def test_what_was_imported_is_a_config_that_reads_back_the_same() -> None:
    for name, (_, machine) in imported()[0].items():
        assert from_xstate(machine.config.to_dict()).config == machine.config, name


def test_a_spoilt_document_is_read_or_refused() -> None:
    random = Random(1)
    documents = [json.dumps(found.document) for found in corpus()]
    for _ in range(400):
        document = json.loads(random.choice(documents))
        for _ in range(random.randint(1, 3)):
            spoil(document, random)
        with suppress(DefinitionError):
            to_xstate(from_xstate(document).config)


SPOILS: tuple[Any, ...] = (None, 5, True, "", ".", "#x", [], {}, [None], {"type": ""}, {"__fn": 5}, {"target": [5]})
"""What may stand where it makes no sense."""


def spoil(document: Any, random: Random) -> None:
    """Put something else at some place."""
    here = document
    while inside := entries(here):
        key, value = random.choice(inside)
        if entries(value) and random.random() < 0.8:
            here = value
            continue
        here[key] = copy.deepcopy(random.choice(SPOILS))
        return


def entries(value: Any) -> list[tuple[Any, Any]]:
    if is_object(value):
        return list(value.items())
    return list(enumerate(value)) if is_list(value) else []


def test_no_event_at_random_hangs_or_breaks_the_engine() -> None:
    for name, (_, machine) in imported()[0].items():
        random = Random(name)
        chart = chart_of(machine, random)
        inside = [event for node in chart.nodes for event in node.on]
        for _ in range(5):
            with suppress(RunawayError):  # guards that say anything may keep a machine going round
                values(chart, random.choices(inside or ["GO"], k=40))


async def test_no_event_at_random_breaks_a_live_machine_whose_services_end_at_once() -> None:
    for name, (_, machine) in imported()[0].items():
        random = Random(name)
        actor: FsmActor[Any] = await FsmActor.started(chart_of(machine, random))
        for event in random.choices(outside(actor.chart) or ["GO"], k=20):
            with suppress(RunawayError):
                await actor.send(event)
        await actor.aclose()


@pytest.mark.slow
def test_each_goes_where_xstate_goes() -> None:
    machines, events = charts(), walks()
    jobs: list[dict[str, Any]] = [
        {"id": name, "machine": found.document, "version": found.version, "events": events[name]}
        for name, (found, _) in machines.items()
    ]
    starts: list[dict[str, Any]] = [{**job, "id": f"start of {job['id']}", "events": []} for job in jobs]
    theirs = in_xstate([*jobs, *starts])
    for name, (_, chart) in machines.items():
        ours = values(chart, events[name])
        assert ours[:1] == theirs[f"start of {name}"]["values"], name
        if name in ALONE:
            assert "error" in theirs[name], name
        else:
            assert ours == theirs[name]["values"], name


@pytest.mark.slow
def test_each_goes_the_same_way_when_it_is_exported() -> None:
    machines, events = charts(), walks()
    jobs = [
        {"id": name, "machine": to_xstate(chart.config), "version": 5, "exported": True, "events": events[name]}
        for name, (_, chart) in machines.items()
    ]
    theirs = in_xstate(jobs)
    for name, (_, chart) in machines.items():
        assert values(chart, events[name]) == theirs[name].get("values"), name
