"""A ticket workflow made from its status graph. Moving to review opens a draft pull request.

Serve it: fsmvoice serve examples/ticket_graph.py
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from fsmvoice import Imported, create_fsm_actor, create_fsm_mcp_bridge, fsm_from_status_graph

GRAPH = {
    "todo": ["in_progress"],
    "in_progress": ["to_review"],
    "to_review": ["approved", "todo"],
    "approved": ["done"],
    "done": [],
}
PROMPTS = {
    "todo": "The ticket is in the backlog.",
    "in_progress": "The ticket is in progress.",
    "to_review": "The ticket is in review. Its draft pull request is number {pull_request|unknown}.",
    "approved": "The ticket is approved.",
    "done": "The ticket is done.",
}


class PullRequests(Protocol):
    """What this workflow needs of a code host."""

    async def open_draft(self) -> int:
        """Open a draft pull request and return its number."""
        ...


class Pretend:
    """Stands for a real client of GitHub or GitLab, so that the example runs without one."""

    def __init__(self) -> None:
        self.opened = 0

    async def open_draft(self) -> int:
        await asyncio.sleep(0)
        self.opened += 1
        return 100 + self.opened


def ticket_workflow(pull_requests: PullRequests) -> Imported:
    """The workflow, with the client it uses given from outside."""

    async def open_draft(context: Mapping[str, Any]) -> dict[str, Any]:
        known = context.get("pull_request")
        return {"pull_request": known if known else await pull_requests.open_draft()}

    return fsm_from_status_graph(
        id="ticket", initial="todo", graph=GRAPH, prompts=PROMPTS, on_enter={"to_review": open_draft}
    )


LOCALES = Path(__file__).with_name("locales") / "ticket_graph"
bridge = create_fsm_mcp_bridge(ticket_workflow(Pretend()), locales=LOCALES)


async def main() -> None:
    """Bring a ticket to its end."""
    ticket = create_fsm_actor(ticket_workflow(Pretend()))
    for status in ("IN_PROGRESS", "TO_REVIEW", "DONE", "APPROVED", "DONE"):
        print(f"{status:12} {(await ticket.send(f'MOVE_TO_{status}')).say}")


if __name__ == "__main__":
    asyncio.run(main())
