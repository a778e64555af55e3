"""Machines that the tests of speech run on: configs with their texts in `meta`, and functions for their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from fsmvoice.engine.actor import FsmActor
from fsmvoice.model.behaviour import Behaviour, named_code
from fsmvoice.model.chart import Chart, compile_chart
from fsmvoice.model.parse import parse_config
from fsmvoice.model.payload import Parameter, Payload
from fsmvoice.voice.reply import make_speech

Drink = Literal["latte", "espresso", "flat white", "mocha"]
Size = Literal["small", "medium", "large"]

COFFEE: dict[str, Any] = {
    "id": "coffee",
    "initial": "idle",
    "context": {"drink": None, "size": "medium"},
    "meta": {
        "events": {
            "ORDER": {"label": "order a drink"},
            "CONFIRM": {"label": "place the order"},
            "CANCEL": {"label": "cancel the order", "says": "I cancelled your {drink}."},
            "READY": {"label": "say it is ready"},
        },
        "guards": {"inStock": {"reason": "We are out of {drink}."}},
    },
    "states": {
        "idle": {
            "meta": {"prompt": "What would you like?"},
            "on": {"ORDER": {"target": "ordering", "guard": "inStock", "actions": "setDrink"}},
        },
        "ordering": {
            "meta": {"prompt": ["One {size} {drink}. Shall I place it?", "Say yes to order, or cancel."]},
            "on": {"CONFIRM": "brewing", "CANCEL": "idle"},
        },
        "brewing": {"meta": {"prompt": "Brewing your {drink} now."}, "on": {"READY": "done"}},
        "done": {"final": True, "meta": {"prompt": "Your {drink} is ready. Enjoy!"}},
    },
}


def set_drink(event: Mapping[str, Any]) -> dict[str, Any]:
    return {"drink": event["drink"], "size": event["size"]}


def in_stock(event: Mapping[str, Any]) -> bool:
    return bool(event["drink"] != "mocha")


def chart_of(
    config: Mapping[str, Any],
    *,
    actions: Mapping[str, Any] | None = None,
    guards: Mapping[str, Any] | None = None,
    payloads: Mapping[str, Payload] | None = None,
) -> Chart:
    behaviour = Behaviour(
        actions={name: named_code(name, function) for name, function in (actions or {}).items()},
        guards={name: named_code(name, function, role="guard") for name, function in (guards or {}).items()},
        payloads=payloads or {},
        speak=make_speech("en"),
    )
    return compile_chart(parse_config(config), behaviour)


def coffee_chart() -> Chart:
    order = Payload("ORDER", [Parameter("drink", Drink), Parameter("size", Size, "medium")])
    return chart_of(COFFEE, actions={"setDrink": set_drink}, guards={"inStock": in_stock}, payloads={"ORDER": order})


def coffee() -> FsmActor[Any]:
    return FsmActor(coffee_chart())


def talk(states: Mapping[str, Any], **more: Any) -> FsmActor[Any]:
    """An actor of a small machine that begins in the first of `states`."""
    meta = more.pop("meta", {})
    functions = {key: more.pop(key) for key in ("actions", "guards", "payloads") if key in more}
    config = {"id": "m", "initial": next(iter(states)), "states": states, "meta": meta, **more}
    return FsmActor(chart_of(config, **functions))
