"""Many ways to break each rule, and many machines that only look as if they did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.check.breaking import event, machine, six

Changes = dict[str, Any]
PROMPT = "states__idle__meta__prompt"
_SING = event("sing a song", "Sing.", "(sing|hum|chant) a song")
_LONG = " ".join(["word"] * 80) + "."
_HALF = " ".join(["word"] * 40) + "."
_LOST = {"prompt": "Nobody comes here."}
_MUG: Changes = {"tea": "green", "cup": None}
_SIX = six()
_UNASKED: Changes = {"meta__events__ORDER": None, "meta__events__LEAVE": None}
_NAMES = [name for name in _SIX["on"] if name != "LEAVE"]


def _events(**more: Any) -> Changes:
    return {**machine()["meta"]["events"], **more}


def _raise(name: str) -> Changes:
    return {"type": "raise", "params": {"event": {"type": name}}}


def saying(texts: Sequence[str]) -> Changes:
    """A machine with a state for each of some prompts, named by its number."""
    count = len(texts)
    states: Changes = {
        str(n): {"meta": {"prompt": text}, "on": {"LEAVE": str((n + 1) % count), "DROP": str((n - 1) % count)}}
        for n, text in enumerate(texts)
    }
    states["0"]["on"].update(ORDER="1", MAKE="1")
    return {**machine(), "initial": "0", "states": states, "context": {"tea": "green"}}


def _region(turn: str, prompt: str) -> Changes:
    there = {"meta": {"prompt": prompt}, "on": {turn: "a"}}
    return {"initial": "a", "states": {"a": {"meta": {"prompt": "A."}, "on": {turn: "b"}}, "b": there}}


WRONG_TEXTS: Mapping[str, Sequence[str]] = {
    "V01": ("", "  ", "..."),
    "V04": (
        "__Hello__ there.", "See [here](x) now.", "# Hello", "Teas:\n* green\n* black", "Teas:\n1. green\n2. black",
        "Type `tea`.", "Go to www.example.com now.", "Write to mailto:me@x.org.", "Go to example.com/menu.",
        "Green | black?", "Tea &amp; milk?", "Tea&nbsp;now?", "Hello</p>", "A<br/>B?", "I ❤ tea.", "Hi 👩‍👩‍👧.",
        "Press 1️⃣.", "It's ~~green~~ black.", "> Hello there.", "Tea → milk.", "• green\n• black", "Done ✓.",
        "_Hello_ there.",
        "***Hello***", "Hello\n---\nthere", "![tea](tea.png)", "**{tea}** tea?", "https://{tea}", "Hot ☕.",
    ),
    "V05": ("Say 'ORDER'.", "ORDER's next.", "Call tea_shop_status.", "Call tea_shop_start_over."),
    "V08": (
        "A tea? A coffee?", "“A tea?” Then say so.", "A tea?! Say so.", "Do you? I do. Or not?",
    ),
    "V22": (
        "Click the button.", "Tap it twice.", "Tap below.", "To order, tap.", "See below.", "Look at the screen.",
        "It is on your display.", "You see three teas.", "Press the green button.", "Swipe left.", "Scroll down.",
        "Touch the picture.", "Look at the list.", "Double-click it.", "By clicking you agree.", "Type your name.",
        "Select an item from the list above.", "Follow the link.", "Once you have tapped, wait.",
        "The picture above is it.", "One tap and it is yours.", "Open the drop-down menu.", "Hover over it.",
        "Pick one of those shown here.",
    ),
}  # fmt: skip
"""Prompts that break a rule."""

FINE_TEXTS: Sequence[str] = (
    "Nice to see you.", "Good to see you again.", "Would you like to see a doctor?", "We'll see.", "Let me see.",
    "I can see that it is late.", "You see, we are closed.", "The water is on tap.", "Turn the tap to the left.",
    "Our tap beer is good.", "He is a click away.", "Let me see your order.", "You will see the doctor at ten.",
    "It is below zero.", "Twenty below.", "See above average sales.", "Click and collect is closed.", "Push the door.",
    "It costs 5 - 3.", "I have 3 * 4 teas.", "1. May is a holiday.", "We're open 9-5.", "It's 20 °C.", "Tea & coffee.",
    "AC/DC plays.", "a < b and c > d.", "Use C++ today.", "Ask for tea, e.g. green.", "The cat (black) is in.",
    'He said "hello".', "№ 5.", "Wi-Fi is on.", "Your PIN, please.", "Rock 'n' roll!", "Tea – or coffee.", "#1 in tea.",
    "Room 2/3.", "It is 10:30.", "Visit example.com.", "Ask me: what is it?", "(Which tea?)", "@home.",
    "“What is it?” is not a question to ask here.", 'Say "what is it?" to hear more.', "Dr. Smith is in. Shall I call?",
)  # fmt: skip
"""Prompts that a rule might take for a slip."""

WRONG: Sequence[tuple[str, Changes]] = (
    ("V01", {"states__idle": {"initial": "a", "states": {"a": {}}, "on": {"ORDER": "asked", "LEAVE": "gone"}}}),
    ("V01", {"states__idle": {"invoke": {"src": "boil", "onDone": "asked"}}, **_UNASKED}),
    ("V01", {"states__idle": {"after": {"1000": "asked"}}, **_UNASKED}),
    ("V01", {"states__idle__type": "parallel", "states__idle__states": {"l": {}, "r": {}}, "states__idle__meta": {}}),
    ("V02", {"states__asked__meta__prompt": _HALF, "meta__events__ORDER__says": _HALF}),
    ("V02", {PROMPT: ["Hello.", _LONG]}),
    ("V02", {"states__asked__on__LEAVE": {"meta": {"reason": _LONG}}}),
    ("V02", {"meta__events__ORDER__confirm": _LONG[:-1] + "?"}),
    ("V02", {"meta__events__ORDER__working": _LONG}),
    ("V02", {"states__idle__on__ORDER": {"target": "asked", "guard": "g"}, "meta__guards": {"g": {"reason": _LONG}}}),
    ("V02", {"states__asked__after": {"1000": {"target": "idle", "meta": {"says": _LONG}}}}),
    ("V02", {"states__gone__meta__prompt": _LONG}),
    (
        "V02",  # each reply is short enough, but not where things stand once both regions have turned
        {
            "states__idle": {
                "type": "parallel",
                "on": {"LEAVE": "gone", "ORDER": "asked"},
                "states": {"l": _region("TURN", _HALF), "r": _region("ROLL", _HALF)},
            }
        },
    ),
    (
        "V03",
        {
            "states__idle__on": {"ORDER": "asked", **six("g")["on"]},
            "meta__events": _events(**_SIX["said"]),
            "meta__guards": {"g": {"reason": "No."}},
        },
    ),
    ("V03", {"on": dict.fromkeys(_NAMES, ".asked"), "meta__events": _events(**_SIX["said"])}),
    ("V04", {"meta__events__ORDER__confirm": "**Order**?"}),
    ("V04", {"states__asked__on__LEAVE": {"meta": {"reason": "Not <b>now</b>."}}}),
    ("V04", {"context": _MUG, PROMPT: "A {cup|*mug*}?"}),
    ("V05", {"context": {"tea": "green", "cup_size": 1}, PROMPT: "Your cup_size is small."}),
    ("V05", {"states__idle__on__ORDER": {"target": "asked", "actions": "pour_it"}, PROMPT: "I will pour_it."}),
    ("V05", {"states__asked__invoke": {"src": "boilWater"}, "states__asked__meta__prompt": "Running boilWater."}),
    ("V05", {"states__asked__after": {"LONG_WAIT": "idle"}, "states__asked__meta__prompt": "After LONG_WAIT it ends."}),
    ("V05", {"states__asked__always": {"target": "gone", "guard": "is_late"}, PROMPT: "Not is_late yet."}),
    ("V05", {"states__idle__tags": ["needs_cup"], PROMPT: "This is needs_cup."}),
    ("V05", {"states__idle__id": "the_idle", PROMPT: "You are in the_idle."}),
    ("V05", {"meta__events__ORDER__label": "do ORDER"}),
    ("V05", {"states__asked__on__LEAVE": {"meta": {"reason": "LEAVE is not possible."}}}),
    ("V06", {"meta__events__LEAVE__label": "Order  a Tea"}),
    ("V06", {"meta__events__LEAVE__label": "order a tea."}),
    ("V06", {"meta__events__ORDER__label": "check in", "meta__events__LEAVE__label": "check-in"}),
    ("V07", {"meta__events__LEAVE__label": "get a tea"}),
    ("V07", {"meta__events__LEAVE__utterances": ["(run|walk|jump|fly|swim|crawl|drive|ride|hop|get a tea)"]}),
    ("V08", {"meta__events__ORDER__says": "Really? I go."}),
    ("V08", {"meta__events__ORDER__confirm": "Order it? It is dear."}),
    ("V08", {"states__asked__on__LEAVE": {"meta": {"reason": "Why leave? Drop it first."}}}),
    ("V08", {PROMPT: ["A tea?", "A tea? Say so."]}),
    ("V09", {"states__idle__on__ORDER": {"target": "asked", "guard": "g"}, "meta__guards": {"g": {"reason": " "}}}),
    ("V09", {"states__idle__on__ORDER": [{"target": "asked", "guard": "a"}, {"target": "gone", "guard": "b"}]}),
    ("V09", {"on__SING": {"target": ".asked", "guard": "g"}, "meta__events__SING": _SING}),
    (
        "V10",
        {
            "states__asked__on__DROP": "end",
            "states__end": {"meta": _LOST, "on": {"LEAVE": {"meta": {"reason": "No."}}}},
        },
    ),
    (
        "V10",  # it comes to an end, which nothing takes further
        {
            "states__asked__on__DROP": "end",
            "states__end": {
                "meta": _LOST, "initial": "a", "states": {"a": {"on": {"LEAVE": "b"}}, "b": {"type": "final"}}
            },
        },
    ),
    ("V13", {"meta__events__LEAVE__destructive": True, "meta__events__LEAVE__confirm": " "}),
    ("V15", {"meta__events__MAKE__answers": "no", "meta__events__DROP__answers": "no"}),
    (
        "V15",
        {
            "on__SING": ".gone", "meta__events__SING": {**_SING, "answers": "yes"}, "meta__events__MAKE__answers": "yes"
        },
    ),
    ("V16", {"meta__events__LEAVE__utterances": ["leave the shop", "leave the shop"]}),
    ("V16", {"meta__events__LEAVE__utterances": ["[please] leave the shop"]}),
    *(("V20", {PROMPT: text, "context__price": 4.5}) for text in (
        "It costs {price} euros.", "It costs EUR {price}.", "It costs {price} €.", "£{price}.", "{price} francs.",
        "CHF {price}.", "₹{price}.", "{price} bucks.", "{price} kr.", "It costs ${price|nothing}.",
    )),
    *(("V20", {PROMPT: "It is {day}.", "context__day": day}) for day in (
        "2026-12-24T10:00:00Z", "10:30", "10:30 am", "12/24/2026", "24.12.2026", "2026/12/24", "PT1H30M",
    )),
    ("V22", {"meta__events__ORDER__label": "tap on a tea"}),
    *(("V27", {"meta__events__ORDER__label": label}) for label in (
        "help me", "repeat", "what can i do", "say that again", "status", "restart",
    )),
    ("V27", {"meta__events__ORDER__utterances": ["(order|get) a tea", "(a|b|c|d|e|f|g|h|i|j|start over)"]}),
    ("V27", {"meta__events__ORDER__utterances": ["order {drink}"]}),
    (
        "V29",
        {
            "states__asked__on__SING": {"guard": "g"}, "meta__guards": {"g": {"reason": "No."}},
            "meta__events__SING": _SING,
        },
    ),
    ("V29", {"on__SING": {"actions": []}, "meta__events__SING": _SING}),
    ("V30", {"context": _MUG, "meta__events__ORDER__says": "A {cup} for you."}),
    ("V30", {"context": _MUG, "meta__events__ORDER__working": "Filling the {cup}."}),
    ("V30", {"context": _MUG, "states__asked__on__LEAVE": {"meta": {"reason": "Your {cup} is here."}}}),
    (
        "V30",
        {
            "context": _MUG,
            "states__idle__on__ORDER": {"target": "asked", "guard": "g"},
            "meta__guards": {"g": {"reason": "No {cup}."}},
        },
    ),
    ("V30", {"context": _MUG, "states__asked__after": {"1000": {"target": "idle", "meta": {"says": "A {cup}."}}}}),
    ("V30", {"context": {"tea": ""}}),
    ("V30", {"context": {"tea": []}}),
    ("S01", {"states__asked__initial": "a", "states__asked__states": {"a": {}, "b": {"meta": _LOST}}}),
    ("S01", {"states__idle__on__ORDER": ["asked", "lost"], "states__lost": {"meta": _LOST, "on": {"LEAVE": "gone"}}}),
    (
        "S01",  # its end never comes
        {
            "states__idle__initial": "a", "states__idle__states": {"a": {}}, "states__idle__onDone": "lost",
            "states__lost": {"meta": _LOST, "on": {"LEAVE": "gone"}},
        },
    ),
    ("S02", {"states__lost": {"meta": _LOST, "on": {"SING": "gone"}}, "meta__events__SING": _SING}),
    ("S03", {"states__asked__always": "b", "states__b": {"always": "c"}, "states__c": {"always": "asked"}}),
    (
        "S03",  # it is done as soon as it begins
        {
            "states__asked": {
                "meta": _LOST, "initial": "a", "states": {"a": {"type": "final"}}, "onDone": "asked",
                "on": {"MAKE": "gone", "DROP": "idle"},
            }
        },
    ),
    ("S04", {"on__*": ".gone", "states__idle__on__ORDER": {"target": "asked", "guard": "g"}}),
    ("S05", {"states__asked__entry": _raise("NOPE")}),
    ("S05", {"states__idle__on__ORDER": {"target": "asked", "actions": _raise("ORDER")}}),
    ("S06", {"states__idle__on__ORDER": [{"target": "asked", "guard": "g"}, {"target": "gone", "guard": "g"}]}),
    ("S06", {"states__asked__after": {"1000": ["idle", {"target": "gone", "guard": "g"}]}}),
    ("A02", {"meta__events__ORDER__description": " leave "}),
    ("A03", {"id": "open_tea"}),
    ("A04", {"description": "x" * 130}),
    ("C01", {"states__idle__on__ORDER": {"target": "asked", "meta": {"checks": {"V05": "here"}}}}),
    ("C01", {"states__idle__meta": {"prompt": "A tea?", "checks": {"v05": "x"}}}),
    ("C02", {"meta__checks": {"V05": "x"}}),
)  # fmt: skip
"""Changes to the clean machine, and the rule that tells of them."""

FINE: Mapping[str, Changes] = {
    "an event that only acts": {"states__asked__on__SING": {"actions": "note"}, "meta__events__SING": _SING},
    "a state passed through": {
        "states__idle__on__ORDER": "mid",
        "states__mid": {"always": [{"target": "asked", "guard": "g"}, {"target": "idle"}]},
    },
    "a state that waits": {
        "states__asked__on__MAKE": "brew",
        "states__brew": {
            "meta": {"prompt": "Brewing."}, "invoke": {"src": "brew", "onDone": "gone", "onError": "idle"}
        },
    },
    "a state that overrides another": {
        "states__idle__initial": "a",
        "states__idle__states": {"a": {"on": {"ORDER": "b"}}, "b": {}},
    },
    "an end that leads on": {
        "states__asked": {
            "meta": {"prompt": "One {tea} tea. Ready?"}, "initial": "a", "onDone": "gone", "on": {"DROP": "idle"},
            "states": {"a": {"on": {"MAKE": "b"}}, "b": {"type": "final"}},
        }
    },
    "two guards that are not one": {
        "states__idle__on__ORDER": [
            {"target": "asked", "guard": {"type": "g", "params": {"n": 1}}},
            {"target": "gone", "guard": {"type": "g", "params": {"n": 2}}},
        ],
        "meta__guards": {"g": "No."},
    },
    "a yes and a no": {"meta__events__MAKE__answers": "yes", "meta__events__DROP__answers": "no"},
    "what a sensor says": {"states__asked__on__READY": "gone", "meta__events__READY": {"tool": False}},
    "an event that is raised and taken": {
        "states__asked__entry": _raise("READY"),
        "states__asked__on__READY": {"actions": "note"},
        "meta__events__READY": {"tool": False},
    },
    "a reprompt": {PROMPT: ["Tea?", "Say it once more: a tea?"]},
    "a slot with words for nothing": {"context": _MUG, PROMPT: "A {cup|mug}?"},
    "a slot that an action fills": {
        "context": _MUG,
        "states__idle__on__ORDER": {"target": "asked", "actions": "fill"},
        "states__asked__meta__prompt": "One {cup} of tea. Shall I make it?",
    },
    "two states that lead to each other": {
        "states__asked__on__DROP": "one",
        "states__one": {"meta": {"prompt": "Here."}, "on": {"LEAVE": "two"}},
        "states__two": {"meta": {"prompt": "There."}, "on": {"LEAVE": "one"}},
    },
}  # fmt: skip
"""Changes to the clean machine that leave it clean."""
