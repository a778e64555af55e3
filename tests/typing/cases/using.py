"""Mistakes in using a machine. An event misspelt as text is found at run time, not here."""

from __future__ import annotations

from tests.typing.cases.machines import Coffee, Kiosk


async def use(coffee: Coffee) -> None:
    outcome = await coffee.order(drink="latte")
    await coffee.order(drink=3)  # error: U1 a payload of the wrong type
    await coffee.order(drnk="x")  # error: U2 a misspelt parameter
    await coffee.order()  # error: U3 a missing parameter
    print(coffee.ordr)  # error: U4 a misspelt event
    coffee.order(drink="latte")  # error: U5 a forgotten await
    coffee.order.sync(drink=3)  # error: U6 a payload of the wrong type
    print(Kiosk.on.brew.grindin)  # error: U7 a misspelt inner state
    print(outcome.context.drnk)  # error: U8 a misspelt field
    Coffee.order(coffee, drink="latte")  # error: U10 the event called on the class
    coffee.order.can(drink=3)  # error: a question about the wrong type
    coffee.receipt.later(too="me")  # error: a misspelt parameter of an effect
    coffee.context = 3  # error: a context of the wrong type
    Coffee(3)  # error: a context of the wrong type
    Coffee.at("ordering", 3)  # error: a context of the wrong type
    Coffee.at("ordering", clock=3)  # error: a clock of the wrong type
