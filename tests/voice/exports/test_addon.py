"""The draft of an add-on: within Amazon's limits, and every example leads to its event."""

from __future__ import annotations

from typing import Any

import pytest

from examples.coffee import Coffee
from fsmvoice import DefinitionError, State, VoiceMachine, transition
from fsmvoice.voice.exports.addon import addon_problems, to_addon
from fsmvoice.voice.heard import Match


def test_the_draft_of_the_example() -> None:
    draft = to_addon(Coffee.chart, "Order a coffee by voice.\n\nOne for everybody.")
    assert draft["manifestVersion"] == "1.0"
    ((tag, found),) = draft["storeListing"]["locales"].items()
    assert tag == "en-US"
    assert found["default"] == "DEFAULT"
    assert found["name"] == {"value": "Coffee"}
    assert found["shortDescription"] == "Order a coffee by voice."
    assert found["fullDescription"] == "Order a coffee by voice. One for everybody."
    assert found["examplePhrases"][:3] == ["can i get a small latte", "place the order", "cancel the order"]


def test_each_example_phrase_is_heard() -> None:
    for phrase in to_addon(Coffee.chart)["storeListing"]["locales"]["en-US"]["examplePhrases"]:
        states = ("idle", "ordering", "brewing")
        assert any(isinstance(Coffee.at(state, drink="latte").hear(phrase), Match) for state in states)


GOOD: dict[str, Any] = {
    "name": {"value": "Coffee"},
    "shortDescription": "Coffee.",
    "fullDescription": "Coffee, by voice.",
    "examplePhrases": ["a b", "c d", "e f"],
}


def manifest(**changes: Any) -> dict[str, Any]:
    return {"storeListing": {"locales": {"en-US": {**GOOD, **changes}}}}


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("name", {"value": "x" * 31}, "it may have 30"),
        ("name", {"value": ""}, "0 characters"),
        ("shortDescription", "x" * 124, "it may have 123"),
        ("fullDescription", "x" * 4001, "it may have 4,000"),
        ("examplePhrases", ["a b"], "is 1 example phrase; Amazon wants 3 to 4"),
        ("examplePhrases", ["a b", "c d"], "are 2 example phrases; Amazon wants 3 to 4"),
        ("examplePhrases", ["a b"] * 5, "wants 3 to 4"),
        ("examplePhrases", ["x" * 201, "a b", "c d"], "it may have 200"),
    ],
)
def test_each_limit_is_seen_where_it_is_passed(key: str, value: Any, told: str) -> None:
    assert addon_problems(manifest()) == []
    (problem,) = addon_problems(manifest(**{key: value}))
    assert told in str(problem)
    assert problem.where.startswith(f"$.storeListing.locales['en-US'].{key}")


def test_a_machine_with_too_little_to_say_is_refused() -> None:
    class One(VoiceMachine):
        a = State(initial=True)

        @transition("GO", source=a)
        def go(self) -> None: ...

    with pytest.raises(DefinitionError, match="is 1 example phrase;"):
        to_addon(One.chart)
