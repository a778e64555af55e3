"""The syntax of spoken texts: slots such as `{drink}` and `{drink|your order}`, and brackets that come in pairs."""

from __future__ import annotations

import re
from functools import lru_cache

SLOT = re.compile(r"\{([^{}]*)\}")
_FIELD = re.compile(r"[^\W\d][\w -]*")
_OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(_OPENING.values())


@lru_cache(maxsize=4096)
def slots_of(text: str) -> tuple[tuple[str, str | None, str | None], ...]:
    """`text` in pieces: (words, the name of the slot that follows or None, its fall-back or None)."""
    pieces: list[tuple[str, str | None, str | None]] = []
    end = 0
    for match in SLOT.finditer(text):
        name, bar, fallback = match[1].partition("|")
        pieces.append((text[end : match.start()], name.strip(), fallback.strip() if bar else None))
        end = match.end()
    pieces.append((text[end:], None, None))
    return tuple(pieces)


def is_field(name: str) -> bool:
    """Whether a slot names a plain field. A field of a config may have blanks and hyphens in its name."""
    return name.isidentifier() or _FIELD.fullmatch(name) is not None


def lone_brace(text: str) -> bool:
    """Whether a brace in `text` has no other half."""
    rest = SLOT.sub("", text)
    return "{" in rest or "}" in rest


def lone_bracket(template: str) -> str:
    """The first bracket of a template, of any kind, that has no other half; '' if all have."""
    waiting: list[str] = []
    for char in template:
        if char in _OPENING:
            waiting.append(char)
        elif char in _CLOSING and (not waiting or _OPENING[waiting.pop()] != char):
            return char
    return waiting[0] if waiting else ""
