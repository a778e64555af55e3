"""Filling the slots of a text: `{drink}`, or `{drink|your order}` with words for when there is no value."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from fsmvoice.voice.phrases.phrases import Phrases
from fsmvoice.voice.values import spoken

logger: logging.Logger = logging.getLogger("fsmvoice")

_SLOT = re.compile(r"\{([^{}]*)\}")
_FIELD = re.compile(r"[^\W\d][\w -]*")
_GAPS = re.compile(r"…(?:\s*…)+|…\.")
_SPACE_BEFORE = re.compile(r"\s+([.,;:!?…])")


@lru_cache(maxsize=4096)
def slots_of(text: str) -> tuple[tuple[str, str | None, str | None], ...]:
    """`text` in pieces: (words, the name of the slot that follows or None, its fall-back or None)."""
    pieces: list[tuple[str, str | None, str | None]] = []
    end = 0
    for match in _SLOT.finditer(text):
        name, bar, fallback = match[1].partition("|")
        pieces.append((text[end : match.start()], name.strip(), fallback.strip() if bar else None))
        end = match.end()
    pieces.append((text[end:], None, None))
    return tuple(pieces)


def fill(text: str, lookup: Callable[[str], Any], phrases: Phrases) -> str:
    """`text` with every slot said. A slot without a value and without a fall-back is left out, and logged.

    Args:
        lookup: the value of a plain field name, or None. A slot that is no plain field name has no value: nothing
            in a text ever reads an attribute or an index.
    """
    if not text.isascii():
        text = text.encode(errors="replace").decode()  # half a character, which a Refuse may hold, can't be sent
    if "{" not in text:
        return text
    parts: list[str] = []
    for before, name, fallback in slots_of(text):
        parts.append(before)
        if name is None:
            continue
        said = spoken(lookup(name), phrases) if name.isidentifier() or _FIELD.fullmatch(name) else None
        if said is None and fallback is None:
            logger.warning("a text has no value for its slot %r; {%s|other words} says something else then", name, name)
        parts.append(said if said is not None else fallback or "")
    return _SPACE_BEFORE.sub(r"\1", " ".join("".join(parts).split()))


def without_values(text: str) -> str:
    """`text` with a gap for every slot: what of it is always the same. "Brewing your … now."."""
    gaps = _SLOT.sub("…", text)
    return " ".join(_GAPS.sub("…", gaps).split())


def values_of(
    payload: Mapping[str, Any], context: Mapping[str, Any], private: frozenset[str] = frozenset()
) -> Callable[[str], Any]:
    """A lookup for `fill`: the payload first, then the context, never a private field."""

    def lookup(name: str) -> Any:
        if name in private:
            return None
        value = payload.get(name)
        return context.get(name) if value is None else value

    return lookup
