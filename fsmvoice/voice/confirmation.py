"""The question that is asked before a confirmed event, such as "Cancel your latte?"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.voice import texts
from fsmvoice.voice.offers import lookup
from fsmvoice.voice.phrases.catalogue import phrases_for
from fsmvoice.voice.slots import fill


def confirm_question(
    snapshot: Snapshot[Any], event: str, payload: Mapping[str, Any], locale: str | None = None
) -> str | None:
    """The question to ask before `event` is sent with `payload`, or None if it needs no confirmation.

    Slots are filled from the payload, then from the context before the event. Values are cleaned as in every other
    text: on one line, without markup, of limited length.
    """
    text = texts.confirm(snapshot.chart, event, locale)
    if text is None:
        return None
    phrases = phrases_for(locale)
    # If slots without values leave nothing of the text, ask with the label: acting without asking would be worse.
    question = fill(text, lookup(snapshot, payload, locale), phrases)
    return question or phrases.whether(texts.label(snapshot.chart, event, locale))
