"""Seals what clients send back, so that it is known to be from here and unchanged."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Protocol

MIN_KEY = 16
"""Bytes of a key, at least."""
SEAL_BYTES = 16
"""Bytes of a seal: 128 bits, which are unguessable and short enough for a language model to copy."""


class Keys(Protocol):
    """A source of keys. Processes that share sessions share their keys too, for instance through the store."""

    @property
    def seal_key(self) -> bytes:
        """The key for new seals."""
        ...

    @property
    def opening_keys(self) -> Sequence[bytes]:
        """The keys of valid seals: the current one first, then older ones."""
        ...


class SealKeys:
    """Given keys, the current one first. Without any, a random one that ends with the process.

    Raises:
        TypeError: if a key is not bytes.
        ValueError: if a key is too short to be secret.
    """

    seal_key: bytes
    opening_keys: Sequence[bytes]

    def __init__(self, *keys: bytes) -> None:
        for key in keys:
            if not isinstance(key, bytes | bytearray):  # pyright: ignore[reportUnnecessaryIsInstance] - users pass texts
                raise TypeError(f"a key is {type(key).__name__}; it should be bytes, such as secrets.token_bytes(32)")
            if len(key) < MIN_KEY:
                hint = "such as secrets.token_bytes(32)"
                raise ValueError(f"a key has {len(key)} bytes; it should have at least {MIN_KEY}, {hint}")
        self.opening_keys = tuple(map(bytes, keys)) or (secrets.token_bytes(32),)
        self.seal_key = self.opening_keys[0]

    def __repr__(self) -> str:
        return f"<SealKeys: {len(self.opening_keys)}>"


def seal(key: bytes, purpose: str, *parts: str) -> str:
    """A seal of `parts` that can't be made without `key`: HMAC-SHA256, cut to 128 bits, URL-safe.

    Args:
        purpose: what it is for, so that a seal for one purpose is invalid for another.
    """
    # With their lengths, so that different lists of parts never make the same text.
    text = "".join(f"{len(part)}:{part}" for part in (purpose, *parts))
    code = hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(code[:SEAL_BYTES]).decode().rstrip("=")
