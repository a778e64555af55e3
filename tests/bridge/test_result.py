"""The data of a result is JSON that every reader takes."""

from __future__ import annotations

import json
import math

import pytest
from pydantic_core import to_json

from fsmvoice.bridge.result import json_text, state_json
from fsmvoice.machine.actor import create_fsm_actor


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_that_json_does_not_have_is_null(value: float) -> None:
    assert json.loads(json_text({"n": value})) == {"n": None}


def test_half_a_character_is_escaped() -> None:
    assert json.loads(json_text({"text": "\ud800"})) == {"text": "\ud800"}
    json_text({"text": "\ud800"}).encode()


def test_other_letters_stay_as_they_are() -> None:
    assert json_text({"text": "café 阿"}) == '{"text":"café 阿"}'


def test_half_a_character_in_a_context_does_not_keep_a_reply_from_being_written() -> None:
    config = {"initial": "a", "states": {"a": {"entry": "name"}}}
    actor = create_fsm_actor(config, actions={"name": lambda: {"name": "b\ud800"}})
    state = state_json(actor.snapshot)
    assert state["context"] == {"name": "b?"}
    to_json(state)
