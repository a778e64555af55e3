"""The token by which a second call says yes to the question of a first one."""

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
"""Seconds after which a token is no yes any more: nobody remembers then what was asked."""
MAX_TOKEN = 1200
"""Characters; more than any token has."""

_PURPOSE = "fsmvoice confirmation"


class Subject(NamedTuple):
    """What is confirmed: an event of a session, with just these arguments."""

    session: str
    event: str
    arguments: str
    """A digest of them."""


class ConfirmTokens:
    """Makes and opens tokens.

    A token tells its request id and when it was made. Everything else it only vouches for: the session, the event, the
    arguments and the words of the question. It holds nothing of the state, which may go on as long as the question
    would read the same.

    Args:
        clock: seconds since 1970.
    """

    def __init__(self, keys: Keys, *, max_age: float = MAX_AGE, clock: Callable[[], float] = time.time) -> None:
        self._keys, self._max_age, self._clock = keys, max_age, clock

    def make(self, subject: Subject, question: str, request_id: str | None = None) -> str:
        """A token for a yes to `question`. With it the event is done once, under `request_id` or a new one."""
        name = secrets.token_urlsafe(12) if request_id is None else request_id
        return _written(self._keys.seal_key, subject, question, name, int(self._clock()))

    def opens(self, token: str, subject: Subject, question: str) -> bool:
        """Whether `token` was made here, not long ago, for this subject and this very question."""
        read = _read(token)
        if read is None:
            return False
        name, made = read
        given = token.encode()
        # All keys are tried, and the whole text compared: it can't be spelt in another way either.
        found = [
            hmac.compare_digest(_written(key, subject, question, name, made).encode(), given)
            for key in self._keys.opening_keys
        ]
        return any(found) and self._clock() - made <= self._max_age


def request_id_of(token: str) -> str | None:
    """The request id that a token says it has; None for a text that is not a token. Nothing is checked by that."""
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
