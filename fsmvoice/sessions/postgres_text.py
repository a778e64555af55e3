"""Escapes what PostgreSQL can't store in a text: NUL characters and lone surrogates."""

from __future__ import annotations

import re

_ODD = re.compile("[\x00\\\\\ud800-\udfff]")
_ESCAPED = re.compile(r"\\u([0-9a-f]{4})")


def escaped(text: str) -> str:
    """`text` with `\\uXXXX` for what can't be stored, and for backslashes, so that it can be reversed."""
    return _ODD.sub(lambda odd: f"\\u{ord(odd.group()):04x}", text) if _ODD.search(text) else text


def unescaped(text: str) -> str:
    """The text that `escaped` was given."""
    return _ESCAPED.sub(lambda code: chr(int(code.group(1), 16)), text) if "\\" in text else text
