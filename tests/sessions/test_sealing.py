"""Keys, and what is sealed with them."""

from __future__ import annotations

from typing import Any

import pytest

from fsmvoice.sessions.sealing import SealKeys, seal


def test_keys_are_the_given_ones_or_the_processes_own() -> None:
    given = SealKeys(b"a" * 16, b"b" * 16)

    assert (given.seal_key, given.opening_keys) == (b"a" * 16, (b"a" * 16, b"b" * 16))
    assert SealKeys().seal_key != SealKeys().seal_key


def test_a_key_never_shows() -> None:
    assert "aaaa" not in repr(SealKeys(b"a" * 16))


@pytest.mark.parametrize(("key", "error"), [("text", TypeError), (None, TypeError), (b"short", ValueError)])
def test_a_key_that_is_none_is_refused(key: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="key"):
        SealKeys(key)


def test_a_seal_is_of_its_key_its_purpose_and_its_parts() -> None:
    made = {
        seal(key, purpose, *parts)
        for key in (b"a" * 16, b"b" * 16)
        for purpose in ("x", "y")
        for parts in ((), ("",), ("ab",), ("a", "b"), ("a", "b", ""), ("\ud800",))
    }

    assert len(made) == 24
    assert seal(b"a" * 16, "x", "ab") in made
