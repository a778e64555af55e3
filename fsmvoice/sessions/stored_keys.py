"""The keys that processes with a common store share: those of the store, or of the environment."""

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
    """The keys in the environment are invalid. The message doesn't reveal them."""


class StoredKeys:
    """The keys of the environment or, once they are `ready`, those of a store.

    Raises:
        BadKeys: if those of the environment are invalid.
    """

    def __init__(self, store: SessionStore) -> None:
        self._store = store
        self._keys = keys_of_environment()

    async def ready(self) -> None:
        """Load the store's keys, the first time. Raises whatever the store raises."""
        if self._keys is None:
            self._keys = SealKeys(*await self._store.keys())

    @property
    def seal_key(self) -> bytes:
        """The key for new seals."""
        return self._here().seal_key

    @property
    def opening_keys(self) -> Sequence[bytes]:
        """The keys of valid seals: the current one first, then older ones."""
        return self._here().opening_keys

    def _here(self) -> SealKeys:
        if self._keys is None:
            raise RuntimeError("the store's keys are not loaded yet; await ready() first")
        return self._keys


def keys_of_environment() -> SealKeys | None:
    """The keys in `FSMVOICE_KEYS`: Base64, separated by commas, the current one first. None if it is not set.

    Raises:
        BadKeys: if one of them is not valid Base64, too short or repeated.
    """
    text = os.environ.get(KEYS_VARIABLE, "").strip()
    if not text:
        return None
    parts = [part.strip() for part in text.split(",")]
    keys = [_key(part, number, len(parts)) for number, part in enumerate(parts, 1)]
    if len(set(keys)) < len(keys):
        raise BadKeys(f"{KEYS_VARIABLE} has a key twice; each should be different")
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
