"""Each rule finds what it is for, and nothing else in a machine that has nothing else wrong with it."""

from pathlib import Path

import pytest

from fsmvoice import FsmConfig
from fsmvoice.check import RULES, check
from tests.check.breaking import PAIRS, Pair, machine
from tests.check.test_classes import BROKEN

_NAMES = [f"{pair.rule}-{number}" for number, pair in enumerate(PAIRS)]


def rules_found(config: dict[str, object]) -> set[str]:
    return {finding.rule for finding in check(FsmConfig.model_validate(config), alexa=True).findings}


def test_the_machine_that_all_are_made_of_is_clean() -> None:
    assert check(FsmConfig.model_validate(machine()), alexa=True).findings == ()


@pytest.mark.parametrize("pair", PAIRS, ids=_NAMES)
def test_a_machine_that_breaks_one_rule_is_told_of_that_one(pair: Pair) -> None:
    assert rules_found(pair.breaks) == {pair.rule}


@pytest.mark.parametrize("pair", PAIRS, ids=_NAMES)
def test_a_machine_that_keeps_it_is_not(pair: Pair) -> None:
    assert rules_found(pair.keeps) == set()


def test_every_rule_has_its_pair() -> None:
    assert set(RULES) == {pair.rule for pair in PAIRS} | BROKEN


@pytest.mark.parametrize("name", RULES)
def test_every_rule_says_what_it_finds_where_it_comes_from_and_what_is_right(name: str) -> None:
    rule = RULES[name]
    assert rule.id == name
    assert rule.title.endswith(".")
    assert rule.source
    assert rule.right


@pytest.mark.parametrize("name", RULES)
def test_the_page_on_checks_says_the_same_of_every_rule(name: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "check.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| **{name}** {RULES[name].severity} |"))
    assert RULES[name].right.replace("|", "\\|") in row
    assert RULES[name].source in row


@pytest.mark.parametrize("name", [name for name, rule in RULES.items() if rule.alexa])
def test_what_alexa_asks_for_is_told_only_when_asked(name: str) -> None:
    assert "https://developer.amazon.com/docs/" in RULES[name].source
    for pair in PAIRS:
        if pair.rule == name:
            assert check(FsmConfig.model_validate(pair.breaks)).findings == ()
