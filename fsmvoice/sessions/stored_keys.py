"""Keys that all processes share which share their sessions: the store's, or those of the environment."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Sequence
from typing import Final

from fsmvoice.errors import FsmVoiceError
from fsmvoice.sessions.sealing import MIN_KEY, SealKeys
from fsmvoice.sessions.store import SessionStore

KEYS_VARIABLE: Final = "FSMVOICE_KEYS"
_HINT: Final = 'python -c "import base64, secrets; print(base64.b64encode(secrets.token_bytes(32)).decode())" makes one'


class BadKeys(FsmVoiceError, ValueError):
    """The environment names keys that can't be. The message holds nothing of them."""


class StoredKeys:
    """The keys that a store hands out, once they are `ready`; those of the environment are there at once.

    Raises:
        BadKeys: the environment's can't be.
    """

    def __init__(self, store: SessionStore) -> None:
        self._store = store
        self._keys = keys_of_environment()

    async def ready(self) -> None:
        """Ask the store, the first time. Raises whatever the store raises."""
        if self._keys is None:
            self._keys = SealKeys(*await self._store.keys())

    @property
    def seal_key(self) -> bytes:
        """The key for what is sealed now."""
        return self._here().seal_key

    @property
    def opening_keys(self) -> Sequence[bytes]:
        """That one, and older ones."""
        return self._here().opening_keys

    def _here(self) -> SealKeys:
        if self._keys is None:
            raise RuntimeError("the store was not asked for its keys yet; await ready() first")
        return self._keys


def keys_of_environment() -> SealKeys | None:
    """What `FSMVOICE_KEYS` says: keys in Base64, separated by commas. The first seals, all open. None without it.

    Raises:
        BadKeys: one of them is not valid Base64, or too short.
    """
    text = os.environ.get(KEYS_VARIABLE, "").strip()
    if not text:
        return None
    parts = [part.strip() for part in text.split(",")]
    keys = [_key(part, number, len(parts)) for number, part in enumerate(parts, 1)]
    if len(set(keys)) < len(keys):
        raise BadKeys(f"{KEYS_VARIABLE} has a key twice; each should be another one")
    return SealKeys(*keys)


def _key(part: str, number: int, count: int) -> bytes:
    which = KEYS_VARIABLE if count == 1 else f"key {number} of {KEYS_VARIABLE}"
    try:
        key = base64.b64decode(part.replace("-", "+").replace("_", "/") + "=" * (-len(part) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise BadKeys(f"{which} is not valid Base64; {_HINT}") from None
    if len(key) < MIN_KEY:
        raise BadKeys(f"{which} has {len(key)} bytes, which is too short to be secret; {_HINT}")
    return key
