"""One call, as far as it is addressed: whose session, in which words, and how often."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from fsmvoice.sessions.keys import SessionKey
from fsmvoice.sessions.request import Request
from fsmvoice.voice.reply import Speech

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Call(NamedTuple):
    """Whose session is meant, the arguments without those of the bridge itself, and how often it may be done.

    `token` is the yes that the caller brings, `answered` what of `given` a human filled in.
    """

    key: SessionKey
    given: dict[str, Any]
    request: Request
    speech: Speech
    token: str | None = None
    answered: Mapping[str, Any] = _NOTHING
