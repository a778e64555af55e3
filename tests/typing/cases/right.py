"""What a checker knows of a machine, and everything it must not complain about."""

from __future__ import annotations

from typing import Any, Literal, assert_type

from fsmvoice import (
    FsmConfig,
    NotAllowed,
    Outcome,
    SimulatedClock,
    Snapshot,
    State,
    VoiceMachine,
    create_fsm_actor,
    transition,
)
from tests.typing.cases.machines import Coffee, CoffeeContext, Drink, Fancy, Kiosk, KioskContext, Size


async def fires(coffee: Coffee, fancy: Fancy) -> None:
    assert_type(await coffee.order(drink="latte"), Outcome[CoffeeContext])
    assert_type(coffee.order.sync("latte", size="small"), Outcome[CoffeeContext])
    assert_type(coffee.order.can("latte"), bool)
    assert_type(await coffee.confirm(), Outcome[CoffeeContext])
    assert_type(await fancy.order("latte"), Outcome[CoffeeContext])
    assert_type(await coffee.send("ORDER", drink="latte"), Outcome[CoffeeContext])
    assert_type(coffee.send_sync("ORDER", drink="latte"), Outcome[CoffeeContext])
    assert_type(await coffee.start_over(), Outcome[CoffeeContext])
    assert_type(coffee.start_over.sync(), Outcome[CoffeeContext])


async def reads(coffee: Coffee) -> None:
    assert_type(coffee.context, CoffeeContext)
    assert_type(coffee.context.drink, Literal["latte", "espresso"] | None)
    assert_type(coffee.snapshot, Snapshot[CoffeeContext])
    assert_type(coffee.snapshot.context.size, Literal["small", "medium", "large"])
    assert_type(coffee.state, str | dict[str, Any])
    assert_type(coffee.available, tuple[str, ...])
    assert_type([blocked.say for blocked in coffee.blocked], list[str])
    assert_type(coffee.matches(Coffee.ordering), bool)
    assert_type(coffee.say(), str)
    outcome = coffee.order.sync(drink="latte")
    assert_type(outcome.context.drink, Drink | None)
    assert_type(outcome.ok, bool)
    assert_type(outcome.explain(), str)
    try:
        coffee.cancel.sync()
    except NotAllowed as refused:
        print(refused.outcome.say)


def hello(context: dict[str, Any]) -> dict[str, Any]:
    return {**context, "greeted": True}


async def makes() -> None:
    assert_type(Coffee(), Coffee)
    assert_type(Coffee(CoffeeContext(drink="latte")), Coffee)
    assert_type(Coffee.at("ordering", drink="latte"), Coffee)
    assert_type(Coffee.at("ordering", CoffeeContext(), clock=SimulatedClock(), size="large"), Coffee)
    assert_type(Kiosk.at(Kiosk.on.brew), Kiosk)
    assert_type(Coffee.restore(Coffee().snapshot.persist()), Coffee)
    assert_type(await Coffee.started(), Coffee)
    assert_type(Coffee.config, FsmConfig)
    assert_type(Coffee.idle, State)
    assert_type(Kiosk.on.brew.grinding, State)
    async with Kiosk(KioskContext(grams=3)) as kiosk:
        assert_type(kiosk, Kiosk)
    actor = create_fsm_actor({"initial": "a", "states": {"a": {}}}, actions={"hello": hello})
    assert_type(actor.send_sync({"type": "GO"}), Outcome[dict[str, Any]])


class Client: ...


class WithInit(VoiceMachine[CoffeeContext]):
    """A user's own `__init__`, a plain method, and a dict's machine beside it."""

    idle = State(initial=True)

    def __init__(self, client: Client | None = None) -> None:
        super().__init__()
        self.client = client or Client()

    @transition(source=idle)
    def go(self) -> None:
        assert_type(self.client, Client)
        self.context = CoffeeContext(drink="latte")
        self.helped("latte")

    def helped(self, drink: Drink, size: Size = "small") -> None: ...


class Loose(VoiceMachine):
    idle = State(initial=True)

    @transition(source=idle)
    def go(self) -> None:
        self.context["anything"] = 1


assert_type(WithInit(Client()).client, Client)
assert_type(Loose().context, Any)
