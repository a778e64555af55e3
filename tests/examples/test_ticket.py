"""examples/ticket.py: eight events on a ticket's way to done."""

from __future__ import annotations

import pytest

from examples.ticket import Ticket


def test_a_ticket_goes_its_way_with_one_round_back() -> None:
    ticket = Ticket()
    events = ["START", "SUBMIT_REVIEW", "REQUEST_CHANGES", "SUBMIT_REVIEW", "APPROVE", "CLOSE"]
    assert [ticket.send_sync(event).state for event in events] == [
        "in_progress",
        "review",
        "in_progress",
        "review",
        "approved",
        "closed",
    ]
    assert ticket.context.rounds == 2
    assert ticket.reopen.sync().say.startswith("I opened it again. The ticket is open, with nobody on it.")


@pytest.mark.parametrize(
    ("state", "events"),
    [
        ("open", {"START", "ASSIGN", "BLOCK"}),
        ("in_progress", {"SUBMIT_REVIEW", "BLOCK", "ASSIGN"}),
        ("blocked", {"START", "ASSIGN"}),
        ("review", {"APPROVE", "REQUEST_CHANGES"}),
        ("approved", {"CLOSE", "REOPEN"}),
        ("closed", {"REOPEN"}),
    ],
)
def test_each_state_offers_its_events(state: str, events: set[str]) -> None:
    assert set(Ticket.at(state).available) == events


def test_a_ticket_is_assigned_to_someone_else_only() -> None:
    ticket = Ticket()
    assert ticket.assign.sync("bob").say.startswith("It is with bob now.")
    assert ticket.snapshot.verdicts["ASSIGN"].accepted == {"person": ("alice", "charlie", "dana")}
    refused = ticket.send_sync("ASSIGN", person="bob")
    assert refused.reason == "guard-rejected"
    assert refused.say.startswith("It is with bob already.")
