"""Understanding words that were heard, for hosts without a language model: what they mean in this very state."""

from __future__ import annotations

from typing import Any

from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.voice.heard import Asked, Heard, NoMatch


def hear(snapshot: Snapshot[Any], text: str, *, locale: str | None = None, asked: Asked | None = None) -> Heard:
    """What `text` asks for. It never fires anything, and never raises for what `text` holds.

    Args:
        locale: the language of `text`; the machine's own by default.
        asked: the question that `text` may answer.

    Raises:
        MissingExtra: if the machine has templates and hassil is not installed.
    """
    del snapshot, text, locale, asked
    return NoMatch()
