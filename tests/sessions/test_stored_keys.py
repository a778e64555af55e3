"""The keys that processes share."""

from __future__ import annotations

import base64

import pytest

from fsmvoice.sessions.memory import MemoryStore
from fsmvoice.sessions.stored_keys import KEYS_VARIABLE, BadKeys, StoredKeys


def coded(*keys: bytes) -> str:
    return ", ".join(base64.b64encode(key).decode() for key in keys)


async def test_who_shares_a_store_shares_its_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEYS_VARIABLE, raising=False)
    store = MemoryStore()
    first, second = StoredKeys(store), StoredKeys(store)
    with pytest.raises(RuntimeError, match="await ready"):
        _ = first.seal_key
    await first.ready()
    await second.ready()
    assert first.seal_key == second.seal_key
    assert len(first.seal_key) == 32
    assert list(first.opening_keys) == [first.seal_key]


async def test_the_environments_keys_come_before_the_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    new, old = b"n" * 32, b"o" * 32
    monkeypatch.setenv(KEYS_VARIABLE, coded(new, old))
    keys = StoredKeys(MemoryStore())
    assert keys.seal_key == new
    assert list(keys.opening_keys) == [new, old]
    await keys.ready()
    assert keys.seal_key == new


def test_base64_for_urls_and_without_padding_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEYS_VARIABLE, base64.urlsafe_b64encode(b"\xff" * 32).decode().rstrip("="))
    assert StoredKeys(MemoryStore()).seal_key == b"\xff" * 32


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("not base64!", "FSMVOICE_KEYS is not valid Base64"),
        (coded(b"n" * 32) + ",", "key 2 of FSMVOICE_KEYS has 0 bytes"),
        (coded(b"short"), "FSMVOICE_KEYS has 5 bytes, which is too short to be secret"),
        (coded(b"n" * 32, b"n" * 32), "FSMVOICE_KEYS has a key twice"),
    ],
)
def test_keys_that_can_not_be_are_reported_at_the_start(monkeypatch: pytest.MonkeyPatch, text: str, told: str) -> None:
    monkeypatch.setenv(KEYS_VARIABLE, text)
    with pytest.raises(BadKeys, match=told) as caught:
        StoredKeys(MemoryStore())
    assert text not in str(caught.value)
