from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel

from fsmvoice import create_fsm_actor

PIZZA: dict[str, Any] = {
    "id": "pizza",
    "initial": "choosing",
    "context": {"kind": None, "total": 0},
    "states": {
        "choosing": {
            "meta": {"prompt": "Which pizza would you like?"},
            "on": {"ORDER": {"target": "ordered", "guard": "in_season", "actions": "take_order"}},
        },
        "ordered": {
            "meta": {"prompt": ["One {kind} pizza. Is that right?", "Say yes, or cancel."]},
            "on": {
                "CONFIRM": {"target": "baking", "meta": {"says": "It is on its way to the oven."}},
                "CANCEL": "choosing",
            },
        },
        "baking": {
            "meta": {"prompt": "Your {kind} pizza is in the oven."},
            "on": {"DELIVERED": "done", "CANCEL": {"meta": {"reason": "It is in the oven already."}}},
        },
        "done": {"final": True, "meta": {"prompt": "Enjoy!"}},
    },
    "meta": {
        "events": {
            "ORDER": {"label": "order a pizza", "description": "Order one pizza."},
            "CONFIRM": {"label": "confirm", "answers": "yes"},
            "CANCEL": {"label": "cancel", "answers": "no", "says": "I cancelled it."},
            "DELIVERED": {"tool": False},
        },
        "guards": {"in_season": {"reason": "The {kind} pizza is not in season."}},
    },
}


class Order(BaseModel):
    kind: Literal["margherita", "pumpkin"]


def in_season(event: Mapping[str, Any]) -> bool:
    return event["kind"] != "pumpkin"


async def take_order(context: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, Any]:
    return {"kind": event["kind"], "total": context["total"] + 1}


actions = {"take_order": take_order}
guards = {"in_season": in_season}
event_schemas = {"ORDER": Order}

pizza = create_fsm_actor(PIZZA, actions=actions, guards=guards, event_schemas=event_schemas)
print(pizza.send_sync({"type": "ORDER", "kind": "margherita"}).say)  # One margherita pizza. Is that right?
print(pizza.send_sync("CONFIRM").say)
print(pizza.send_sync("CANCEL").say)
