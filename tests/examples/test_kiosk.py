"""examples/kiosk.py: two regions, a forbidden event, a timer and a transition by itself."""

from __future__ import annotations

from examples.kiosk import Kiosk
from fsmvoice import SimulatedClock


def test_a_coffee_is_made_while_the_light_changes() -> None:
    clock = SimulatedClock()
    kiosk = Kiosk(clock=clock)

    assert kiosk.power.sync().say == "The light is dim. Would you like a coffee?"
    assert kiosk.make.sync().state == {"on": {"brew": "grinding", "light": "dim"}}
    kiosk.change_light.sync()
    kiosk.grind.sync()
    assert kiosk.grind.sync().say == "The water is getting hot. You can change the light."
    assert kiosk.send_sync("POWER").say == "The water is hot, please wait a little. You can change the light."
    clock.advance(30_000)
    assert kiosk.take.sync().say == "Enjoy it! Would you like a coffee?"
    assert kiosk.context.cups == 1


def test_it_goes_on_where_it_was_switched_off() -> None:
    kiosk = Kiosk.at("grinding", grams=9)
    kiosk.power.sync()

    assert kiosk.power.sync().state == {"on": {"brew": "grinding", "light": "dim"}}
