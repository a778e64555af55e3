"""The draft of an add-on: within Amazon's limits, and every example leads to its event."""

from __future__ import annotations

from typing import Any

import pytest

from examples.coffee import Coffee
from fsmvoice import DefinitionError, State, VoiceMachine, transition
from fsmvoice.voice.exports.addon import addon_problems, to_addon
from fsmvoice.voice.heard import Match


def test_the_draft_of_the_example() -> None:
    draft = to_addon(Coffee.chart, "Order a coffee by voice.")
    assert draft["name"] == "Coffee"
    assert draft["shortDescription"] == "Order a coffee by voice."
    assert draft["examplePhrases"][:3] == ["can i get a small latte", "place the order", "cancel the order"]
    assert draft["locale"] == "en-US"


def test_each_example_phrase_is_heard() -> None:
    for phrase in to_addon(Coffee.chart)["examplePhrases"]:
        states = ("idle", "ordering", "brewing")
        assert any(isinstance(Coffee.at(state, drink="latte").hear(phrase), Match) for state in states)


GOOD: dict[str, Any] = {"name": "Coffee", "shortDescription": "Coffee.", "examplePhrases": ["a b", "c d", "e f"]}


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("name", "x" * 31, "it may have 30"),
        ("name", "", "0 characters"),
        ("shortDescription", "x" * 124, "it may have 123"),
        ("examplePhrases", ["a b", "c d"], "wants 3 to 4"),
        ("examplePhrases", ["a b"] * 5, "wants 3 to 4"),
        ("examplePhrases", ["x" * 201, "a b", "c d"], "it may have 200"),
    ],
)
def test_each_limit_is_seen_where_it_is_passed(key: str, value: Any, told: str) -> None:
    assert addon_problems(GOOD) == []
    (problem,) = addon_problems({**GOOD, key: value})
    assert told in str(problem)


def test_a_machine_with_too_little_to_say_is_refused() -> None:
    class One(VoiceMachine):
        a = State(initial=True)

        @transition("GO", source=a)
        def go(self) -> None: ...

    with pytest.raises(DefinitionError, match="example phrases"):
        to_addon(One.chart)
