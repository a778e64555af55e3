"""The snippets of docs/concepts: each concept in a few lines, as data."""

import asyncio
from typing import Any

from fsmvoice import FsmActor, SimulatedClock, create_fsm_actor

# states

door = create_fsm_actor(
    {
        "id": "door",
        "initial": "closed",
        "states": {
            "closed": {"on": {"OPEN": "open"}},
            "open": {"tags": "draughty", "on": {"CLOSE": "closed", "REMOVE": "gone"}},
            "gone": {"type": "final"},
        },
        "output": "no door",
    }
)
door.send_sync("OPEN")
print(door.snapshot.value, sorted(door.snapshot.tags))  # open ['draughty']
door.send_sync("REMOVE")
print(door.snapshot.done, door.snapshot.output)  # True no door

# transitions

lamp = create_fsm_actor(
    {
        "initial": "on",
        "states": {
            "on": {
                "entry": "count",
                "on": {
                    "DIM": {"actions": "dim"},  # without a target: the state stays, nothing is left or entered
                    "AGAIN": {"target": "on", "reenter": True},  # left and entered again
                    "OFF": "off",
                },
            },
            "off": {"on": {"ON": "on", "lamp.*": "on"}},
        },
        "context": {"light": 10, "entries": 0},
    },
    actions={
        "dim": lambda context: {"light": context["light"] - 1},
        "count": lambda context: {"entries": context["entries"] + 1},
    },
)
lamp.send_sync("DIM")
lamp.send_sync("AGAIN")
print(lamp.context)  # {'light': 9, 'entries': 2}
lamp.send_sync("OFF")
print(lamp.send_sync("lamp.voice").state)  # on

# guards

till = create_fsm_actor(
    {
        "initial": "open",
        "context": {"total": 0},
        "states": {
            "open": {
                "on": {
                    "ADD": {"actions": "add"},
                    "PAY": [{"guard": "much", "target": "checked"}, {"guard": "any", "target": "paid"}],
                }
            },
            "checked": {"on": {"PAY": "paid"}},
            "paid": {},
        },
    },
    guards={"much": lambda context: context["total"] > 100, "any": lambda context: context["total"] > 0},
    actions={"add": lambda context, event: {"total": context["total"] + event["price"]}},
)
print(till.send_sync("PAY").reason, till.snapshot.available_events)  # guard-rejected ('ADD',)
till.send_sync("ADD", price=20)
print(till.can("PAY"), till.send_sync("PAY").state)  # True paid

# actions


def charge(context: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
    return {"paid": context["paid"] + event["amount"]}


def fail() -> None:
    raise OSError("the printer is out of paper")


shop = create_fsm_actor(
    {
        "initial": "a",
        "context": {"paid": 0},
        "states": {"a": {"on": {"PAY": {"actions": "charge"}, "RECEIPT": {"target": "b", "actions": "fail"}}}, "b": {}},
    },
    actions={"charge": charge, "fail": fail},
)
shop.send_sync("PAY", amount=5)
try:
    shop.send_sync("RECEIPT")
except Exception as error:
    print(error)  # 'fail' raised OSError at event 'RECEIPT' in state 'a': the printer is out of paper
print(shop.snapshot.value, shop.context)  # a {'paid': 5}

# nesting

player = create_fsm_actor(
    {
        "initial": "off",
        "states": {
            "off": {"on": {"POWER": "on"}},
            "on": {
                "initial": "stopped",
                "on": {"POWER": "off"},  # for every state inside
                "states": {
                    "stopped": {"on": {"PLAY": "playing"}},
                    "playing": {"on": {"STOP": "stopped"}},
                },
            },
        },
    }
)
player.send_sync("POWER")
player.send_sync("PLAY")
print(player.snapshot.value, player.snapshot.matches("on"))  # {'on': 'playing'} True
print(player.send_sync("POWER").state)  # off

# parallel

kitchen = create_fsm_actor(
    {
        "initial": "cooking",
        "states": {
            "cooking": {
                "type": "parallel",
                "onDone": "served",
                "states": {
                    "rice": {"initial": "raw", "states": {"raw": {"on": {"RICE": "ok"}}, "ok": {"type": "final"}}},
                    "fish": {"initial": "raw", "states": {"raw": {"on": {"FISH": "ok"}}, "ok": {"type": "final"}}},
                },
            },
            "served": {},
        },
    }
)
print(kitchen.send_sync("RICE").state)  # {'cooking': {'rice': 'ok', 'fish': 'raw'}}
print(kitchen.send_sync("FISH").state)  # served

# history

radio = create_fsm_actor(
    {
        "initial": "off",
        "states": {
            "off": {"on": {"POWER": "on.last"}},
            "on": {
                "initial": "news",
                "on": {"POWER": "off"},
                "states": {"news": {"on": {"NEXT": "jazz"}}, "jazz": {}, "last": {"type": "history"}},
            },
        },
    }
)
for event in ("POWER", "NEXT", "POWER", "POWER"):
    radio.send_sync(event)
print(radio.snapshot.value)  # {'on': 'jazz'}

# eventless

quiz = create_fsm_actor(
    {
        "initial": "asking",
        "context": {"right": 0},
        "states": {
            "asking": {"on": {"RIGHT": {"actions": "count"}}, "always": {"guard": "enough", "target": "won"}},
            "won": {"type": "final"},
        },
    },
    actions={"count": lambda context: {"right": context["right"] + 1}},
    guards={"enough": lambda context: context["right"] == 2},
)
quiz.send_sync("RIGHT")
print(quiz.send_sync("RIGHT").state)  # won

# timers

clock = SimulatedClock()
light = create_fsm_actor(
    {
        "initial": "off",
        "states": {"off": {"on": {"PRESS": "on"}}, "on": {"after": {"60000": "off"}, "on": {"PRESS": "on"}}},
    },
    clock=clock,
)
light.send_sync("PRESS")
clock.advance(59_999)
print(light.can("PRESS"), light.snapshot.value)  # True on
clock.advance(1)
light.catch_up()
print(light.snapshot.value)  # off

# services


async def fetch(context: dict[str, Any]) -> int:
    await asyncio.sleep(0)
    return len(context["city"])


async def weather() -> None:
    actor: FsmActor[dict[str, Any]] = create_fsm_actor(
        {
            "initial": "idle",
            "context": {"city": "Oslo", "degrees": None},
            "states": {
                "idle": {"on": {"ASK": "asking"}},
                "asking": {
                    "invoke": {"src": "fetch", "onDone": {"target": "told", "actions": "keep"}, "onError": "idle"},
                    "on": {"CANCEL": "idle"},  # leaving the state cancels the service
                },
                "told": {},
            },
        },
        services={"fetch": fetch},
        actions={"keep": lambda event: {"degrees": event["output"]}},
    )
    async with actor:
        print((await actor.send("ASK")).state)  # asking
        await actor.settled()
        print(actor.snapshot.value, actor.context["degrees"])  # told 4


asyncio.run(weather())

# processing

order: list[str] = []


def noted(name: str) -> Any:
    return lambda: order.append(name)


def raising(queue: Any) -> None:
    order.append("action")
    queue("NEXT")


machine = create_fsm_actor(
    {
        "initial": "a",
        "states": {
            "a": {"exit": "exit a", "on": {"GO": {"target": "b", "actions": "raising"}}},
            "b": {"entry": "enter b", "always": {"target": "c", "actions": "always"}},
            "c": {"entry": "enter c", "on": {"NEXT": {"target": "d", "actions": "raised"}}},
            "d": {"entry": "enter d"},
        },
    },
    actions={
        "raising": raising,
        **{name: noted(name) for name in ("exit a", "enter b", "always", "enter c", "raised", "enter d")},
    },
)
machine.send_sync("GO")
print(order)  # ['exit a', 'action', 'enter b', 'always', 'enter c', 'raised', 'enter d']
