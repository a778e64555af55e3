"""A finding is silenced where it stands, with a reason; a silence that is wrong or not needed is told."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice.check import RULES, Checked, check
from fsmvoice.check.rule import rule_meant
from fsmvoice.model.parse import parse_config
from tests.check.breaking import machine

PROMPT = "states__idle__meta"


def checked(**changes: Any) -> Checked:
    return check(parse_config(machine(**changes)))


def test_a_state_silences_what_is_found_in_it() -> None:
    found = checked(**{PROMPT: {"prompt": "Say ORDER.", "checks": {"V05": "it stands on the sign"}}})
    assert found.findings == ()
    assert found.silenced[0][1] == "it stands on the sign"


def test_an_event_silences_what_is_found_of_it() -> None:
    order = "meta__events__ORDER"
    found = checked(**{f"{order}__destructive": True, f"{order}__checks": {"V13": "tea is cheap"}})
    assert found.findings == ()


def test_what_a_state_holds_is_silenced_with_it() -> None:
    inner = {
        "initial": "a",
        "states": {
            "a": {"meta": {"prompt": "Say ORDER."}, "on": {"ORDER": "#tea_shop.asked", "LEAVE": "#tea_shop.gone"}}
        },
    }
    assert {finding.rule for finding in checked(states__idle={**inner}).findings} >= {"V05"}
    quiet = {**inner, "meta": {"checks": {"V05": "it stands on the sign"}}}
    assert "V05" not in {finding.rule for finding in checked(states__idle=quiet).findings}


def test_a_silence_elsewhere_does_not_count() -> None:
    found = checked(states__idle__meta={"prompt": "Say ORDER."}, states__asked__meta__checks={"V05": "elsewhere"})
    assert {finding.rule for finding in found.findings} == {"V05", "C02"}


def test_a_silence_without_a_reason_silences_nothing_and_is_an_error() -> None:
    found = checked(**{PROMPT: {"prompt": "Say ORDER.", "checks": {"V05": ""}}})
    assert {finding.rule for finding in found.findings} == {"V05", "C01"}
    assert not found.ok


def test_a_silence_of_a_rule_that_is_not_there_says_which_was_meant() -> None:
    (finding,) = checked(states__idle__meta__checks={"V005": "a slip"}).findings
    assert finding.rule == "C01"
    assert finding.right == "did you mean 'V05'?"


def test_a_silence_on_a_transition_is_reported_where_it_belongs() -> None:
    quiet = {"prompt": "Say ORDER."}
    checks = {"V05": "it is painted on the door"}
    found = checked(**{PROMPT: quiet}, states__idle__on__ORDER={"target": "asked", "meta": {"checks": checks}})
    assert {finding.rule for finding in found.findings} == {"V05", "C01"}
    (told,) = [finding for finding in found.findings if finding.rule == "C01"]
    assert told.right.startswith("checks in the meta of the state")


@pytest.mark.parametrize("written", ["V5", "v05", "V 5", "v-005"])
def test_a_rule_is_known_however_its_number_is_written(written: str) -> None:
    assert rule_meant(written, RULES) == "did you mean 'V05'?"


def test_a_silence_of_what_only_alexa_asks_for_is_not_unused_without_it() -> None:
    config = parse_config(machine(meta__events__ORDER__checks={"V16": "one way will do"}))
    assert check(config).findings == ()
    assert [finding.rule for finding in check(config, alexa=True).findings] == ["C02"]
