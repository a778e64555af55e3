"""What is heard, in which state, and what never is."""

from __future__ import annotations

import enum
import time
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from examples.coffee import Coffee
from fsmvoice import State, Values, VoiceMachine, forbid, guard, spoken, transition
from fsmvoice.voice.heard import NO, Ambiguous, Asked, Heard, Match, NoMatch
from fsmvoice.voice.match import hear


class Shape(enum.Enum):
    ROUND = "round"
    LONG = "long"


class Shop(VoiceMachine, id="shop"):
    counter = State(initial=True)
    paying = State()
    closed = State(final=True)

    @guard("The oven is cold.")
    def warm(self) -> bool:
        return False

    @spoken("buy bread", utterances=["[please] (buy|get me) [{count}] {shape} [bread|breads|loaf|loaves] [{sliced}]"])
    @transition("BUY", source=counter, target=paying)
    def buy(self, shape: Shape, count: Annotated[int, Field(ge=1, le=20)] = 1, sliced: bool = False) -> None: ...

    @spoken("order from a baker", utterances=["order from {baker}"])
    @transition("BAKER", source=counter)
    def by_baker(self, baker: Annotated[str, Values("Anna", "Old Mill")]) -> None: ...

    @spoken("leave a note", utterances=["(note|write down) [that] {text}"])
    @transition("NOTE", source=counter)
    def note(self, text: str) -> None: ...

    @spoken("bake rolls", utterances=["bake [some] rolls"])
    @transition("BAKE", source=counter, guard=warm)
    def bake(self) -> None: ...

    @spoken("pay", answers="yes", utterances=["(pay|settle) [the bill]"])
    @transition("PAY", source=paying, target=closed)
    def pay(self) -> None: ...

    @spoken("leave it there", answers="no")
    @transition("LEAVE", source=paying, target=counter)
    def leave(self) -> None: ...

    @spoken("sweep the floor", tool=False)
    @transition("SWEEP", source=counter)
    def sweep(self) -> None: ...

    shut = forbid("BUY", source=paying, reason="Please pay first.")


def at(state: str, text: str, machine: type[VoiceMachine[Any]] = Shop) -> Heard:
    return machine.at(state).hear(text)


def match(heard: Heard) -> tuple[str, dict[str, Any]]:
    assert isinstance(heard, Match), heard
    return heard.event, dict(heard.payload)


@pytest.mark.parametrize(
    ("text", "payload"),
    [
        ("Buy round bread!", {"shape": Shape.ROUND}),
        ("please get me two long loaves", {"count": 2, "shape": Shape.LONG}),
        ("get me fifteen round breads", {"count": 15, "shape": Shape.ROUND}),
        ("um get me 3 round please", {"count": 3, "shape": Shape.ROUND}),
        ("could you get me a long loaf", {"shape": Shape.LONG}),
        ("buy long bread sliced", {"shape": Shape.LONG, "sliced": True}),
        ("buy long bread not sliced", {"shape": Shape.LONG, "sliced": False}),
    ],
)
def test_values_are_heard_in_every_kind_of_parameter(text: str, payload: dict[str, Any]) -> None:
    assert match(at("counter", text)) == ("BUY", payload)


def test_a_number_out_of_bounds_is_heard_so_that_it_can_be_refused() -> None:
    assert match(at("counter", "get me 50 round breads"))[1]["count"] == 50


def test_values_known_at_run_time_are_heard() -> None:
    assert match(at("counter", "order from the old mill")) == ("BAKER", {"baker": "Old Mill"})


def test_a_free_text_keeps_its_spelling() -> None:
    assert match(at("counter", "note that Mrs Schmidt called")) == ("NOTE", {"text": "Mrs Schmidt called"})


@pytest.mark.parametrize("text", ["note yes", "note no", "note cancel", "write down stop"])
def test_a_free_text_never_swallows_a_yes_a_no_or_a_stop(text: str) -> None:
    heard = at("counter", text)
    assert not (isinstance(heard, Match) and heard.event == "NOTE" and heard.payload)


def test_yes_and_no_mean_the_events_that_answer_so() -> None:
    assert match(at("paying", "Yeah, sure, go ahead please"))[0] == "PAY"
    assert match(at("paying", "no no, forget it"))[0] == "LEAVE"


def test_yes_and_no_mean_the_open_question_first() -> None:
    snapshot = Shop.at("paying").snapshot
    asked = Asked("NOTE", {"text": "milk"})
    assert match(hear(snapshot, "yes please", asked=asked)) == ("NOTE", {"text": "milk"})
    assert match(hear(snapshot, "rather not", asked=asked))[0] == NO


@pytest.mark.parametrize(
    ("text", "yes"),
    [
        ("yes", True),
        ("yes, buy two round breads", True),
        ("yes, buy round bread", True),
        ("buy two round breads", False),
        ("yes, buy three round breads", False),
        ("yes, note that it rains", False),
    ],
)
def test_a_yes_is_one_to_what_was_asked_and_nothing_else_is(text: str, yes: bool) -> None:
    asked = Asked("BUY", {"count": 2, "shape": Shape.ROUND})
    heard = hear(Shop.at("counter").snapshot, text, asked=asked)
    assert isinstance(heard, Match)
    assert heard.yes is yes
    assert not yes or match(heard) == ("BUY", asked.payload)


@pytest.mark.parametrize("text", ["", "maybe", "hm", "perhaps later", "the yes men", "yes and no"])
def test_what_is_neither_yes_nor_no_is_neither(text: str) -> None:
    assert isinstance(hear(Shop.at("paying").snapshot, text, asked=Asked("NOTE")), NoMatch)


@pytest.mark.parametrize("text", ["don't pay", "do not pay the bill", "I never pay", "not the bill"])
def test_a_negation_never_does_what_answers_yes(text: str) -> None:
    heard = at("paying", text)
    assert not (isinstance(heard, Match) and heard.event == "PAY")


def test_a_value_alone_answers_the_question_for_it() -> None:
    snapshot = Shop.at("counter").snapshot
    asked = Asked("BUY", {"count": 2}, "shape")
    assert match(hear(snapshot, "the round ones", asked=asked)) == ("BUY", {"count": 2, "shape": Shape.ROUND})
    assert match(hear(snapshot, "never mind", asked=asked))[0] == NO
    assert match(hear(snapshot, "milk and eggs", asked=Asked("NOTE", {}, "text"))) == (
        "NOTE",
        {"text": "milk and eggs"},
    )


def test_yes_and_no_are_not_numbers() -> None:
    snapshot, asked = Shop.at("counter").snapshot, Asked("BUY", {}, "count")
    assert match(hear(snapshot, "no", asked=asked)) == (NO, {})
    heard = hear(snapshot, "yes", asked=asked)
    assert not (isinstance(heard, Match) and heard.event == "BUY")
    assert match(hear(snapshot, "1", asked=asked)) == ("BUY", {"count": 1})


@pytest.mark.parametrize(
    ("text", "role"),
    [("help me please", "HELP"), ("pardon?", "REPEAT"), ("where are we", "STATUS"), ("let's start over", "START_OVER")],
)
def test_words_about_the_conversation_are_heard_in_every_state(text: str, role: str) -> None:
    for state in ("counter", "paying", "closed"):
        assert match(at(state, text))[0] == role


def test_what_is_not_possible_now_is_heard_so_that_it_can_be_refused() -> None:
    assert match(at("counter", "bake some rolls"))[0] == "BAKE"
    assert match(at("paying", "buy round bread"))[0] == "BUY"
    assert match(at("counter", "settle the bill"))[0] == "PAY"


def test_what_no_customer_says_is_never_heard() -> None:
    assert not isinstance(at("counter", "sweep the floor"), Match)


def test_a_template_outranks_a_likeness() -> None:
    assert match(Coffee.at("ordering", drink="latte").hear("can I get a latte"))[0] == "ORDER"


def test_what_may_be_two_things_is_asked_about() -> None:
    class Twins(VoiceMachine):
        a = State(initial=True)

        @spoken("open the door")
        @transition("DOOR", source=a)
        def door(self) -> None: ...

        @spoken("open the window")
        @transition("WINDOW", source=a)
        def window(self) -> None: ...

    heard = Twins().hear("open the door or the window")
    assert isinstance(heard, Ambiguous)
    assert {one.event for one in heard.candidates} == {"DOOR", "WINDOW"}
    assert heard.say in (
        "Did you mean open the door or open the window?",
        "Did you mean open the window or open the door?",
    )


def test_hearing_fires_nothing() -> None:
    machine = Shop()
    before = machine.snapshot.revision
    machine.hear("buy round bread")
    assert (machine.state, machine.snapshot.revision) == ("counter", before)


def test_a_machine_without_templates_is_heard_by_its_labels() -> None:
    class Door(VoiceMachine):
        shut = State(initial=True)

        @transition("OPEN_DOOR", source=shut)
        def go(self, wide: Literal["wide", "narrow"] = "wide") -> None: ...

    assert match(Door().hear("could you open the door please")) == ("OPEN_DOOR", {})


HOSTILE = [
    "a" * 100_000,
    "latte " * 20_000,
    "\x00\x01\x02",
    "latte\x00",
    "\u202elarge latte\u202c",
    "\ud800",
    "ラテをください",
    "لاتيه كبير",
    "(a+)+$" * 40,
    "{drink} [size] (order|cancel)",
    "'" * 300,
    " ".join("i" for _ in range(150)),
    "\ufdfa" * 299,
    "no " * 99,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("state", ["idle", "ordering"])
def test_whatever_is_said_is_heard_in_time_and_without_an_error(text: str, state: str) -> None:
    snapshot = Coffee.at(state, drink="latte").snapshot
    hear(snapshot, "warm up")
    began = time.process_time()
    heard = hear(snapshot, text)
    assert time.process_time() - began < 1
    assert not (isinstance(heard, Match) and heard.event == "CONFIRM")


def test_direction_marks_in_what_is_said_do_not_hide_it() -> None:
    assert match(Coffee().hear("\u202dlarge latte\u202c"))[0] == "ORDER"


@pytest.mark.parametrize(
    ("text", "drink", "size"),
    [
        ("hiya love can i have a cappuccino please", "cappuccino", None),
        ("could you get me an espresso i'm running really late for my train", "espresso", None),
        ("small espresso wait no make that a large espresso", "espresso", "large"),
        ("sir one latte please when you get a chance", "latte", None),
    ],
)
def test_what_is_asked_for_is_heard_among_other_words(text: str, drink: str, size: str | None) -> None:
    heard = Coffee().hear(text)
    assert isinstance(heard, Match)
    assert heard.event == "ORDER"
    assert heard.payload.get("drink") == drink
    assert heard.payload.get("size") == size


@pytest.mark.parametrize(
    "text",
    [
        "is there anywhere around here to get a latte",
        "i don't know why anyone would want a latte",
        "how long would it take to get a latte",
        "i would like a latte but not now",
        "tell me a joke about a latte",
        "i spilled a latte on my shirt because i want a mocha",
    ],
)
def test_a_drink_that_is_only_spoken_of_is_not_ordered(text: str) -> None:
    assert not isinstance(Coffee().hear(text), Match)


def test_a_yes_of_several_words_may_be_followed_by_what_it_is_about() -> None:
    heard = Coffee.at("ordering", drink="latte").hear("that's right place it")
    assert isinstance(heard, Match)
    assert heard.event == "CONFIRM"


@pytest.mark.parametrize(
    ("text", "payload"),
    [
        ("a small latte no wait a cappuccino", {"size": "small", "drink": "cappuccino"}),
        ("a large latte, sorry, small", {"size": "small", "drink": "latte"}),
        ("espresso, actually make it a large americano", {"size": "large", "drink": "americano"}),
        ("not a latte, a cappuccino", {"drink": "cappuccino"}),
        ("a latte, not an espresso", {"drink": "latte"}),
    ],
)
def test_a_correction_changes_what_it_names_and_keeps_the_rest(text: str, payload: dict[str, object]) -> None:
    assert match(Coffee.at("idle").hear(text)) == ("ORDER", payload)


@pytest.mark.parametrize(
    "text", ["a latte no wait the thing", "no latte no espresso", "a latte or an espresso", "a or b"]
)
def test_what_is_not_surely_meant_is_not_ordered(text: str) -> None:
    assert not isinstance(Coffee.at("idle").hear(text), Match)


@pytest.mark.parametrize(
    "text",
    [
        "don't cancel",
        "do not cancel my order",
        "i don't want to cancel",
        "don't stop",
        "yes, no, wait",
        "i'm not sure",
        "is the order placed",
        "should i confirm",
        "can i cancel later",
        "i want to",
        "to order or cancel",
    ],
)
def test_what_is_denied_asked_left_open_or_cut_does_nothing(text: str) -> None:
    heard = Coffee.at("ordering", drink="latte").hear(text)
    assert not (isinstance(heard, Match) and heard.event in ("CONFIRM", "CANCEL")), heard


def test_no_and_a_verb_are_one_in_spanish_unless_there_is_a_pause() -> None:
    snapshot = Coffee.at("idle").snapshot
    assert not isinstance(hear(snapshot, "no quiero un latte", locale="es"), Match)
    assert match(hear(snapshot, "no, quiero un latte", locale="es"))[0] == "ORDER"
    asked = Coffee.at("ordering", drink="latte").snapshot
    assert match(hear(asked, "no, cancela", locale="es"))[0] == "CANCEL"
    assert not isinstance(hear(asked, "no cancelar", locale="es"), Match)


def test_a_question_and_a_choice_are_not_answers() -> None:
    snapshot, asked = Coffee.at("idle").snapshot, Asked("ORDER", {"size": "small"}, "drink")
    for text in ("is the latte good", "latte or espresso"):
        assert not isinstance(hear(snapshot, text, asked=asked), Match), text
    assert match(hear(snapshot, "latte, no wait, espresso", asked=asked))[1] == {"size": "small", "drink": "espresso"}


class Adder(VoiceMachine, id="adder"):
    idle = State(initial=True)

    @spoken("add 2 more", utterances=["take route 66"])
    @transition("ADD", source=idle)
    def add(self) -> None: ...


@pytest.mark.parametrize("text", ["add 2 more", "Add two more.", "take route 66", "take route sixty-six"])
def test_figures_in_a_template_are_heard_as_words_too(text: str) -> None:
    assert match(at("idle", text, Adder)) == ("ADD", {})


def test_other_figures_are_not() -> None:
    assert not isinstance(at("idle", "take route sixty", Adder), Match)
