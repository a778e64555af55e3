"""A pizzeria: amounts, sizes, toppings and tables."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fsmvoice import State, VoiceMachine, spoken, transition

Kind = Literal["margherita", "pepperoni", "hawaiian", "four cheese"]
Size = Literal["small", "medium", "large"]
Topping = Literal["mushrooms", "olives", "onions", "extra cheese"]


class Pizza(VoiceMachine, id="pizza"):
    """Orders pizza."""

    idle = State(initial=True, prompt="Which pizza would you like?")
    cart = State(prompt="Anything else?")
    paying = State(prompt="Shall I charge your card?")
    paid = State(final=True, prompt="Thank you.")

    @spoken(
        "add a pizza",
        utterances=[
            "(i want|i would like|give me|get me|can i have|order) [a|{quantity}] [{size}] {pizza} [pizza|pizzas]",
            "(add|another) [{quantity}] [{size}] {pizza} [pizza|pizzas]",
            "[a|{quantity}] [{size}] {pizza} [pizza|pizzas]",
        ],
    )
    @transition("ADD", source=[idle, cart], target=cart)
    def add(self, pizza: Kind, size: Size = "medium", quantity: Annotated[int, Field(ge=1, le=20)] = 1) -> None: ...

    @spoken(
        "add a topping",
        utterances=[
            "(add|with) [some] {topping}",
            "(put|can i have) [some] {topping} on (it|that)",
        ],
    )
    @transition("TOPPING", source=cart)
    def topping(self, topping: Topping) -> None: ...

    @spoken(
        "leave out a topping",
        utterances=[
            "(remove|take off|without|hold|no) [the] {topping}",
        ],
    )
    @transition("NO_TOPPING", source=cart)
    def no_topping(self, topping: Topping) -> None: ...

    @spoken(
        "say your table",
        utterances=[
            "[we are at|i am at|it is for|bring it to] table [number] {table}",
        ],
    )
    @transition("TABLE", source=cart)
    def table(self, table: Annotated[int, Field(ge=1, le=200)]) -> None: ...

    @spoken(
        "check out",
        utterances=[
            "that is (all|it|everything)",
            "(check out|i want to check out|i would like to pay|i am ready to pay)",
        ],
    )
    @transition("CHECKOUT", source=cart, target=paying)
    def check_out(self) -> None: ...

    @spoken(
        "pay",
        answers="yes",
        utterances=[
            "pay [now]",
            "charge my card",
        ],
    )
    @transition("PAY", source=paying, target=paid)
    def pay(self) -> None: ...

    @spoken(
        "cancel the order",
        answers="no",
        utterances=[
            "cancel [the order|it|everything]",
        ],
    )
    @transition("CANCEL", source=[cart, paying], target=idle)
    def cancel(self) -> None: ...
