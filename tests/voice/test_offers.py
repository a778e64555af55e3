"""Offers: what can be done now, with the values that would be accepted."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from fsmvoice import State, VoiceMachine, guard, spoken, transition
from fsmvoice.voice.offers import offers
from tests.voice.machines import coffee, talk


def test_an_offer_names_the_event_and_only_the_values_that_would_be_accepted() -> None:
    (order,) = offers(coffee().snapshot)

    assert (order.event, order.label, order.enabled, order.say) == ("ORDER", "order a drink", True, "")
    assert order.schema()["properties"]["drink"]["enum"] == ["latte", "espresso", "flat white"]


def test_an_event_that_is_closed_says_why() -> None:
    actor = talk({"a": {"on": {"GO": {"meta": {"reason": "Not now."}}, "STAY": "a"}}})

    go, stay = offers(actor.snapshot)

    assert (go.enabled, go.reason, go.say) == (False, "guard-rejected", "Not now.")
    assert stay.enabled


def test_a_guard_that_fails_closes_its_event_and_says_nothing_of_its_error(caplog: pytest.LogCaptureFixture) -> None:
    def broken(context: Mapping[str, Any]) -> bool:
        raise ValueError("secret")

    actor = talk({"a": {"on": {"GO": {"target": "a", "guard": "broken"}}}}, guards={"broken": broken})

    with caplog.at_level(logging.CRITICAL, "fsmvoice"):
        (go,) = offers(actor.snapshot)
    assert (go.enabled, go.say) == (False, "Something went wrong there.")


def test_the_offers_are_in_the_machines_order_and_without_what_nobody_says() -> None:
    actor = talk(
        {"a": {"on": {"B": "b", "A": "a", "HIDDEN": "a"}}, "b": {"on": {"FIRST": "a"}}},
        meta={"events": {"HIDDEN": {"tool": False}}},
    )

    assert [offer.event for offer in offers(actor.snapshot)] == ["B", "A"]


def test_the_state_of_a_finished_machine_offers_nothing() -> None:
    actor = talk({"a": {"on": {"GO": "b"}}, "b": {"type": "final"}})
    actor.send_sync("GO")

    assert offers(actor.snapshot) == []


def test_whoever_changes_a_list_of_offers_changes_only_their_own() -> None:
    actor = talk({"a": {"on": {"GO": "a", "STAY": "a"}}})
    first = [offer.event for offer in offers(actor.snapshot, "en")]

    for _ in range(3):
        found = offers(actor.snapshot, "en")
        assert [offer.event for offer in found] == first == ["GO", "STAY"]
        found.clear()


class Sold(BaseModel):
    drink: Literal["tea", "milk"] | None = None


class SoldOut(VoiceMachine[Sold]):
    idle = State(initial=True, prompt="Well?")

    @guard("We are out of {drink}.")
    def in_stock(self, drink: Literal["tea", "milk"]) -> bool:
        return False

    @spoken("order a drink")
    @transition("ORDER", source=idle, guard=in_stock)
    def order(self, drink: Literal["tea", "milk"]) -> None:
        self.context.drink = drink


def test_a_reason_about_an_argument_is_said_only_where_one_was_given() -> None:
    (order,) = offers(SoldOut().snapshot)
    assert order.say == "You can't order a drink right now."
    assert SoldOut().send_sync("ORDER", drink="tea").say.startswith("We are out of tea.")
    (known,) = offers(SoldOut.at("idle", drink="milk").snapshot)
    assert known.say == "We are out of milk."
