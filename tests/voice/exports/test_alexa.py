"""The Alexa model: Amazon's own classes read it, and each of Amazon's rules is kept, and seen where it is broken."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Annotated, Any, Literal, cast

import pytest
from pydantic import Field

from examples.coffee import Coffee
from fsmvoice import DefinitionError, State, VoiceMachine, spoken, transition
from fsmvoice.voice.exports.alexa import intent_name, spelled, to_alexa
from fsmvoice.voice.exports.alexa_rules import alexa_problems


class Notes(VoiceMachine, id="notes2"):
    idle = State(initial=True)

    @spoken("write a note", utterances=["note {text}", "{text} for {day}", "add 2 notes", "yes"])
    @transition("ADD_2", source=idle)
    def add(self, text: str, day: Annotated[int, Field(ge=1, le=31)] = 1) -> None: ...


def language_model(model: dict[str, Any]) -> dict[str, Any]:
    return cast("dict[str, Any]", model["interactionModel"]["languageModel"])


def test_amazons_classes_read_it() -> None:
    runtime = pytest.importorskip("ask_sdk_model_runtime", reason="ask-smapi-model is not installed")
    from ask_smapi_model.v1.skill.interaction_model.interaction_model_data import InteractionModelData

    body = json.dumps(to_alexa(Coffee.chart))
    read = runtime.DefaultSerializer().deserialize(body, InteractionModelData)
    model = read.interaction_model.language_model
    assert model.invocation_name == "my coffee"
    order = next(intent for intent in model.intents if intent.name == "OrderIntent")
    assert {slot.name for slot in order.slots} == {"drink", "size"}
    assert "order a {size} {drink}" in order.samples or any("{drink}" in sample for sample in order.samples)
    drinks = next(kind for kind in model.types if kind.name == "Order_drink")
    assert [value.name.value for value in drinks.values][:2] == ["latte", "espresso"]


def test_the_example_keeps_every_rule() -> None:
    assert alexa_problems(to_alexa(Coffee.chart)) == []


def test_names_have_no_digits_and_yes_is_left_to_amazon() -> None:
    model = language_model(to_alexa(Notes.chart))
    assert model["invocationName"] == "notes two"
    (intent,) = [it for it in model["intents"] if not it["name"].startswith("AMAZON.")]
    assert intent["name"] == "AddTwoIntent"
    assert "yes" not in intent["samples"]
    assert "add two notes" in intent["samples"]


def test_a_free_text_stands_alone_in_its_sample() -> None:
    (intent,) = [it for it in language_model(to_alexa(Notes.chart))["intents"] if it["name"] == "AddTwoIntent"]
    assert "note {text}" in intent["samples"]
    assert not any("{text}" in sample and "{day}" in sample for sample in intent["samples"])


@pytest.mark.parametrize(
    ("event", "name"),
    [("ORDER", "OrderIntent"), ("addItem", "AddItemIntent"), ("go-2", "GoTwoIntent"), ("7", "SevenIntent")],
)
def test_events_make_names_that_alexa_takes(event: str, name: str) -> None:
    assert intent_name(event) == name


def test_slots_make_names_that_alexa_takes() -> None:
    assert [spelled(name) for name in ("drink", "top2", "extraShot", "_")] == ["drink", "top_two", "extrashot", "value"]


Break = Callable[[SimpleNamespace], None]


def change(path: str, value: Any) -> Break:
    """Puts `value` at a place of the order intent, the types or the model."""

    def apply(model: SimpleNamespace) -> None:
        owner, key = path.split(".", 1)
        getattr(model, owner)[key] = value

    return apply


FREE = [{"name": "drink", "type": "AMAZON.SearchQuery"}, {"name": "size", "type": "AMAZON.NUMBER"}]
BROKEN: list[tuple[str, Break]] = [
    ("only letters and underscores", change("order.name", "Order2Intent")),
    ("which is not defined", change("order.slots", [{"name": "drink", "type": "Nothing"}])),
    ("does not declare", change("order.samples", ["order {cup}"])),
    ("only letters and underscores", change("order.slots", [{"name": "drink2", "type": "AMAZON.NUMBER"}])),
    ("lower case", change("order.samples", ["Order a coffee"])),
    ("only letters, apostrophes", change("order.samples", ["order 2 coffees"])),
    ("longer than 200", change("order.samples", ["a" * 201])),
    ("slot twice", change("order.samples", ["{drink} and {drink}"])),
    ("has no samples", change("order.samples", [])),
    ("Amazon's own intents", change("order.samples", ["help"])),
    ("too", change("order.samples", ["place the order"])),
    ("AMAZON.SearchQuery beside another", change("order.slots", FREE)),
    ("one word", change("model.invocationName", "coffee")),
    ("lower-case letters", change("model.invocationName", "Coffee 2")),
    ("which Alexa reserves", change("model.invocationName", "ask coffee")),
    ("has no values", change("model.types", [{"name": "Order_drink", "values": []}])),
    ("can't be said", change("model.types", [{"name": "Order_drink", "values": [{"name": {"value": "<b>"}}]}])),
]  # fmt: skip


@pytest.mark.parametrize(("told", "broken"), BROKEN, ids=range(len(BROKEN)))
def test_each_rule_is_seen_where_it_is_broken(told: str, broken: Break) -> None:
    model = copy.deepcopy(to_alexa(Coffee.chart))
    inner = language_model(model)
    order = next(it for it in inner["intents"] if it["name"] == "OrderIntent")
    broken(SimpleNamespace(model=inner, order=order))
    assert any(told in str(problem) for problem in alexa_problems(model))


def test_help_and_stop_are_missed() -> None:
    model = to_alexa(Coffee.chart)
    language_model(model)["intents"] = [it for it in language_model(model)["intents"] if "Stop" not in it["name"]]
    assert "AMAZON.StopIntent is missing" in str(alexa_problems(model)[0])


def test_a_free_text_alone_is_refused() -> None:
    model = to_alexa(Notes.chart)
    intent = next(it for it in language_model(model)["intents"] if it["name"] == "AddTwoIntent")
    intent["samples"] = ["{text}"]
    assert "alone" in str(alexa_problems(model)[0])


def test_two_events_that_make_one_name_are_refused() -> None:
    class Twins(VoiceMachine):
        a = State(initial=True)

        @spoken("go there")
        @transition("GO1", source=a)
        def one(self) -> None: ...

        @spoken("go over there")
        @transition("GO_ONE", source=a)
        def two(self) -> None: ...

    with pytest.raises(DefinitionError, match="two intents are named 'GoOneIntent'"):
        to_alexa(Twins.chart)


def test_a_problem_is_reported_at_the_event_it_comes_from() -> None:
    class Twice(VoiceMachine, id="two words"):
        a = State(initial=True)

        @spoken("go on")
        @transition("GO_1", source=a)
        def first(self) -> None: ...

        @spoken("move on")
        @transition("GO_ONE", source=a)
        def second(self) -> None: ...

        @spoken("take one", utterances=["take {top1}"])
        @transition("TAKE", source=a)
        def take(self, top1: Literal["a b", "c d"] = "a b", top_one: Literal["e f", "g h"] = "e f") -> None: ...

    with pytest.raises(DefinitionError) as raised:
        to_alexa(Twice.chart)
    told = {problem.where: str(problem) for problem in raised.value.problems}
    assert "rename GO_1 or GO_ONE" in told["event 'GO_1'"]
    assert "two slots that are named 'top_one'" in told["event 'TAKE'"]
