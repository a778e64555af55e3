"""`create_fsm_actor`: a config and its functions, live at once; everything unknown is told in one error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from fsmvoice import (
    ActionFailed,
    DefinitionError,
    DefinitionWarning,
    FsmConfig,
    Refuse,
    State,
    VoiceMachine,
    create_fsm_actor,
    fsm_from_status_graph,
)
from fsmvoice.engine.clock import SimulatedClock

COFFEE: dict[str, Any] = {
    "id": "coffee",
    "initial": "idle",
    "context": {"drink": None},
    "states": {
        "idle": {
            "meta": {"prompt": "What would you like?"},
            "on": {"ORDER": {"target": "ordering", "guard": "inStock", "actions": "setDrink"}},
        },
        "ordering": {
            "meta": {"prompt": "One {drink}?"},
            "on": {"CONFIRM": "done", "CANCEL": {"target": "idle", "actions": ["clear"]}},
            "after": {"patience": "idle"},
        },
        "done": {"final": True, "meta": {"prompt": "Enjoy!"}},
    },
    "meta": {"guards": {"inStock": {"reason": "We are out of {drink}."}}},
}


def set_drink(event: Mapping[str, Any]) -> dict[str, Any]:
    return {"drink": event["drink"]}


async def clear(context: dict[str, Any]) -> dict[str, Any]:
    return {"drink": None, "was": context["drink"]}


def in_stock(event: Mapping[str, Any]) -> bool:
    return bool(event["drink"] != "mocha")


FUNCTIONS: dict[str, Any] = {
    "actions": {"setDrink": set_drink, "clear": clear},
    "guards": {"inStock": in_stock},
    "delays": {"patience": timedelta(minutes=1)},
}


@pytest.mark.parametrize("config", [COFFEE, json.dumps(COFFEE), FsmConfig.model_validate(COFFEE)])
async def test_a_config_in_any_form_runs_and_speaks(config: Any) -> None:
    actor = create_fsm_actor(config, **FUNCTIONS)
    assert actor.snapshot.value == "idle"
    ordered = await actor.send({"type": "ORDER", "drink": "tea"})
    assert (ordered.ok, ordered.state, ordered.context, ordered.say) == (True, "ordering", {"drink": "tea"}, "One tea?")
    refused = actor.send_sync("ORDER", drink="tea")
    assert (refused.reason, refused.changed) == ("no-transition", False)
    assert (await actor.send("CANCEL")).context == {"drink": None, "was": "tea"}
    assert actor.send_sync("ORDER", drink="mocha").say.startswith("We are out of mocha.")
    assert actor.reset().context == {"drink": None}


def test_a_delay_goes_by_the_clock_that_is_given() -> None:
    clock = SimulatedClock()
    actor = create_fsm_actor(COFFEE, **FUNCTIONS, clock=clock)
    actor.send_sync("ORDER", drink="tea")
    clock.advance(60_000)
    assert actor.send_sync("CONFIRM").state == "idle"


def test_every_unknown_name_is_reported_at_once_with_its_path() -> None:
    with pytest.raises(DefinitionError) as caught:
        create_fsm_actor(COFFEE, actions={"setDrnk": set_drink})
    assert str(caught.value) == (
        "machine 'coffee' has 4 problems:\n"
        "  $.states.idle.on.ORDER.guard: unknown guard 'inStock'; no guards are given\n"
        "  $.states.idle.on.ORDER.actions: unknown action 'setDrink'; did you mean 'setDrnk'?\n"
        "  $.states.ordering.on.CANCEL.actions: unknown action 'clear'; given are setDrnk\n"
        "  $.states.ordering.after.patience: unknown delay 'patience'; no delays are given"
    )


def test_functions_that_cannot_be_called_so_are_reported_with_them() -> None:
    async def slow() -> bool:
        return True

    with pytest.raises(DefinitionError) as caught:
        create_fsm_actor(
            COFFEE,
            actions={"setDrink": lambda ctx: None, "clear": 3},  # type: ignore[dict-item] # pyright: ignore - under test
            guards={"inStock": slow},
            delays={"patience": 1000},
            event_schemas={"ORDR": BaseModel, "CONFIRM": 3},  # type: ignore[dict-item] # pyright: ignore - under test
        )
    names = "context, event, params, queue, later, idempotency_key"
    takes = f"a config's function may take {names} (the payload is in event)"
    assert [str(problem) for problem in caught.value.problems] == [
        f"actions['setDrink']: takes 'ctx'; {takes}",
        "actions['clear']: is int; it should be a function",
        "guards['inStock']: is async; a guard decides at once, so make it a plain function",
        "event_schemas['ORDR']: no transition has this event; did you mean 'ORDER'?",
        "event_schemas['CONFIRM']: is int; give a pydantic model class",
    ]


def test_an_event_with_a_schema_is_checked() -> None:
    class Order(BaseModel):
        drink: Literal["tea", "latte", "mocha"]

    actor = create_fsm_actor(COFFEE, **FUNCTIONS, event_schemas={"ORDER": Order})
    assert actor.send_sync("ORDER", drink="cola").reason == "invalid-arguments"
    assert actor.snapshot.verdicts["ORDER"].accepted == {"drink": ("tea", "latte")}


def test_a_refusal_and_a_failure_change_nothing() -> None:
    def refuse() -> None:
        raise Refuse("Your card was declined.")

    def fail() -> None:
        raise ValueError("no beans")

    config = {"initial": "a", "states": {"a": {"on": {"PAY": {"target": "b", "actions": "pay"}}}, "b": {}}}
    refusing = create_fsm_actor(config, actions={"pay": refuse})
    outcome = refusing.send_sync("PAY")
    assert (outcome.reason, outcome.state) == ("refused", "a")
    assert outcome.say.startswith("Your card was declined.")
    failing = create_fsm_actor(config, actions={"pay": fail})
    with pytest.raises(ActionFailed, match="no beans"):
        failing.send_sync("PAY")
    assert failing.snapshot.value == "a"


def test_what_an_importer_made_brings_its_functions() -> None:
    seen: list[str] = []
    graph = fsm_from_status_graph(
        initial="To Do", graph={"To Do": ["Done"], "Done": []}, on_enter={"Done": lambda: seen.append("done")}
    )
    actor = create_fsm_actor(graph)
    (event,) = actor.snapshot.available_events
    assert actor.send_sync(event).state == "Done"
    assert seen == ["done"]


def test_a_config_that_is_wrong_is_reported_with_its_path() -> None:
    with pytest.raises(DefinitionError, match=r"\$\.states\.a\.on\.GO: unknown target 'c'|unknown target 'c'"):
        create_fsm_actor({"initial": "a", "states": {"a": {"on": {"GO": "c"}}}})


def test_the_locale_of_a_config_is_the_speechs() -> None:
    config = {"initial": "a", "states": {"a": {"meta": {"prompt": "Hello."}}}, "meta": {"locale": "en-GB"}}
    actor = create_fsm_actor(config)
    speak = actor.chart.behaviour.speak
    assert speak is not None
    assert speak.status(actor.snapshot).startswith("Hello.")


class Plain:
    """Not a pydantic model."""


def test_a_schema_that_is_no_pydantic_model_is_told() -> None:
    with pytest.raises(DefinitionError, match="is the class Plain; give a pydantic model class"):
        create_fsm_actor(COFFEE, **FUNCTIONS, event_schemas={"ORDER": Plain})


class Door(VoiceMachine):
    closed = State(initial=True)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            Door,
            r"Door has 1 problem:\n  is a class, not a config; give the class to create_fsm_mcp_bridge, or make one",
        ),
        (Door(), r"Door has 1 problem:\n  is an instance, not a config; give the class"),
        (test_a_schema_that_is_no_pydantic_model_is_told, "is a function, not a config; give an FsmConfig"),
    ],
)
def test_what_is_not_a_config_is_reported_with_what_would_be(given: Any, told: str) -> None:
    with pytest.raises(DefinitionError, match=told):
        create_fsm_actor(given)


def test_a_slot_that_nothing_is_known_to_fill_is_a_warning() -> None:
    config = {"initial": "a", "context": {"size": 1}, "states": {"a": {"meta": {"prompt": "{size} {drink} {n|one}"}}}}
    with pytest.warns(DefinitionWarning, match=r"\$\.states\.a\.meta\.prompt: .* slot \{drink\}; give 'drink' a start"):
        create_fsm_actor(config)


def test_a_negative_delay_is_reported() -> None:
    config = {"initial": "a", "states": {"a": {"after": {"soon": "a"}}}}
    with pytest.raises(DefinitionError, match=r"delays\['soon'\]: is -5, which is negative"):
        create_fsm_actor(config, delays={"soon": -5})


def test_a_guards_reason_may_be_written_alone() -> None:
    states = {"a": {"on": {"GO": {"target": "a", "guard": "ok"}}}}
    config = {"initial": "a", "states": states, "meta": {"guards": {"ok": "It is {size}."}}, "context": {"size": "big"}}
    actor = create_fsm_actor(config, guards={"ok": lambda: False})
    assert actor.send_sync("GO").say.startswith("It is big.")
