"""What is tapped is what is offered: no more, no less, and nothing that is nobody's business."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from examples.coffee import Coffee
from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import FsmVoiceError
from fsmvoice.screen import screen as module
from fsmvoice.screen.screen import Screen, screen
from fsmvoice.voice.offers import offers
from fsmvoice.voice.texts import is_spoken
from tests.engine.machines import configs, events, functions
from tests.engine.making import chart_of
from tests.screen.cafe import Bar
from tests.screen.checking import Schema

SCHEMA: dict[str, Any] = json.loads(Path(module.__file__).with_name("screen.schema.json").read_text())
FITS = Schema(SCHEMA)
LAX = [HealthCheck.too_slow, HealthCheck.filter_too_much]
FEW = settings(max_examples=25, deadline=None, suppress_health_check=LAX)
MANY = settings(max_examples=200, deadline=None, suppress_health_check=LAX)


def of(machine: Bar) -> Screen:
    return screen(machine.snapshot)


def check_parity(snapshot: Snapshot[Any]) -> None:
    shown = screen(snapshot)
    offered = offers(snapshot)
    enabled = [action.event for action in shown.actions if action.enabled]
    assert enabled == [event for event in snapshot.available_events if is_spoken(snapshot.chart, event)]
    assert [action.event for action in shown.actions] == [offer.event for offer in offered]
    assert all(action.enabled is not bool(action.reason) for action in shown.actions)
    assert shown.final == snapshot.done
    assert not FITS.faults(shown.to_dict())


def walk(config: dict[str, Any], names: list[str]) -> None:
    """Check at each step that what can be tapped is what is offered."""
    clock = SimulatedClock()
    try:
        actor = FsmActor[Any](chart_of(config, **functions()), clock=clock)
    except FsmVoiceError:
        return
    check_parity(actor.snapshot)
    for name in names:
        try:
            if name == "tick":
                clock.advance(15)
                actor.catch_up()
            else:
                actor.send_sync(name)
        except FsmVoiceError:
            return
        check_parity(actor.snapshot)


@FEW
@given(configs(), events())
def test_on_random_machines_what_can_be_tapped_is_what_is_offered(config: dict[str, Any], names: list[str]) -> None:
    walk(config, names)


@pytest.mark.slow
@MANY
@given(configs(), events())
def test_on_two_hundred_too(config: dict[str, Any], names: list[str]) -> None:
    walk(config, names)


@pytest.mark.parametrize("state", ["idle", "ordering", "brewing", "done"])
def test_each_screen_fits_the_schema_that_is_shipped(state: str) -> None:
    assert not FITS.faults(of(Bar.at(state)).to_dict())


def test_a_form_lists_only_what_would_be_taken_now() -> None:
    (order,) = of(Bar()).actions
    assert order.schema["properties"]["drink"]["enum"] == ["latte", "espresso"]
    assert order.schema["required"] == ["drink"]


def test_the_yes_stands_out_what_destroys_warns_and_the_rest_is_plain() -> None:
    styles = {action.event: action.style for action in of(Bar.at("ordering", drink="latte")).actions}
    assert styles == {"CONFIRM": "primary", "CANCEL": "danger", "LEAVE": "secondary"}


def test_the_only_thing_to_do_stands_out() -> None:
    assert {action.event: action.style for action in of(Bar.at("brewing")).actions}["READY"] == "primary"


def test_a_closed_action_is_there_and_says_why() -> None:
    cancel = next(action for action in of(Bar.at("brewing")).actions if action.event == "CANCEL")
    assert (cancel.enabled, cancel.reason) == (False, "It is being made already.")


def test_what_no_customer_says_no_customer_taps() -> None:
    assert "CALL" not in [action.event for action in of(Bar.at("ordering")).actions]


def test_the_tools_are_the_bridges() -> None:
    assert [action.tool for action in of(Bar()).actions] == ["coffee_bar_order"]


def test_facts_are_words_and_never_private() -> None:
    shown = of(Bar.at("ordering", drink="latte", notes=["hot", "to go"]))
    assert [(fact.label, fact.value) for fact in shown.facts] == [
        ("drink", "latte"),
        ("sugar", "yes"),
        ("notes", "hot and to go"),
    ]
    assert "4111" not in json.dumps(shown.to_dict())


def test_a_value_brings_no_markup_and_no_control_characters() -> None:
    (fact,) = [fact for fact in of(Bar.at("idle", name="<b>\u202eEve</b>\x00")).facts if fact.label == "name"]
    assert fact.value == "Eve"


def test_title_and_words_are_for_people() -> None:
    shown = of(Bar())
    assert (shown.title, shown.say) == ("Coffee bar", "You can order a drink. What would you like?")


def test_it_says_what_was_just_said() -> None:
    assert screen(Bar().snapshot, say="I cancelled it.").say == "I cancelled it."


def test_fields_and_choices_are_called_as_they_are_spoken() -> None:
    german = screen(Coffee.at("ordering", drink="mocha", size="large").snapshot, "de")
    assert [(fact.label, fact.value) for fact in german.facts] == [("das Getränk", "Mokka"), ("die Größe", "groß")]
    (order,) = screen(Coffee().snapshot, "de").actions
    assert order.label == "etwas zu trinken bestellen"
    size = order.schema["properties"]["size"]
    assert size["title"] == "die Größe"
    assert size["oneOf"][2] == {"const": "large", "title": "groß"}
    assert "enum" not in size
