"""The token of a confirmation: it opens for what it was made for, and for nothing else."""

from __future__ import annotations

import base64
import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fsmvoice.bridge.confirm_token import MAX_AGE, MAX_TOKEN, ConfirmTokens, Subject, request_id_of
from fsmvoice.sessions.sealing import SealKeys

KEYS = SealKeys(b"k" * 32)
SUBJECT = Subject("session", "CANCEL", "digest")
QUESTION = "Cancel your latte?"

texts = st.text(max_size=40)
names = st.none() | st.text(min_size=1, max_size=200)


@given(st.builds(Subject, texts, texts, texts), texts, names)
def test_a_token_opens_for_what_it_was_made_for(subject: Subject, question: str, name: str | None) -> None:
    tokens = ConfirmTokens(KEYS)
    token = tokens.make(subject, question, name)

    assert tokens.opens(token, subject, question)
    assert len(token) <= MAX_TOKEN
    assert set(token) <= set(string.ascii_letters + string.digits + "-_.")
    assert name is None or request_id_of(token) == name


@given(st.builds(Subject, texts, texts, texts), texts, st.data())
def test_and_for_nothing_else(subject: Subject, question: str, data: st.DataObject) -> None:
    tokens = ConfirmTokens(KEYS)
    token = tokens.make(subject, question)
    other = data.draw(st.builds(Subject, texts, texts, texts))
    assume(other != subject)
    elsewhere = data.draw(texts)
    assume(elsewhere != question)

    assert not tokens.opens(token, other, question)
    assert not tokens.opens(token, subject, elsewhere)
    assert not ConfirmTokens(SealKeys()).opens(token, subject, question)


@given(st.data())
def test_a_token_with_anything_changed_opens_nothing(data: st.DataObject) -> None:
    tokens = ConfirmTokens(KEYS)
    token = tokens.make(SUBJECT, QUESTION, data.draw(names))
    place = data.draw(st.integers(0, len(token)))
    end = data.draw(st.integers(place, len(token)))
    forged = token[:place] + data.draw(st.text(max_size=5)) + token[end:]
    assume(forged != token)

    assert not tokens.opens(forged, SUBJECT, QUESTION)


@given(st.text(max_size=60) | st.text("abc.=-_0123", max_size=60))
def test_no_text_is_too_odd_to_be_refused(text: str) -> None:
    request_id_of(text)
    assert not ConfirmTokens(KEYS).opens(text, SUBJECT, QUESTION)


@pytest.mark.parametrize("name", ["", "\ud800", "x" * 201])
def test_a_forged_token_names_no_request_that_a_client_could_not(name: str) -> None:
    encoded = base64.urlsafe_b64encode(name.encode("utf-8", "surrogatepass")).decode().rstrip("=")

    assert request_id_of(f"{encoded}.1.AAAA") is None


def test_the_parts_are_told_apart() -> None:
    tokens = ConfirmTokens(KEYS)
    token = tokens.make(Subject("ab", "c", "d"), QUESTION, "n")

    assert not tokens.opens(token, Subject("a", "bc", "d"), QUESTION)
    assert not tokens.opens(token, Subject("ab", "c", "d" + QUESTION[0]), QUESTION[1:])


def test_a_yes_after_a_quarter_of_an_hour_is_too_late() -> None:
    now = 1e9
    tokens = ConfirmTokens(KEYS, clock=lambda: now)
    token = tokens.make(SUBJECT, QUESTION)

    now += MAX_AGE
    assert tokens.opens(token, SUBJECT, QUESTION)
    now += 1
    assert not tokens.opens(token, SUBJECT, QUESTION)


def test_a_key_that_was_replaced_still_opens() -> None:
    old = ConfirmTokens(SealKeys(b"o" * 16)).make(SUBJECT, QUESTION)

    assert ConfirmTokens(SealKeys(b"n" * 16, b"o" * 16)).opens(old, SUBJECT, QUESTION)
    assert not ConfirmTokens(SealKeys(b"n" * 16)).opens(old, SUBJECT, QUESTION)
