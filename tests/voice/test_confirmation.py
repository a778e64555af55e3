"""The question before an event that is confirmed."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice.voice.confirmation import confirm_question
from tests.voice.machines import talk


def question(text: str, payload: dict[str, Any] | None = None, **context: Any) -> str | None:
    meta = {"events": {"CANCEL": {"confirm": text, "label": "cancel the order"}}}
    snapshot = talk({"a": {"on": {"CANCEL": "a", "STAY": "a"}}}, meta=meta, context=context).snapshot
    assert confirm_question(snapshot, "STAY", {}) is None
    return confirm_question(snapshot, "CANCEL", payload or {})


def test_an_event_without_a_confirmation_has_no_question() -> None:
    snapshot = talk({"a": {"on": {"GO": "a"}}}).snapshot

    assert confirm_question(snapshot, "GO", {}) is None
    assert confirm_question(snapshot, "NEVER_HEARD_OF", {}) is None


def test_its_slots_see_the_payload_and_then_the_context() -> None:
    assert question("Cancel your {drink}?", drink="latte") == "Cancel your latte?"
    assert question("Cancel your {drink}?", {"drink": "tea"}, drink="latte") == "Cancel your tea?"
    assert question("Cancel your {drink|order}?", drink=None) == "Cancel your order?"


@pytest.mark.parametrize("text", ["{drink}", " {drink} "])
def test_an_event_is_asked_about_even_where_its_slots_leave_nothing(text: str) -> None:
    assert question(text, drink=None) == "Cancel the order, yes or no?"


def test_what_a_value_brings_along_is_not_said() -> None:
    hostile = "<b>latte</b> {drink} `rm -rf` \u202eetsil\u0007 " + "x" * 10_000
    said = question("Cancel your {drink}?", drink=hostile)

    assert said is not None
    assert len(said) < 230
    assert not set("<>{}`*\u202e\u0007") & set(said)
