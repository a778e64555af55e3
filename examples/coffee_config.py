"""A coffee ordered by voice, as a config with functions: the shape that XState and fsm-voice-mcp use.

Serve it: fsmvoice serve examples/coffee_config.py
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field

from fsmvoice import create_fsm_actor, create_fsm_mcp_bridge

CONFIG: dict[str, Any] = {
    "id": "coffee",
    "initial": "idle",
    "context": {},
    "states": {
        "idle": {
            "meta": {"prompt": "What would you like?"},
            "on": {"ORDER": {"target": "ordering", "actions": "take_order"}},
        },
        "ordering": {
            "meta": {"prompt": "One {size} {drink}. Shall I place it?"},
            "on": {"CONFIRM": "brewing", "CANCEL": "idle"},
        },
        "brewing": {"meta": {"prompt": "Brewing your {drink} now."}, "on": {"READY": "done"}},
        "done": {"final": True, "meta": {"prompt": "Your {drink} is ready. Enjoy!"}},
    },
    "meta": {
        "events": {
            "ORDER": {
                "label": "order a drink",
                "utterances": ["[please] (order|get me|i'd like) [a] [{size}] {drink}"],
            },
            "CONFIRM": {
                "label": "place the order",
                "description": "Place the order that was read back.",
                "answers": "yes",
                "utterances": ["(place|send|confirm) (it|my order)"],
            },
            "CANCEL": {
                "label": "cancel the order",
                "description": "Drop the order, to choose again.",
                "answers": "no",
                "says": "I cancelled your order.",
                "utterances": ["(cancel|drop|forget) (it|my order)"],
            },
            "READY": {
                "label": "say it is ready",
                "description": "Tell that the drink is ready.",
                "utterances": ["(it|my coffee) is (ready|done)"],
            },
        }
    },
}


class Order(BaseModel):
    """Order a drink."""

    drink: Literal["latte", "espresso", "cappuccino"] = Field(description="which drink")
    size: Literal["small", "medium", "large"] = "medium"


def take_order(event: Mapping[str, Any]) -> dict[str, Any]:
    """An action returns the context fields that it changes."""
    return {"drink": event["drink"], "size": event["size"]}


actions = {"take_order": take_order}
event_schemas = {"ORDER": Order}

bridge = create_fsm_mcp_bridge(CONFIG, actions=actions, event_schemas=event_schemas)

if __name__ == "__main__":
    coffee = create_fsm_actor(CONFIG, actions=actions, event_schemas=event_schemas)
    for event in ({"type": "ORDER", "drink": "latte"}, {"type": "READY"}, {"type": "CONFIRM"}, {"type": "READY"}):
        print(f"{event['type']:8} {coffee.send_sync(event).say}")
