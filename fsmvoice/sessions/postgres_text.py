"""Texts as PostgreSQL takes them: it has neither the character NUL nor halves of characters."""

from __future__ import annotations

import re

_ODD = re.compile("[\x00\\\\\ud800-\udfff]")
_ESCAPED = re.compile(r"\\u([0-9a-f]{4})")


def escaped(text: str) -> str:
    """`text`, with what can't be stored as `\\uXXXX`, and a backslash too, so that it can be told from one."""
    return _ODD.sub(lambda odd: f"\\u{ord(odd.group()):04x}", text) if _ODD.search(text) else text


def unescaped(text: str) -> str:
    """What `escaped` was given."""
    return _ESCAPED.sub(lambda code: chr(int(code.group(1), 16)), text) if "\\" in text else text
