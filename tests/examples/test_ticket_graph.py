"""examples/ticket_graph.py: a workflow from a status graph, with a client of a code host given from outside."""

from __future__ import annotations

import pytest

from examples.ticket_graph import Pretend, bridge, ticket_workflow
from fsmvoice import ActionFailed, create_fsm_actor
from fsmvoice.cli.target import load_target
from tests.server.running import ROOT


class Down:
    async def open_draft(self) -> int:
        raise ConnectionError("the code host is down")


async def test_moving_to_review_opens_a_draft_before_the_reply() -> None:
    host = Pretend()
    ticket = create_fsm_actor(ticket_workflow(host))
    await ticket.send("MOVE_TO_IN_PROGRESS")
    assert host.opened == 0
    outcome = await ticket.send("MOVE_TO_TO_REVIEW")
    assert host.opened == 1
    assert outcome.context == {"pull_request": 101}
    assert outcome.say.startswith("The ticket is in review. Its draft pull request is number 101.")


async def test_a_ticket_that_comes_back_to_review_keeps_its_pull_request() -> None:
    host = Pretend()
    ticket = create_fsm_actor(ticket_workflow(host))
    for status in ("IN_PROGRESS", "TO_REVIEW", "TODO", "IN_PROGRESS", "TO_REVIEW"):
        assert (await ticket.send(f"MOVE_TO_{status}")).ok
    assert host.opened == 1


async def test_if_the_code_host_is_down_the_ticket_stays_where_it_is() -> None:
    ticket = create_fsm_actor(ticket_workflow(Down()))
    await ticket.send("MOVE_TO_IN_PROGRESS")
    with pytest.raises(ActionFailed):
        await ticket.send("MOVE_TO_TO_REVIEW")
    assert ticket.snapshot.value == "in_progress"


async def test_its_tools_speak() -> None:
    assert [tool.name for tool in bridge.tools][:5] == [
        "ticket_move_to_in_progress",
        "ticket_move_to_to_review",
        "ticket_move_to_approved",
        "ticket_move_to_todo",
        "ticket_move_to_done",
    ]
    refused = await bridge.call("ticket_move_to_done")
    assert refused.text.startswith("You can't move to done right now. You can move to in progress")


def test_it_can_be_served_by_its_file_name() -> None:
    assert load_target(str(ROOT / "examples" / "ticket_graph.py")).bridge().machine_id == "ticket"
