"""Every way found so far to break a rule is told, and what only looks like one is not."""

from __future__ import annotations

import pytest

from fsmvoice.check import Checked, check
from fsmvoice.check.verbs import is_no_verb_phrase
from fsmvoice.model.parse import parse_config
from tests.check.breaking import machine
from tests.check.slips import FINE, FINE_TEXTS, PROMPT, WRONG, WRONG_TEXTS, Changes, saying


def checked(**changes: object) -> Checked:
    return check(parse_config(machine(**changes)), alexa=True)


def rules(**changes: object) -> set[str]:
    return {finding.rule for finding in checked(**changes).findings}


@pytest.mark.parametrize("rule", WRONG_TEXTS)
def test_prompts_that_break_a_rule_are_reported(rule: str) -> None:
    texts = WRONG_TEXTS[rule]
    found = check(parse_config(saying(texts))).findings
    told = {finding.name for finding in found if finding.rule == rule}
    assert [text for number, text in enumerate(texts) if str(number) not in told] == []


def test_prompts_that_can_be_said_are_not_blamed() -> None:
    found = check(parse_config(saying(FINE_TEXTS))).findings
    assert [(FINE_TEXTS[int(finding.name)], finding.rule) for finding in found] == []


@pytest.mark.parametrize(("rule", "changes"), WRONG, ids=[f"{rule}-{n}" for n, (rule, _) in enumerate(WRONG)])
def test_a_slip_is_reported(rule: str, changes: Changes) -> None:
    assert rule in rules(**changes)


@pytest.mark.parametrize("changes", FINE.values(), ids=FINE)
def test_a_machine_that_is_fine_is_clean(changes: Changes) -> None:
    assert rules(**changes) == set()


def test_a_doubtful_word_is_a_warning_and_a_sure_one_an_error() -> None:
    for text, severity in (("Click it.", "error"), ("Press the green button.", "warning")):
        assert [finding.severity for finding in checked(**{PROMPT: text}).findings] == [severity]


@pytest.mark.parametrize(
    ("language", "wrong", "fine"),
    [
        ("de", "Tippen Sie auf den Tee.", "Wir sehen Sie um acht. Ich tippe auf Regen."),
        ("fr", "Cliquez ici.", "On se voit demain. L'écran total est épuisé."),
        ("es", "Pulsa aquí.", "Te toca a ti. La pantalla es nueva."),
        ("ja", "画面を見てください。", "タップダンスは好きですか。"),
    ],
)
def test_words_for_a_screen_are_known_in_every_language(language: str, wrong: str, fine: str) -> None:
    assert "V22" in rules(meta__locale=language, **{PROMPT: wrong})
    assert "V22" not in rules(meta__locale=language, **{PROMPT: fine})


def test_a_finding_of_many_regions_names_a_few() -> None:
    regions: Changes = {}
    for n in range(9):
        state = {"meta": {"prompt": "Hi."}, "on": {f"GO_{n}": "a"}}
        regions[f"r{n}"] = {"initial": "a", "states": {"a": state}}
    found = check(parse_config({"id": "m", "type": "parallel", "states": regions})).findings
    (name,) = [finding.name for finding in found if finding.rule == "V03"]
    assert name == "r0.a and r1.a and r2.a and 6 more"


@pytest.mark.parametrize(
    "label",
    [
        "increment", "decrement it", "transition", "feed me", "bring it", "text me", "message bob", "list items",
        "get started", "mark it completed", "show closed", "time it", "apply", "fly away", "spring clean", "need help",
        "back up", "power off", "date it", "single them out", "sequence it", "commission one",
    ],
)  # fmt: skip
def test_a_verb_phrase_is_known_as_one(label: str) -> None:
    assert not is_no_verb_phrase(label)


@pytest.mark.parametrize(
    "label",
    [
        "ready", "payment", "order placed", "submission", "is ready", "has paid", "can pay", "will pay", "green",
        "left", "faster", "quickly", "okay", "hello", "please wait", "i want tea", "timeout", "new order", "e1", "paid",
        "today", "menu", "user input", "error", "login failed",
    ],
)  # fmt: skip
def test_what_is_not_a_verb_phrase_is_reported(label: str) -> None:
    assert is_no_verb_phrase(label)
