"""Values put into words. What comes from a user or a context is data: it never brings markup into a spoken text."""

from __future__ import annotations

import datetime as dt
import enum
import math
import re
import unicodedata
from collections.abc import Collection
from decimal import Decimal
from typing import Any, cast

from fsmvoice.voice.phrases.phrases import Phrases

MAX_VALUE = 200
"""Characters of one value that are spoken."""
MAX_DEPTH = 2
"""Lists in one another that are spoken."""

_MARKUP = re.compile(r"[<>*`{}\[\]|\\~^]+")
_PLAIN = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")


def clean(text: str, limit: int = MAX_VALUE) -> str:
    """`text` without markup, control and bidirectional characters, on one line, not longer than `limit`."""
    if len(text) <= limit and ((text.isascii() and text.isalnum()) or _PLAIN.fullmatch(text)):
        return text
    kept = "".join(
        " " if char.isspace() or char == "_" else char
        for char in _MARKUP.sub(" ", text[: limit * 4])
        if char.isspace() or unicodedata.category(char)[0] != "C"
    )
    line = " ".join(kept.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def spoken(value: Any, phrases: Phrases, *, within: int = 0) -> str | None:
    """`value` as it is said, or None for what can't be said: None, an empty text, a structure.

    Args:
        within: in how many lists it stands; nobody can follow a list in a list in a list.
    """
    if value.__class__ is str and value.islower():
        return clean(value) or None
    if isinstance(value, enum.Enum):
        return spoken(value.value, phrases) if isinstance(value.value, str) else clean(value.name.lower())
    if isinstance(value, str):
        return clean(value.lower() if "_" in value and value.isupper() else value) or None
    if isinstance(value, bool):
        return phrases.yes if value else phrases.no
    if isinstance(value, int | float | Decimal):
        return _number(value)
    if isinstance(value, dt.datetime):
        return f"{phrases.date(value)}, {phrases.time(value.time())}"
    if isinstance(value, dt.date):
        return phrases.date(value)
    if isinstance(value, dt.time):
        return phrases.time(value)
    if isinstance(value, list | tuple | set | frozenset):
        return _list(list(cast("Collection[Any]", value)), phrases, within + 1) if within < MAX_DEPTH else None
    return None


def _number(value: float | Decimal) -> str | None:
    if isinstance(value, int):
        return str(value) if value.bit_length() < 128 else None
    if not math.isfinite(value):
        return None
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return str(int(value)) if whole else str(value)


def _list(values: list[Any], phrases: Phrases, within: int) -> str | None:
    said = [word for word in (spoken(item, phrases, within=within) for item in values[:50]) if word]
    return clean(phrases.both(said)) if said else None


def words(name: str) -> str:
    """A name from code as it is said: `extra_shot`, `extra-shot` and `extraShot` are "extra shot"."""
    split = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    return clean(re.sub(r"[-_.]+", " ", split), 60).lower()
