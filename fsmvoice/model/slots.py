"""The syntax of spoken texts: slots such as `{drink}` and `{drink|your order}`, and balanced brackets."""

from __future__ import annotations

import re
from functools import lru_cache

SLOT = re.compile(r"\{([^{}]*)\}")
_FIELD = re.compile(r"[^\W\d][\w -]*")
_OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(_OPENING.values())


@lru_cache(maxsize=4096)
def slots_of(text: str) -> tuple[tuple[str, str | None, str | None], ...]:
    """`text` split into (literal text, name of the slot that follows or None, its fallback or None)."""
    pieces: list[tuple[str, str | None, str | None]] = []
    end = 0
    for match in SLOT.finditer(text):
        name, bar, fallback = match[1].partition("|")
        pieces.append((text[end : match.start()], name.strip(), fallback.strip() if bar else None))
        end = match.end()
    pieces.append((text[end:], None, None))
    return tuple(pieces)


def is_field(name: str) -> bool:
    """Whether a slot names a plain field. Fields of a config may contain spaces and hyphens."""
    return name.isidentifier() or _FIELD.fullmatch(name) is not None


def lone_brace(text: str) -> bool:
    """Whether `text` has an unmatched brace."""
    rest = SLOT.sub("", text)
    return "{" in rest or "}" in rest


def lone_bracket(template: str) -> str:
    """The first unmatched bracket of any kind in a template, or ''."""
    waiting: list[str] = []
    for char in template:
        if char in _OPENING:
            waiting.append(char)
        elif char in _CLOSING and (not waiting or _OPENING[waiting.pop()] != char):
            return char
    return waiting[0] if waiting else ""
