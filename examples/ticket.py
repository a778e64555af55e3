"""A ticket's way to done, by voice: `fsmvoice serve examples/ticket.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from fsmvoice import State, VoiceMachine, guard, spoken, transition

Person = Literal["alice", "bob", "charlie", "dana"]


@dataclass
class TicketContext:
    assignee: Person | None = None
    rounds: int = 0


class Ticket(VoiceMachine[TicketContext], id="ticket", version="1"):
    """Move a ticket from open to closed, and say who works on it."""

    opened = State(name="open", initial=True, prompt="The ticket is open, with {assignee|nobody} on it.")
    in_progress = State(prompt="The ticket is in the hands of {assignee|somebody}.")
    blocked_ = State(name="blocked", prompt="The ticket is blocked.")
    review = State(prompt="The ticket is in review. Is the change good?")
    approved = State(prompt="The change is approved.")
    closed = State(prompt="The ticket is closed.")

    @guard("It is with {person} already.")
    def is_new(self, person: Person) -> bool:
        return person != self.context.assignee

    @spoken("start work", utterances=["start [work|working|progress] [on (it|this)]", "(begin|pick) (it|this) [up]"])
    @transition("START", source=[opened, blocked_], target=in_progress)
    def start(self) -> None:
        """Begin or resume work on the ticket."""

    @spoken("send it to review", utterances=["(send|submit|put) it [up] (to|for) review", "[it is] ready for review"])
    @transition("SUBMIT_REVIEW", source=in_progress, target=review)
    def submit_review(self) -> None:
        """Ask for a review of the change."""
        self.context.rounds += 1

    @spoken("approve it", answers="yes", utterances=["(approve|accept) (it|the change)", "[it] looks good [to me]"])
    @transition("APPROVE", source=review, target=approved)
    def approve(self) -> None:
        """Approve the change under review."""

    @spoken("request changes", answers="no", utterances=["(reject|send back) it", "it needs (changes|more work)"])
    @transition("REQUEST_CHANGES", source=review, target=in_progress)
    def request_changes(self) -> None:
        """Send the change back to be worked on."""

    @spoken("block it", utterances=["(block|flag) it", "mark it as blocked", "(it is|i am) (blocked|stuck)"])
    @transition("BLOCK", source=[opened, in_progress], target=blocked_)
    def block(self) -> None:
        """Mark the ticket as waiting for something."""

    @spoken("close it", utterances=["(close|resolve) (it|the ticket)", "mark it [as] done"])
    @transition("CLOSE", source=approved, target=closed)
    def close(self) -> None:
        """Close the ticket."""

    @spoken("reopen it", says="I opened it again.", utterances=["reopen (it|the ticket)", "open it again"])
    @transition("REOPEN", source=[approved, closed], target=opened)
    def reopen(self) -> None:
        """Open the ticket again."""

    @spoken("assign it", says="It is with {person} now.", utterances=["(assign|give) it to {person}"])
    @transition("ASSIGN", source=[opened, in_progress, blocked_], guard=is_new)
    def assign(self, person: Annotated[Person, Field(description="who shall work on it")]) -> None:
        """Say who works on the ticket."""
        self.context.assignee = person
