"""The framework's own sentences."""

from __future__ import annotations

import pytest

from fsmvoice.errors import RETRY_IS_SAFE
from fsmvoice.voice.phrases.catalogue import phrases_for
from fsmvoice.voice.phrases.en import English

EN = English()


@pytest.mark.parametrize("locale", [None, "en", "en-GB", "EN_us", "tlh"])
def test_a_locale_is_served_by_its_language_and_else_by_english(locale: str | None) -> None:
    assert phrases_for(locale).language == "en"


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (["confirm"], "You can confirm."),
        (["confirm", "cancel"], "You can confirm or cancel."),
        (["a", "b", "c"], "You can a, b or c."),
        (["a", "b", "c", "d"], "You can a, b, c, or ask for more."),
    ],
)
def test_at_most_three_options_are_said(labels: list[str], text: str) -> None:
    assert EN.can(labels) == text


@pytest.mark.parametrize("text", ["Sure?", 'Did he say "go?"', "Shall I? Say yes.", "(Really?)"])
def test_a_question_is_recognised(text: str) -> None:
    assert EN.is_question(text)


@pytest.mark.parametrize("text", ["", "Okay.", "Ask me anything", "What?ever"])
def test_a_statement_is_no_question(text: str) -> None:
    assert not EN.is_question(text)


@pytest.mark.parametrize(("text", "closed"), [("Ready", "Ready."), ("Ready!", "Ready!"), ('"Go."', '"Go."'), ("", "")])
def test_a_text_is_closed_once(text: str, closed: str) -> None:
    assert EN.closed(text) == closed


@pytest.mark.parametrize("reason", sorted(RETRY_IS_SAFE))
def test_every_failure_has_a_sentence_without_its_code(reason: str) -> None:
    text = EN.failed(reason)  # type: ignore[arg-type]  # the keys are the codes

    assert text.endswith(".")
    assert "-" not in text


def test_sentences_come_back_whole() -> None:
    assert EN.sentences('He said "go." Then? Yes… no') == ['He said "go."', "Then?", "Yes…", "no"]
