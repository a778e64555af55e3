"""The grammar: pocketsphinx loads it, and it holds what can be said in a state."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from examples.coffee import Coffee
from fsmvoice import State, VoiceMachine, spoken, transition
from fsmvoice.voice.exports.jsgf import to_jsgf


class Shelf(VoiceMachine, id="my shelf"):
    a = State(initial=True)

    @spoken("add books", utterances=["add {count} book[s]", "bring matcha [now]", "(put;drop) it"])
    @transition("ADD", source=a)
    def add(self, count: Annotated[int, Field(ge=1, le=3)] = 1) -> None: ...


@pytest.fixture(scope="module")
def decoder() -> Any:
    sphinx = pytest.importorskip("pocketsphinx", reason="pocketsphinx (the extra 'speech') is not installed")
    return sphinx.Decoder(sphinx.Config(loglevel="FATAL", logfn="/dev/null", lm=None))


@pytest.mark.parametrize("events", [None, ["ORDER"], ["CONFIRM", "CANCEL"]])
def test_a_recognizer_loads_it(decoder: Any, events: list[str] | None) -> None:
    grammar = to_jsgf(Coffee.chart, events, knows=lambda word: decoder.lookup_word(word) is not None)
    decoder.add_jsgf_string("coffee", grammar)


def test_it_holds_the_events_that_are_asked_for() -> None:
    grammar = to_jsgf(Coffee.chart, ["CANCEL"])
    assert "cancel the order" in grammar
    assert "cappuccino" in grammar
    assert "<event_order>" not in grammar


def test_words_joined_from_parts_are_written_whole() -> None:
    grammar = to_jsgf(Shelf.chart)
    assert "<event_add_count> = one | two | three;" in grammar
    assert "add <event_add_count> books" in grammar
    assert "grammar my_shelf;" in grammar


def test_what_needs_an_unknown_word_is_left_out() -> None:
    grammar = to_jsgf(Shelf.chart, knows=lambda word: word != "matcha")
    assert "matcha" not in grammar
    assert "add books" in grammar


def test_parts_in_any_order_are_written_in_each() -> None:
    grammar = to_jsgf(Shelf.chart)
    assert "( put drop | drop put ) it" in grammar


def test_figures_are_written_as_they_are_said() -> None:
    class Route(VoiceMachine, id="route"):
        a = State(initial=True)

        @spoken("add 2 more", utterances=["take {road}"])
        @transition("ADD", source=a)
        def add(self, road: Literal["route 66", "B12", "7up"] = "B12") -> None: ...

    grammar = to_jsgf(Route.chart)
    assert "add two more" in grammar
    assert "route sixty six | b twelve | seven up" in grammar


def test_names_that_make_one_rule_name_have_rules_of_their_own(decoder: Any) -> None:
    class Alike(VoiceMachine, id="alike"):
        a = State(initial=True)

        @spoken("go on", utterances=["take {b_c}"])
        @transition("GO_ON", source=a)
        def first(self, b_c: Literal["tea", "milk"] = "tea") -> None: ...

        @spoken("move there", utterances=["give {c}"])
        @transition("GO_ON_B", source=a)
        def second(self, c: Literal["cup", "glass"] = "cup") -> None: ...

        @spoken("stay here", utterances=["stay {on}"])
        @transition("GO", source=a)
        def third(self, on: Literal["up", "down"] = "up") -> None: ...

    grammar = to_jsgf(Alike.chart, knows=lambda word: decoder.lookup_word(word) is not None)
    for words in ("tea | milk", "cup | glass", "up | down", "go on", "move there", "stay here"):
        assert words in grammar
    decoder.add_jsgf_string("alike", grammar)
