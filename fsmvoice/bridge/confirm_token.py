"""Confirmation tokens, by which a second call answers yes to the question of a first one."""

from __future__ import annotations

import base64
import binascii
import hmac
import secrets
import time
from collections.abc import Callable
from typing import NamedTuple

from fsmvoice.sessions.meta import as_request_id
from fsmvoice.sessions.sealing import Keys, seal

MAX_AGE = 15 * 60
"""The lifetime of a token, in seconds."""
MAX_TOKEN = 1200
"""The longest accepted token, in characters."""

_PURPOSE = "fsmvoice confirmation"


class Subject(NamedTuple):
    """What is confirmed: an event of a session with exactly these arguments."""

    session: str
    event: str
    arguments: str
    """A digest of the arguments."""


class ConfirmTokens:
    """Makes and verifies tokens.

    A token contains its request id and time. The session, event, arguments and text of the question are only signed. It
    does not depend on the state, which may change as long as the question stays the same.

    Args:
        max_age: the lifetime of a token, in seconds.
        clock: returns the time in seconds since 1970.
    """

    def __init__(self, keys: Keys, *, max_age: float = MAX_AGE, clock: Callable[[], float] = time.time) -> None:
        self._keys, self._max_age, self._clock = keys, max_age, clock

    def make(self, subject: Subject, question: str, request_id: str | None = None) -> str:
        """A token for a yes to `question`. The event is then done only once, under `request_id` or a new one."""
        name = secrets.token_urlsafe(12) if request_id is None else request_id
        return _written(self._keys.seal_key, subject, question, name, int(self._clock()))

    def opens(self, token: str, subject: Subject, question: str) -> bool:
        """Whether `token` is valid and was made for exactly this subject and question."""
        read = _read(token)
        if read is None:
            return False
        name, made = read
        given = token.encode()
        # The whole text is compared, so that there is only one spelling; all keys are tried, for constant time.
        found = [
            hmac.compare_digest(_written(key, subject, question, name, made).encode(), given)
            for key in self._keys.opening_keys
        ]
        return any(found) and self._clock() - made <= self._max_age


def request_id_of(token: str) -> str | None:
    """The request id in a token, or None if it is malformed. The token is not verified."""
    read = _read(token)
    return None if read is None else read[0]


def _written(key: bytes, subject: Subject, question: str, name: str, made: int) -> str:
    code = seal(key, _PURPOSE, *subject, question, name, str(made))
    encoded = base64.urlsafe_b64encode(name.encode()).decode().rstrip("=")
    return f"{encoded}.{made:x}.{code}"


def _read(token: str) -> tuple[str, int] | None:
    if len(token) > MAX_TOKEN or not token.isascii():
        return None
    encoded, _, rest = token.partition(".")
    made, dot, _code = rest.partition(".")
    if not dot or not made.isalnum() or len(made) > 16:
        return None
    try:
        name = as_request_id(base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode())
        return None if name is None else (name, int(made, 16))
    except (binascii.Error, ValueError):
        return None
