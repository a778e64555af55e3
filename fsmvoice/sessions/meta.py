"""What a request's `_meta` says to this package; read here and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

SESSION_META = "dev.fsmvoice/session"
"""Which session the request is for: a handle, or with a server that hands out none, a name of the client's choice."""
REQUEST_ID_META = "dev.fsmvoice/request-id"
"""The caller's own id of the request; sent again under it, it is done once."""
EXPECTED_REVISION_META = "dev.fsmvoice/expected-revision"
"""The revision the caller has seen; at any other nothing is done."""
LOCALE_META = "dev.fsmvoice/locale"
"""The caller's language, as a BCP 47 tag."""
SCREEN_META = "dev.fsmvoice/screen"
"""True where the caller shows a screen, whatever its host has said that it can."""
CONFIRM_META = "dev.fsmvoice/confirm"
"""The token by which the caller says yes to the question of an earlier result."""

_KEYS = frozenset((SESSION_META, REQUEST_ID_META, EXPECTED_REVISION_META, LOCALE_META, CONFIRM_META))

MAX_NAME = 200
"""Characters of a session's name or a request's id."""
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a character: UTF-8 has no form for it."""


class RequestMeta(NamedTuple):
    """The keys of this package. `unreadable` names the first whose value can't be one."""

    session: object = None
    request_id: str | None = None
    expected_revision: int | None = None
    locale: str | None = None
    unreadable: str | None = None
    confirm: object = None


NO_META = RequestMeta()


def read_meta(meta: Mapping[str, Any], request_id: object = None) -> RequestMeta:
    """Read a request's `_meta`. What is null is left out.

    Args:
        request_id: the id as an argument of the call, which comes before the one in `meta`.
    """
    if request_id is None and _KEYS.isdisjoint(meta):
        return NO_META
    unreadable: str | None = None
    given = meta.get(REQUEST_ID_META) if request_id is None else request_id
    request = as_request_id(given)
    if given is not None and request is None:
        unreadable = REQUEST_ID_META
    given = meta.get(EXPECTED_REVISION_META)
    revision = _number(given)
    if given is not None and revision is None:
        unreadable = unreadable or EXPECTED_REVISION_META
    locale = meta.get(LOCALE_META)
    return RequestMeta(
        meta.get(SESSION_META),
        request,
        revision,
        locale if isinstance(locale, str) and locale else None,
        unreadable,
        meta.get(CONFIRM_META),
    )


def as_request_id(value: object) -> str | None:
    """A request's id as clients send it; None for what can't be one, or can't be written down by a store."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value) if value.bit_length() < 128 else None
    if not isinstance(value, str) or not 0 < len(value) <= MAX_NAME:
        return None
    return value if value.isascii() or _HALF.search(value) is None else None


def _number(value: object) -> int | None:
    """A revision as clients send it: 3, 3.0 or "3"."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 19:
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
