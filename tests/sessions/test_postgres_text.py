"""Any text at all can be stored, and comes back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fsmvoice.sessions.postgres_text import escaped, unescaped


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_comes_back_and_holds_nothing_that_can_not_be_stored(text: str) -> None:
    stored = escaped(text)
    stored.encode()
    assert "\0" not in stored
    assert unescaped(stored) == text


def test_most_texts_are_stored_as_they_are() -> None:
    assert escaped("Ein großer Latte, 😀") == "Ein großer Latte, 😀"
    assert escaped("a\0b\\u0000\ud800") == r"a\u0000b\u005cu0000\ud800"
