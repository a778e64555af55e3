"""examples/coffee.py: a whole conversation, and what it says when something is not possible."""

from __future__ import annotations

import pytest

from examples.coffee import Coffee
from fsmvoice import NotAllowed


def test_a_coffee_is_ordered_confirmed_and_ready() -> None:
    coffee = Coffee()
    assert coffee.say() == "You can order a drink. What would you like?"
    assert coffee.order.sync(drink="latte").say == "One medium latte. Shall I place it?"
    assert coffee.confirm.sync().say.startswith("Brewing your latte now.")
    outcome = coffee.ready.sync()
    assert outcome.say.startswith("Your latte is ready. Enjoy!")
    assert outcome.snapshot.done


async def test_an_order_is_cancelled_and_made_anew() -> None:
    coffee = Coffee()
    await coffee.order("espresso", size="large")
    assert (await coffee.cancel()).say == "I cancelled your order. What would you like?"
    assert (await coffee.order("flat white")).context.drink == "flat white"


def test_what_is_sold_out_is_refused_with_what_there_is() -> None:
    with pytest.raises(NotAllowed) as refused:
        Coffee().order.sync("mocha")
    assert refused.value.outcome.say.startswith("We are out of mocha.")


def test_nothing_can_be_cancelled_while_it_is_brewing() -> None:
    coffee = Coffee.at("brewing", drink="latte")
    assert coffee.available == ("READY",)
    refused = coffee.send_sync("CANCEL")
    assert (refused.reason, refused.state) == ("no-transition", "brewing")
    assert "cancel the order" in refused.say
