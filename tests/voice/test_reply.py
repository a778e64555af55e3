"""What is said: a reply, a refusal, the status. Every text is fit to be spoken as it is."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import Refuse
from fsmvoice.model.behaviour import Behaviour
from fsmvoice.model.chart import compile_chart
from fsmvoice.model.context import context_type_for
from fsmvoice.model.parse import parse_config
from fsmvoice.model.payload import Parameter, Payload
from fsmvoice.model.private import Private
from fsmvoice.voice.offers import offers
from fsmvoice.voice.reply import Speech, make_speech
from tests.voice.machines import coffee, talk

SPEECH = make_speech("en")


def status(actor: FsmActor[Any], **options: Any) -> str:
    return SPEECH.status(actor.snapshot, **options)


def test_a_coffee_is_ordered_in_words() -> None:
    actor = coffee()

    assert status(actor) == "You can order a drink. What would you like?"
    assert actor.send_sync("ORDER", drink="latte").say == "One medium latte. Shall I place it?"
    assert actor.send_sync("CANCEL").say == "I cancelled your latte. What would you like?"
    actor.send_sync("ORDER", drink="flat white", size="large")
    assert actor.send_sync("CONFIRM").say == "Brewing your flat white now. You can say it is ready."
    assert actor.send_sync("READY").say == "Your flat white is ready. Enjoy!"


def test_what_is_not_possible_now_is_refused_with_what_is() -> None:
    actor = coffee()
    actor.send_sync("ORDER", drink="latte")

    assert actor.send_sync("READY").say == (
        "You can't say it is ready right now. You can place the order or cancel the order."
    )


def test_a_guard_says_why_and_a_value_that_would_do_is_asked_for() -> None:
    assert coffee().send_sync("ORDER", drink="mocha").say == (
        "We are out of mocha. Which drink would you like: latte, espresso or flat white?"
    )


def test_a_missing_argument_is_asked_for_with_the_values_that_would_be_accepted() -> None:
    assert coffee().send_sync("ORDER").say == "Which drink would you like: latte, espresso or flat white?"


def test_a_finished_machine_says_so_and_offers_to_start_over() -> None:
    actor = coffee()
    for event in ("CONFIRM", "READY"):
        actor.send_sync("ORDER", drink="latte")
        actor.send_sync(event)
    actor.send_sync("READY")

    assert status(actor) == "Your latte is ready. Enjoy! We're finished here. You can start over."
    assert actor.send_sync("CANCEL").say == (
        "We're finished here, so you can't cancel the order now. You can start over."
    )
    assert actor.reset().say == "Okay, starting over. What would you like?"


def test_who_asks_where_we_are_hears_what_can_be_done_before_the_question() -> None:
    actor = coffee()
    said = actor.send_sync("ORDER", drink="latte").say

    assert said == "One medium latte. Shall I place it?"
    assert status(actor) == "One medium latte. You can place the order or cancel the order. Shall I place it?"


def test_a_question_with_nothing_to_do_is_asked_alone() -> None:
    assert status(talk({"a": {"meta": {"prompt": "Well?"}}})) == "Well?"


def pizza(fits: Callable[[Mapping[str, Any]], bool], **more: Any) -> FsmActor[Any]:
    """A pizza of which some combinations can't be had; nothing says why."""
    order = Payload("ORDER", [Parameter("size", Literal["small", "large"]), Parameter("top", Literal["ham", "olives"])])
    return talk(
        {"idle": {"on": {"ORDER": {"target": "idle", "guard": "ok"}, **more}}},
        guards={"ok": fits},
        payloads={"ORDER": order},
        meta={"events": {"ORDER": {"label": "order a pizza"}}},
    )


def test_a_refusal_of_these_choices_does_not_offer_the_same_again() -> None:
    def fits(event: Mapping[str, Any]) -> bool:
        return (event["size"], event["top"]) in (("small", "ham"), ("large", "olives"))

    told = "You can't order a pizza with those choices. You can make other choices"
    assert pizza(fits).send_sync("ORDER", size="small", top="olives").say == f"{told}."
    assert pizza(fits, QUIT="idle").send_sync("ORDER", size="large", top="ham").say == f"{told} or quit."


def test_a_refusal_of_these_choices_names_what_would_do() -> None:
    def only_small_ham(event: Mapping[str, Any]) -> bool:
        return bool(event["size"] == "small" and event["top"] == "ham")

    assert pizza(only_small_ham).send_sync("ORDER", size="large", top="ham").say == (
        "You can't order a pizza with those choices. Which size would you like: small?"
    )


def test_choices_that_would_do_are_named_where_only_their_combination_is_refused() -> None:
    def fits(event: Mapping[str, Any]) -> bool:
        return (event["size"], event["top"]) in (("s", "ham"), ("m", "olives"))

    order = Payload("ORDER", [Parameter("size", Literal["s", "m", "l"]), Parameter("top", Literal["ham", "olives"])])
    actor = talk(
        {"idle": {"on": {"ORDER": {"target": "idle", "guard": "ok"}}}},
        guards={"ok": fits},
        payloads={"ORDER": order},
    )

    assert actor.send_sync("ORDER", size="s", top="olives").say == (
        "You can't order with those choices. The size can be s or m. You can make other choices."
    )


def test_what_can_not_be_found_out_is_told_the_same_everywhere() -> None:
    actor = talk(
        {"a": {"on": {"GO": {"target": "a", "guard": "broken"}}}},
        guards={"broken": lambda: 1 / 0},
        meta={"guards": {"broken": {"reason": "It is closed."}}},
    )

    assert [blocked.say for blocked in actor.snapshot.blocked_events] == ["Something went wrong there."]
    assert [offer.say for offer in offers(actor.snapshot)] == ["Something went wrong there."]


def test_a_transition_that_stays_says_only_its_acknowledgement() -> None:
    actor = talk(
        {"a": {"meta": {"prompt": "Hello?"}, "on": {"ADD": {"actions": "add", "meta": {"says": "Added {n}."}}}}},
        actions={"add": lambda: {"n": 1}},
        context={"n": 0},
    )

    assert actor.send_sync("ADD").say == "Added 1."


def test_a_transition_without_any_text_still_says_something_true() -> None:
    actor = talk({"a": {"on": {"ADD": {"actions": "add"}, "GO": "b"}}, "b": {}}, actions={"add": lambda: None})

    assert actor.send_sync("ADD").say == "Okay."
    assert actor.send_sync("GO").say == "Okay. You can start over."


def test_an_arcs_text_comes_before_its_events() -> None:
    events = {"GO": {"says": "Going."}}
    states = {"a": {"on": {"GO": {"target": "b", "meta": {"says": "Off we go."}}}}, "b": {"on": {"GO": "a"}}}
    actor = talk(states, meta={"events": events})

    assert actor.send_sync("GO").say == "Off we go. You can go."
    assert actor.send_sync("GO").say == "Going. You can go."


def test_a_state_passed_through_is_silent() -> None:
    actor = talk(
        {
            "a": {"on": {"GO": "b"}},
            "b": {"meta": {"prompt": "Passing."}, "always": "c"},
            "c": {"meta": {"prompt": "There. Well?"}},
        }
    )

    assert actor.send_sync("GO").say == "There. Well?"


NESTED: dict[str, Any] = {
    "off": {"on": {"POWER": "on"}},
    "on": {
        "type": "parallel",
        "meta": {"prompt": "I am on."},
        "states": {
            "brew": {
                "initial": "cold",
                "meta": {"prompt": "Brewing unit."},
                "states": {
                    "cold": {"meta": {"prompt": "Cold. Heat up?"}, "on": {"HEAT": "hot"}},
                    "hot": {"on": {"COOL": "cold"}},
                },
            },
            "light": {"initial": "dim", "states": {"dim": {"meta": {"prompt": "It's dim. Brighter?"}}}},
        },
    },
}


def test_each_regions_innermost_prompt_is_said_with_one_question_at_the_end() -> None:
    actor = talk(NESTED)

    assert actor.send_sync("POWER").say == "Cold. It's dim. Brighter?"
    assert status(actor) == "Cold. It's dim. You can heat. Brighter?"


def test_an_ancestor_speaks_only_where_no_descendant_does_and_only_when_entered() -> None:
    actor = talk(NESTED)
    actor.send_sync("POWER")

    assert actor.send_sync("HEAT").say == "Okay. You can cool."
    assert status(actor) == "Brewing unit. It's dim. You can cool. Brighter?"


def test_a_question_moves_behind_what_is_only_told() -> None:
    states = {
        "a": {"on": {"GO": {"target": "b", "meta": {"says": "Sugar?"}}}},
        "b": {"meta": {"prompt": "Brewing"}, "on": {"X": "a"}},
    }

    assert talk(states).send_sync("GO").say == "Brewing. Sugar?"


def test_at_most_three_options_are_said_and_that_there_are_more() -> None:
    actor = talk({"a": {"on": {"ONE": "b", "TWO": "b", "THREE": "b", "FOUR": "b"}}, "b": {}})

    assert status(actor) == "You can one, two, three, or ask for more."


def test_who_asks_for_more_hears_the_rest() -> None:
    names = ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN"]
    actor = talk({"a": {"on": dict.fromkeys(names, "b")}, "b": {"on": {"ONE": "a"}}})

    assert SPEECH.more(actor.snapshot) == "You can four, five or six. You can seven."
    actor.send_sync("ONE")
    assert SPEECH.more(actor.snapshot) == "You can one."


def test_news_come_first_and_ask_nothing_where_a_question_follows() -> None:
    actor = talk(
        {"a": {"meta": {"prompt": "Well?"}, "on": {"GO": "b"}}, "b": {"meta": {"prompt": "Done."}, "on": {"GO": "a"}}}
    )

    gone = actor.send_sync("GO")
    assert SPEECH.outcome(gone, news=["It rang. Who is it?", "The mail came"]) == (
        "It rang. The mail came. Done. You can go."
    )
    assert SPEECH.outcome(actor.send_sync("GO"), news=["It rang. Who is it?"]) == "It rang. Well?"
    assert SPEECH.status(actor.snapshot, news=["It rang"]) == "It rang. You can go. Well?"


def test_an_event_that_no_customer_speaks_is_not_offered() -> None:
    states = {"a": {"on": {"GO": "b"}}, "b": {"meta": {"prompt": "Brewing."}, "on": {"READY": "a"}}}
    actor = talk(states, meta={"events": {"READY": {"tool": False}}})

    assert actor.send_sync("GO").say == "Brewing. Please wait a moment."
    assert actor.send_sync("GO").say == "You can't go right now. Please wait a moment."


def test_a_dead_end_offers_the_way_out() -> None:
    actor = talk({"a": {"on": {"GO": "b"}}, "b": {"meta": {"prompt": "Stuck."}}})
    actor.send_sync("GO")

    assert actor.send_sync("GO").say == "You can't go right now. You can start over."


def test_repeated_failures_get_the_later_prompts_and_then_the_way_out() -> None:
    actor = coffee()
    actor.send_sync("ORDER", drink="latte")
    refused = actor.send_sync("READY")

    said = [SPEECH.outcome(refused, attempts=attempts) for attempts in (1, 2, 3)]
    assert [text.removeprefix("You can't say it is ready right now. ") for text in said] == [
        "You can place the order or cancel the order.",
        "Say yes to order, or cancel. You can place the order or cancel the order.",
        "You can place the order, cancel the order or start over.",
    ]


def test_asked_again_a_state_says_its_reprompt() -> None:
    actor = coffee()
    actor.send_sync("ORDER", drink="latte")

    assert status(actor, attempts=1).startswith("Say yes to order, or cancel.")


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("Not before {hour|noon}.", "Not before noon. You can wait."),
        ("Try again later?", "Try again later?"),
        ("", "You can't go right now. You can wait."),
    ],
)
def test_a_forbidden_event_says_why(reason: str, said: str) -> None:
    actor = talk({"a": {"on": {"GO": {"meta": {"reason": reason}}, "WAIT": "a"}}})

    assert actor.send_sync("GO").say == said


def test_a_refusal_in_words_is_said_with_its_slots_and_undone() -> None:
    def pay(context: Mapping[str, Any]) -> None:
        raise Refuse("Your card was declined, {name|dear guest}.")

    actor = talk({"a": {"on": {"PAY": {"target": "b", "actions": "pay"}}}, "b": {}}, actions={"pay": pay})

    assert actor.send_sync("PAY").say == "Your card was declined, dear guest. You can pay."
    assert actor.snapshot.value == "a"


def test_a_reason_sees_the_payload_first() -> None:
    actor = talk(
        {"a": {"on": {"GO": {"target": "a", "guard": "no"}}}},
        guards={"no": lambda: False},
        meta={"guards": {"no": {"reason": "No {drink}, {size}."}}},
        context={"drink": "tea", "size": "small"},
    )

    assert actor.send_sync("GO", drink="latte").say == "No latte, small. You can start over."
    assert [blocked.say for blocked in actor.snapshot.blocked_events] == ["No tea, small."]


def test_a_blocked_event_always_says_something() -> None:
    actor = talk({"a": {"on": {"GO": {"target": "a", "guard": "no"}}}}, guards={"no": lambda: False})

    assert [blocked.say for blocked in actor.snapshot.blocked_events] == ["You can't go right now."]


class Card(BaseModel):
    card: Annotated[str | None, Private] = None
    name: str = "<b>Bob</b>"


def test_values_are_said_without_markup_and_private_ones_never() -> None:
    config = parse_config({"initial": "a", "states": {"a": {"meta": {"prompt": "{name}, {card|no card}. Yes?"}}}})
    context = context_type_for(Card)
    actor = FsmActor[Any](compile_chart(config, Behaviour(context=context, speak=SPEECH)), context=Card(card="4111"))

    assert status(actor) == "Bob, no card. Yes?"


def test_a_description_of_the_state_takes_the_place_of_prompts() -> None:
    def where(snapshot: Snapshot[Any]) -> str:
        return f"We are at {len(str(snapshot.value))}."

    speech = make_speech("en", where)
    actor = coffee()

    assert speech.status(actor.snapshot) == "We are at 4. You can order a drink."
    outcome = actor.send_sync("ORDER", drink="latte")
    assert speech.outcome(outcome) == "We are at 8. You can place the order or cancel the order."


def test_a_description_that_fails_gives_way_to_the_prompt(caplog: pytest.LogCaptureFixture) -> None:
    def broken(snapshot: Snapshot[Any]) -> str:
        raise ValueError

    with caplog.at_level(logging.ERROR, "fsmvoice"):
        assert make_speech("en", broken).status(coffee().snapshot) == "You can order a drink. What would you like?"
    assert "describe_state" in caplog.text


async def later() -> str:
    return "later"


@pytest.mark.parametrize("make", [int, list, bytes, later])
def test_a_description_that_is_not_text_gives_way_to_the_prompt(make: Any, caplog: pytest.LogCaptureFixture) -> None:
    speech = make_speech("en", lambda _: make())
    assert speech.status(coffee().snapshot) == "You can order a drink. What would you like?"
    assert "describe_state returned" in caplog.text


def test_a_description_of_nothing_gives_way_to_the_prompt() -> None:
    assert make_speech("en", lambda _: "  ").status(coffee().snapshot) == "You can order a drink. What would you like?"


IDS = re.compile(r"ORDER|CONFIRM|CANCEL|READY|ordering|coffee_|_|Traceback")


def test_no_text_names_an_event_a_state_or_a_tool() -> None:
    """Walks the coffee machine through every event in every state."""
    texts: list[str] = []
    for path in ([], ["ORDER"], ["ORDER", "CONFIRM"], ["ORDER", "CONFIRM", "READY"]):
        for event in ("ORDER", "CONFIRM", "CANCEL", "READY", "UNKNOWN_EVENT"):
            actor = coffee()
            for step in path:
                actor.send_sync(step, **({"drink": "latte"} if step == "ORDER" else {}))
            texts += [status(actor), actor.send_sync(event).say]

    assert [text for text in texts if IDS.search(text) or not text] == []


def test_a_speech_is_told_apart_by_its_locale_only() -> None:
    assert isinstance(make_speech("de-AT"), Speech)
    assert make_speech(None).phrases.tag == "en"
