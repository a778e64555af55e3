"""Keys that seal what a caller brings back, so that it is known to come from here and to be as it was."""

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
"""Bytes of the code that are kept: 128 bits, which nobody guesses, and a model can copy."""


class Keys(Protocol):
    """Where keys come from. Processes that share their sessions share these too; a store may hand them out."""

    @property
    def seal_key(self) -> bytes:
        """The key for what is sealed now."""
        ...

    @property
    def opening_keys(self) -> Sequence[bytes]:
        """The keys by which something may have been sealed that is still brought back: that one, and older ones."""
        ...


class SealKeys:
    """Keys that are given, the present one first; without any, one that ends with the process.

    Raises:
        TypeError: for a key that is not bytes.
        ValueError: for one that is too short to be secret.
    """

    seal_key: bytes
    opening_keys: Sequence[bytes]

    def __init__(self, *keys: bytes) -> None:
        for key in keys:
            if not isinstance(key, bytes | bytearray):  # pyright: ignore[reportUnnecessaryIsInstance] - users pass texts
                raise TypeError(f"a key is bytes, not {type(key).__name__}; text.encode() makes bytes of a text")
            if len(key) < MIN_KEY:
                hint = "secrets.token_bytes(32) makes one"
                raise ValueError(f"a key needs {MIN_KEY} bytes or more, this one has {len(key)}; {hint}")
        self.opening_keys = tuple(map(bytes, keys)) or (secrets.token_bytes(32),)
        self.seal_key = self.opening_keys[0]

    def __repr__(self) -> str:
        return f"<SealKeys: {len(self.opening_keys)}>"


def seal(key: bytes, purpose: str, *parts: str) -> str:
    """A code over `parts` that only who has `key` can make: HMAC-SHA256, cut to 128 bits, safe in a URL.

    Args:
        purpose: what it is for, so that a code for one thing is none for another.
    """
    # With their lengths, so that no two lists of parts make one text.
    text = "".join(f"{len(part)}:{part}" for part in (purpose, *parts))
    code = hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(code[:SEAL_BYTES]).decode().rstrip("=")
