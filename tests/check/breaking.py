"""For each rule a machine that breaks it and nothing else, and one that is like it and keeps it."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

State = dict[str, Any]


class Pair(NamedTuple):
    """Two configs: the first breaks the rule, the second does not."""

    rule: str
    breaks: dict[str, Any]
    keeps: dict[str, Any]


def machine(**changes: Any) -> dict[str, Any]:
    """A small machine that no rule says anything against, with `changes` at their dotted paths (`__` for a dot)."""
    data: dict[str, Any] = {
        "id": "tea_shop",
        "initial": "idle",
        "context": {"tea": "green"},
        "states": {
            "idle": {"meta": {"prompt": "What would you like?"}, "on": {"ORDER": "asked", "LEAVE": "gone"}},
            "asked": {"meta": {"prompt": "One {tea} tea. Shall I make it?"}, "on": {"MAKE": "gone", "DROP": "idle"}},
            "gone": {"type": "final", "meta": {"prompt": "Goodbye."}},
        },
        "meta": {
            "events": {
                "ORDER": event("order a tea", "Choose a tea.", "[please] (order|get|bring) a tea"),
                "LEAVE": event("leave the shop", "Leave.", "(leave|go away|let me out)"),
                "MAKE": event("make the tea", "Have it made.", "(make|brew|start) the tea"),
                "DROP": event("drop the order", "Choose again.", "(drop|forget|scrap) the order"),
            }
        },
    }
    for path, value in changes.items():
        *tables, last = path.split("__")
        here = data
        for table in tables:
            here = here.setdefault(table, {})
        if value is None:
            here.pop(last, None)
        else:
            here[last] = copy.deepcopy(value)
    return data


def event(label: str, description: str, *utterances: str, **more: Any) -> dict[str, Any]:
    return {"label": label, "description": description, "utterances": list(utterances), **more}


def six(guard: str | None = None) -> dict[str, Any]:
    """Six more things to do in the first state."""
    names = (
        "water the plants",
        "open a window",
        "feed our cat",
        "read me a poem",
        "sweep your floor",
        "count my money",
    )
    arcs = {name.split()[0].upper(): ({"target": "asked", "guard": guard} if guard else "asked") for name in names}
    said = {
        name.split()[0].upper(): event(name, f"Do {name}.", f"(would you|could you|kindly) {name}") for name in names
    }
    return {"on": {**arcs, "LEAVE": "gone"}, "said": said}


def many(count: int) -> dict[str, Any]:
    some = six()
    kept = dict(list(some["on"].items())[:count])
    base = machine()
    events = base["meta"]["events"]
    return machine(
        states__idle__on={"ORDER": "asked", **kept},
        states__asked__on={"MAKE": "gone", "DROP": "idle", "LEAVE": "gone"},
        meta__events={**events, **{name: said for name, said in some["said"].items() if name in kept}},
    )


_IDLE = "states__idle__meta__prompt"
_ORDER = "meta__events__ORDER"
_LONG = " ".join(["word"] * 80) + "."

PAIRS = [
    Pair("V01", machine(states__idle__meta={}), machine(states__idle__meta={"prompt": "Hello."})),
    Pair("V02", machine(**{_IDLE: _LONG}), machine(**{_IDLE: _LONG[:250] + "."})),
    Pair("V03", many(5), many(4)),
    Pair("V04", machine(**{_IDLE: "**Hello** there."}), machine(**{_IDLE: "Hello there, it is 5 - 3."})),
    Pair("V04", machine(**{_IDLE: "Look at https://example.com."}), machine(**{_IDLE: "Look at example dot com."})),
    Pair("V04", machine(**{_IDLE: "<break/> Hello."}), machine(**{_IDLE: "Less is more."})),
    Pair("V04", machine(**{_IDLE: "Hello 😀."}), machine(**{_IDLE: "Hello, that's 20 °C."})),
    Pair("V05", machine(**{_IDLE: "Say ORDER."}), machine(**{_IDLE: "Say order."})),
    Pair("V05", machine(**{_IDLE: "Use tea_shop_order."}), machine(**{_IDLE: "Use the tea shop's order."})),
    Pair(
        "V06",
        machine(meta__events__LEAVE__label="order a tea"),
        machine(meta__events__MAKE__label="order a tea"),
    ),
    Pair(
        "V07",
        machine(meta__events__LEAVE__utterances=["(bring|fetch|hand) a tea and go", "get a tea"]),
        machine(meta__events__LEAVE__utterances=["(go|run|walk) now and never return", "get a life"]),
    ),
    Pair("V08", machine(**{_IDLE: "A tea? We have many."}), machine(**{_IDLE: "We have many. A tea?"})),
    Pair(
        "V09",
        machine(states__idle__on__ORDER={"target": "asked", "guard": "open"}),
        machine(
            states__idle__on__ORDER={"target": "asked", "guard": "open"},
            meta__guards={"open": {"reason": "We are closed."}},
        ),
    ),
    Pair(
        "V09",
        machine(on__LEAVE=".gone", states__asked__on__LEAVE={}),
        machine(on__LEAVE=".gone", states__asked__on__LEAVE={"meta": {"reason": "Drop the order first."}}),
    ),
    Pair(
        "V10",
        machine(states__asked__on__DROP="stuck", states__stuck={"meta": {"prompt": "Here we are."}}),
        machine(states__asked__on__DROP="stuck", states__stuck={"type": "final", "meta": {"prompt": "The end."}}),
    ),
    Pair(
        "V13",
        machine(**{f"{_ORDER}__destructive": True}),
        machine(**{f"{_ORDER}__destructive": True, f"{_ORDER}__confirm": "Order a tea?"}),
    ),
    Pair(
        "V13",
        machine(**{f"{_ORDER}__irreversible": True}),
        machine(**{f"{_ORDER}__irreversible": True, f"{_ORDER}__confirm": "Order a tea?"}),
    ),
    Pair(
        "V15",
        machine(meta__events__MAKE__answers="yes", meta__events__DROP__answers="yes"),
        machine(meta__events__MAKE__answers="yes", meta__events__DROP__answers="no"),
    ),
    Pair(
        "V16",
        machine(**{f"{_ORDER}__utterances": ["get a tea"]}),
        machine(**{f"{_ORDER}__utterances": ["get a tea", "bring a tea"]}),
    ),
    Pair(
        "V20",
        machine(**{_IDLE: "It costs ${price}.", "context__price": 4.5}),
        machine(**{_IDLE: "Its number is {price}.", "context__price": 4.5}),
    ),
    Pair(
        "V20",
        machine(**{_IDLE: "We open at {day}.", "context__day": "2026-12-24"}),
        machine(**{_IDLE: "We open at {day}.", "context__day": "ten"}),
    ),
    Pair(
        "V22", machine(**{_IDLE: "Tap the button."}), machine(**{_IDLE: "Our tap water is good. I see, and see you."})
    ),
    Pair(
        "V27",
        machine(**{f"{_ORDER}__label": "start over"}),
        machine(**{f"{_ORDER}__label": "start a tea"}),
    ),
    Pair("V27", machine(**{f"{_ORDER}__label": "reset"}), machine(**{f"{_ORDER}__label": "set it"})),
    Pair(
        "V28",
        machine(
            states__idle__on__ORDER=None,
            states__idle__on__READY="asked",
            meta__events__ORDER=None,
            meta__events__READY={"description": "It is.", "utterances": ["(it is|we are|tea is) ready"]},
        ),
        machine(
            states__idle__on__ORDER=None,
            states__idle__on__READY="asked",
            meta__events__ORDER=None,
            meta__events__READY=event("say it is ready", "It is.", "(it is|we are|tea is) ready"),
        ),
    ),
    Pair("V29", machine(states__asked__on__LEAVE={}), machine(states__asked__on__LEAVE={"actions": "note"})),
    Pair(
        "V30",
        machine(context={"tea": "green", "cup": None}, **{_IDLE: "A {cup} of tea?"}),
        machine(context={"tea": "green", "cup": None}, **{_IDLE: "A {cup|mug} of tea?"}),
    ),
    Pair(
        "S01",
        machine(states__lost={"meta": {"prompt": "Nobody comes here."}, "on": {"LEAVE": "gone"}}),
        machine(states__lost={"meta": {"prompt": "They do."}, "on": {"LEAVE": "gone"}}, states__asked__on__DROP="lost"),
    ),
    Pair(
        "S03",
        machine(
            states__asked__always="turned",
            states__turned={"always": "asked"},
            states__asked__on=None,
            states__turned__meta={"prompt": "Round."},
            meta__events__MAKE=None,
            meta__events__DROP=None,
        ),
        machine(states__asked__always={"target": "turned", "guard": "late"}, states__turned={"always": "gone"}),
    ),
    Pair(
        "S04",
        machine(
            on__ORDER=".asked",
            states__idle__on__ORDER={"target": "asked", "guard": "open"},
            meta__guards={"open": "We are closed."},
        ),
        machine(states__idle__on__ORDER={"target": "asked", "guard": "open"}, meta__guards={"open": "We are closed."}),
    ),
    Pair(
        "S06",
        machine(states__idle__on__ORDER=["asked", "gone"]),
        machine(states__idle__on__ORDER=[{"target": "gone", "guard": "late"}, "asked"]),
    ),
    Pair("A01", machine(**{f"{_ORDER}__description": None}), machine(**{f"{_ORDER}__description": "Choose."})),
    Pair("A02", machine(**{f"{_ORDER}__description": "Leave."}), machine(**{f"{_ORDER}__description": "Don't leave."})),
    Pair("A03", machine(id="alexa_tea"), machine(id="tea")),
    Pair("A04", machine(id="the tea shop at the end of the long road"), machine(id="tea")),
    Pair("C01", machine(states__idle__meta__checks={"V99": "no such rule"}), machine()),
    Pair("C01", machine(**{f"{_ORDER}__checks": {"V05": " "}}), machine()),
    Pair("C02", machine(states__idle__meta__checks={"V05": "nothing to see"}), machine()),
]
