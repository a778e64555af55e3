"""examples/coffee_config.py: the coffee as a config with functions."""

from __future__ import annotations

from examples.coffee_config import CONFIG, actions, bridge, event_schemas
from fsmvoice import create_fsm_actor
from fsmvoice.cli.target import load_target
from tests.server.running import ROOT


def test_it_takes_an_order_to_its_end() -> None:
    coffee = create_fsm_actor(CONFIG, actions=actions, event_schemas=event_schemas)
    assert coffee.send_sync("ORDER", drink="latte").say == "One medium latte. Shall I place it?"
    assert coffee.send_sync("READY").reason == "no-transition"
    coffee.send_sync("CONFIRM")
    assert coffee.send_sync("READY").say == "Your latte is ready. Enjoy!"
    assert coffee.snapshot.done


async def test_its_tools_speak() -> None:
    assert [tool.name for tool in bridge.tools][:4] == [
        "coffee_order",
        "coffee_confirm",
        "coffee_cancel",
        "coffee_ready",
    ]
    asked = await bridge.call("coffee_order", {})
    assert asked.is_error
    assert asked.text == "Which drink would you like: latte, espresso or cappuccino?"
    placed = await bridge.call("coffee_order", {"drink": "latte", "size": "large"})
    assert placed.text == "One large latte. Shall I place it?"
    cancelled = await bridge.call("coffee_cancel")
    assert cancelled.text == "I cancelled your order. What would you like?"


def test_it_can_be_served_by_its_file_name() -> None:
    assert load_target(str(ROOT / "examples" / "coffee_config.py")).bridge().machine_id == "coffee"
