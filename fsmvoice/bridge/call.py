"""`Call`: a call with its session, language, and request id."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from fsmvoice.sessions.keys import SessionKey
from fsmvoice.sessions.request import Request
from fsmvoice.voice.reply import Speech

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Call(NamedTuple):
    """A call on a session.

    Attributes:
        given: the arguments, without the bridge's own.
        token: the confirmation token, if there is one.
        answered: the part of `given` that a human filled in.
    """

    key: SessionKey
    given: dict[str, Any]
    request: Request
    speech: Speech
    token: str | None = None
    answered: Mapping[str, Any] = _NOTHING
