"""Spoken forms of values. Values from users and contexts are cleaned, so they can't bring markup into a text."""

from __future__ import annotations

import datetime as dt
import enum
import re
import unicodedata
from collections.abc import Collection
from decimal import Decimal
from typing import Any, cast

from fsmvoice.model.money import Amount
from fsmvoice.voice import formats
from fsmvoice.voice.phrases.phrases import Phrases

MAX_VALUE = 200
"""The longest spoken value, in characters."""
MAX_DEPTH = 2
"""The deepest nesting of lists that is spoken."""

_PLAIN = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")
_TAG = re.compile(r"</?[A-Za-z!?][^<>]*>")
_ENTITY = re.compile(r"&#?\w{1,31};")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^\s/?#@]*@)?([^\s/?#:@]*)[^\s]*")
_WWW = re.compile(r"\bwww\.", re.IGNORECASE)
_MARKUP = frozenset("<>*`{}[]|\\~^_")
_ASKING = frozenset("?¿؟")
_UNSPOKEN = _MARKUP | _ASKING
_BULLET = re.compile(r"^(?:[#>+=•-]+ +)+|^[#>+=•-]+$")
_SIGNS = frozenset("°©®™№")
"""Symbols that speech synthesis reads out."""


def clean(text: str, limit: int = MAX_VALUE) -> str:
    """`text` cleaned for speech: on one line, and at most `limit` characters.

    Markup, emoji, control and bidirectional characters, and all of an address but its host are removed. So are question
    marks, because only the machine asks questions. Letters of all scripts are kept.
    """
    if len(text) <= limit and ((text.isascii() and text.isalnum()) or _PLAIN.fullmatch(text)):
        return text
    line = text[: limit * 4]
    while (cleaner := _cleaned(line)) != line:  # removing markup may form other markup
        line = cleaner
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _cleaned(text: str) -> str:
    kept = _ENTITY.sub(" ", _TAG.sub(" ", text))
    kept = _WWW.sub("", _ADDRESS.sub(r"\1", kept)).replace("://", " ")
    line = " ".join("".join(map(_character, kept)).split())
    return _BULLET.sub("", line)


def _character(char: str) -> str:
    if char in _ASKING:
        return ""
    if char in _MARKUP or char.isspace():
        return " "
    if char.isascii():
        return char if char.isprintable() else ""
    if char in _SIGNS:
        return char
    category = unicodedata.category(char)
    if category[0] == "C" or category in ("So", "Sk", "Me") or "\ufe00" <= char <= "\ufe0f":
        return ""
    # Full-width brackets and the like become ASCII ones if a host normalizes the text.
    return char if _UNSPOKEN.isdisjoint(unicodedata.normalize("NFKC", char)) else " "


def spoken(value: Any, phrases: Phrases, *, within: int = 0) -> str | None:
    """The spoken form of `value`; None for what can't be spoken: None, an empty text, a structure.

    Args:
        within: the number of lists around it; deeper nesting than `MAX_DEPTH` is not spoken.
    """
    if value.__class__ is str and value.islower():
        return clean(value) or None
    if isinstance(value, enum.Enum):
        told = getattr(value, "label", None)
        if isinstance(told, str):
            return clean(told) or None
        return spoken(value.value, phrases) if isinstance(value.value, str) else clean(value.name.lower())
    if isinstance(value, str):
        return clean(value.lower() if "_" in value and value.isupper() else value) or None
    if isinstance(value, bool):
        return phrases.yes if value else phrases.no
    if isinstance(value, Amount):
        return formats.money(value, phrases)
    if isinstance(value, int | float | Decimal):
        return formats.number(value, phrases)
    if isinstance(value, dt.datetime):
        day, moment = formats.date(value, phrases), formats.time(value.timetz(), phrases)
        return None if day is None or moment is None else phrases.moment(day, moment)
    if isinstance(value, dt.date):
        return formats.date(value, phrases)
    if isinstance(value, dt.time):
        return formats.time(value, phrases)
    if isinstance(value, dt.timedelta):
        return formats.duration(value, phrases)
    if isinstance(value, list | tuple | set | frozenset):
        return _list(list(cast("Collection[Any]", value)), phrases, within + 1) if within < MAX_DEPTH else None
    return None


def _list(values: list[Any], phrases: Phrases, within: int) -> str | None:
    said = [word for word in (spoken(item, phrases, within=within) for item in values[:50]) if word]
    return clean(phrases.both(said)) if said else None


def words(name: str) -> str:
    """An identifier as words: "extra shot" for `extra_shot`, `extra-shot` and `extraShot`."""
    split = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    return clean(re.sub(r"[-_.]+", " ", split), 60).lower()
