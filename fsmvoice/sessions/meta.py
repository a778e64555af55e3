"""Reads the keys of this package in a request's `_meta`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

SESSION_META = "dev.fsmvoice/session"
"""The session that the request is for: a handle, or a name of the client's choice if the server has no handles."""
REQUEST_ID_META = "dev.fsmvoice/request-id"
"""The caller's id of the request. A request that is repeated with the same id is handled once."""
EXPECTED_REVISION_META = "dev.fsmvoice/expected-revision"
"""The revision that the caller has seen. At any other revision nothing is done."""
LOCALE_META = "dev.fsmvoice/locale"
"""The caller's language, as a BCP 47 tag."""
SCREEN_META = "dev.fsmvoice/screen"
"""True if the caller shows a screen, whatever capabilities its host has declared."""
CONFIRM_META = "dev.fsmvoice/confirm"
"""The token that says yes to the question of an earlier result."""

_KEYS = frozenset((SESSION_META, REQUEST_ID_META, EXPECTED_REVISION_META, LOCALE_META, CONFIRM_META))

MAX_NAME = 200
"""Characters of a session's name or a request's id."""
_HALF = re.compile("[\ud800-\udfff]")
"""A lone surrogate, which UTF-8 can't encode."""


class RequestMeta(NamedTuple):
    """The values of this package's keys. `unreadable` is the first key with an invalid value."""

    session: object = None
    request_id: str | None = None
    expected_revision: int | None = None
    locale: str | None = None
    unreadable: str | None = None
    confirm: object = None


NO_META = RequestMeta()


def read_meta(meta: Mapping[str, Any], request_id: object = None) -> RequestMeta:
    """Read a request's `_meta`. Null values count as missing.

    Args:
        request_id: the id as an argument of the call, which takes precedence over the one in `meta`.
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
    """A request's id as clients send it, None if it is invalid or can't be stored."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value) if value.bit_length() < 128 else None
    if not isinstance(value, str) or not 0 < len(value) <= MAX_NAME:
        return None
    return value if value.isascii() or _HALF.search(value) is None else None


def _number(value: object) -> int | None:
    """A revision as clients send it (3, 3.0 or "3"), None if it is invalid."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 19:
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
