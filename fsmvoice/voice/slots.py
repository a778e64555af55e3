"""Filling the slots of a text: `{drink}`, or `{drink|your order}` with a fallback."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from fsmvoice.model.slots import SLOT, is_field, slots_of
from fsmvoice.voice.phrases.phrases import Phrases
from fsmvoice.voice.values import spoken

logger: logging.Logger = logging.getLogger("fsmvoice")

_GAPS = re.compile(r"…(?:\s*…)+|…\.")


@lru_cache(maxsize=1024)
def _compiled(text: str) -> tuple[bool, tuple[tuple[str, str | None, str | None, bool], ...]]:
    """Whether `text` has only single spaces, and its `slots_of`, each with whether it names a plain field."""
    tidy = text == " ".join(text.split())
    return tidy, tuple([(*piece, piece[1] is not None and is_field(piece[1])) for piece in slots_of(text)])


def fill(text: str, lookup: Callable[[str], Any], phrases: Phrases) -> str:
    """`text` with every slot filled. A slot without a value and without a fallback is left out, and logged.

    Args:
        lookup: returns the value of a plain field, or None. Other slots have no value: a text never reads an attribute
            or an index.
    """
    if not text.isascii():
        text = text.encode(errors="replace").decode()  # a lone surrogate, as in a Refuse, could not be sent
    if "{" not in text:
        return text
    parts: list[str] = []
    tidy, pieces = _compiled(text)
    for before, name, fallback, field in pieces:
        parts.append(before)
        if name is None:
            continue
        said = spoken(lookup(name), phrases) if field else None
        if said is None and fallback is None:
            logger.warning("a text has no value for its slot %r; write {%s|other words} for a fallback", name, name)
        part = said if said is not None else fallback or ""
        if not part:
            parts[-1] = parts[-1].rstrip()
        tidy = tidy and bool(part)
        parts.append(part)
    return "".join(parts) if tidy else " ".join("".join(parts).split())


def without_values(text: str) -> str:
    """`text` with "…" for every slot: "Brewing your … now."."""
    gaps = SLOT.sub("…", text)
    return " ".join(_GAPS.sub("…", gaps).split())


def values_of(
    payload: Mapping[str, Any], context: Mapping[str, Any], private: frozenset[str] = frozenset()
) -> Callable[[str], Any]:
    """A lookup for `fill`, in the payload and else the context. Private fields are excluded."""

    def lookup(name: str) -> Any:
        if name in private:
            return None
        value = payload.get(name)
        return context.get(name) if value is None else value

    return lookup
