"""Store URLs, as they may be shown."""

from __future__ import annotations


def without_password(url: str) -> str:
    """The URL without its password and its query, which may contain one too."""
    scheme, mark, rest = url.partition("://")
    user, at, where = rest.rpartition("@")
    return f"{scheme}{mark}{user.partition(':')[0]}{at}{where.partition('?')[0]}"
