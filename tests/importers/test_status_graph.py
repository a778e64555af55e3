"""A workflow as trackers have it, made into a machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from fsmvoice import DefinitionError, create_fsm_actor, create_fsm_mcp_bridge, fsm_from_status_graph

GRAPH = {
    "todo": ["in_progress"],
    "in_progress": ["to_review"],
    "to_review": ["approved", "todo"],
    "approved": ["done"],
    "done": [],
}


def problems(**given: Any) -> list[str]:
    with pytest.raises(DefinitionError) as caught:
        fsm_from_status_graph(**given)
    return [str(problem) for problem in caught.value.problems]


def test_each_destination_is_an_event() -> None:
    ticket = create_fsm_actor(fsm_from_status_graph(id="ticket", initial="todo", graph=GRAPH))
    assert ticket.chart.events == (
        "MOVE_TO_IN_PROGRESS",
        "MOVE_TO_TO_REVIEW",
        "MOVE_TO_APPROVED",
        "MOVE_TO_TODO",
        "MOVE_TO_DONE",
    )
    ticket.send_sync("MOVE_TO_IN_PROGRESS")
    ticket.send_sync("MOVE_TO_TO_REVIEW")
    assert ticket.snapshot.available_events == ("MOVE_TO_APPROVED", "MOVE_TO_TODO")


def test_an_empty_list_ends_the_workflow() -> None:
    ticket = create_fsm_actor(fsm_from_status_graph(initial="a", graph={"a": ["b"], "b": []}))
    assert ticket.send_sync("MOVE_TO_B").snapshot.done


async def test_on_enter_is_awaited_by_each_transition_that_lands_there_and_by_nothing_else() -> None:
    opened: list[int] = []

    async def open_draft(context: Mapping[str, Any]) -> dict[str, Any]:
        opened.append(len(opened) + 1)
        return {"pull_request": opened[-1]}

    workflow = fsm_from_status_graph(
        initial="review", graph={"review": ["todo"], "todo": ["review"]}, on_enter={"review": open_draft}
    )
    ticket = create_fsm_actor(workflow)
    assert opened == []
    await ticket.send("MOVE_TO_TODO")
    outcome = await ticket.send("MOVE_TO_REVIEW")
    assert outcome.context == {"pull_request": 1}
    await ticket.reset_async()
    assert opened == [1]


def test_prompts_are_what_is_said() -> None:
    workflow = fsm_from_status_graph(
        initial="a", graph={"a": ["b"], "b": []}, prompts={"b": "It is in {place}."}, context={"place": "B"}
    )
    assert create_fsm_actor(workflow).send_sync("MOVE_TO_B").say == "It is in B."


@pytest.mark.parametrize(
    ("status", "label"),
    [
        ("to_review", "move to review"),
        ("in_progress", "move to in progress"),
        ("In Review", "move to in review"),
        ("To Do", "move to todo"),
        ("In QA", "move to in QA"),
        ("READY_FOR_QA", "move to ready for qa"),
        ("readyToShip", "move to ready to ship"),
        ("完了", "move to 完了"),
    ],
)
def test_labels_are_as_people_say_them(status: str, label: str) -> None:
    workflow = fsm_from_status_graph(initial="start", graph={"start": [status], status: []})
    assert workflow.config.meta is not None
    assert [event["label"] for event in workflow.config.meta["events"].values()] == [label]


def test_event_names_may_be_given_and_then_speak_for_themselves() -> None:
    names = {"b": "APPROVE", "a": "SEND_BACK"}
    workflow = fsm_from_status_graph(initial="a", graph={"a": ["b"], "b": ["a"]}, event_name=names.__getitem__)
    bridge = create_fsm_mcp_bridge(workflow)
    assert [tool.title for tool in bridge.tools][:2] == ["Approve", "Send back"]


def test_one_event_may_lead_on_from_every_status() -> None:
    workflow = fsm_from_status_graph(
        initial="a", graph={"a": ["b"], "b": ["c"], "c": []}, event_name=lambda _status: "NEXT"
    )
    actor = create_fsm_actor(workflow)
    actor.send_sync("NEXT")
    assert actor.send_sync("NEXT").snapshot.value == "c"


@pytest.mark.parametrize("status", ["#1", ".hidden", "a.b", "sp ace"])
def test_a_status_may_be_named_anything(status: str) -> None:
    workflow = fsm_from_status_graph(id="x", initial=status, graph={status: ["z"], "z": [status]})
    actor = create_fsm_actor(workflow)
    actor.send_sync("MOVE_TO_Z")
    assert actor.send_sync(actor.snapshot.available_events[0]).snapshot.value == status


def takes_something_else(wrong: object) -> None: ...


def test_everything_wrong_is_reported_at_once() -> None:
    found = problems(
        id="ticket",
        initial="tod",
        graph={"todo": ["in_progres"], "in_progress": "done", "done": []},
        prompts={"dome": "Done."},
        on_enter={"done": takes_something_else},
    )
    assert found == [
        "graph.in_progress: should be a list of statuses; write ['done']",
        "initial: unknown status 'tod'; did you mean 'todo'?",
        "graph.todo[0]: unknown status 'in_progres'; did you mean 'in_progress'?",
        "prompts.dome: unknown status 'dome'; did you mean 'done'?",
        (
            "on_enter.done: takes 'wrong'; a config's function may take context, event, params, queue, later, "
            "idempotency_key (the payload is in event)"
        ),
    ]


def test_two_statuses_that_make_one_event_are_refused() -> None:
    found = problems(initial="to do", graph={"to do": ["on-hold", "on hold"], "on-hold": [], "on hold": []})
    assert found == [
        "graph: 'on-hold' and 'on hold' both make the event MOVE_TO_ON_HOLD; give event_name= to tell them apart"
    ]


def test_an_empty_graph_is_refused() -> None:
    assert problems(initial="a", graph={})[0].startswith("graph: has no statuses")


ODD: list[tuple[dict[str, Any], str]] = [
    ({"graph": []}, "graph: should be an object, not list"),
    ({"graph": {1: ["a"], "a": [1]}}, "graph: the status 1 should be a string"),
    ({"graph": {"a": [["a"]]}}, "graph.a[0]: the status ['a'] should be a string"),
    ({"prompts": ["x"]}, "prompts: should be an object, not list"),
    ({"on_enter": {1: print}}, "on_enter: the status 1 should be a string"),
    ({"event_name": len}, "event_name: returned 1 for 'b'; it should return a string"),
    (
        {"event_name": str.strip, "graph": {"a": [" "], " ": []}},
        "event_name: returned '' for ' '; it should return a string",
    ),
    ({"id": 5}, "$.id: should be a string, not 5"),
    ({"context": 5}, "$.context: should be an object, not 5"),
]


@pytest.mark.parametrize(("given", "told"), ODD)
def test_what_has_another_shape_is_reported(given: dict[str, Any], told: str) -> None:
    assert told in problems(**{"initial": "a", "graph": {"a": ["b"], "b": []}, **given})


def test_what_was_assumed_is_noted() -> None:
    workflow = fsm_from_status_graph(initial="a", graph={"a": ["b", "b"], "b": []}, on_enter={"a": lambda: None})
    assert workflow.notes == (
        "'a' lists 'b' more than once",
        "on_enter of 'a' never runs: no status moves there",
    )
