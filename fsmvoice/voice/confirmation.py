"""The question before an event that is confirmed: "Cancel your latte?"."""

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
    """What to ask before `event` is done with `payload`; None for an event that is done without asking.

    Slots see the payload, then the context as it is before the event. Values come out as in every other text: on one
    line, without markup, capped.
    """
    text = texts.confirm(snapshot.chart, event, locale)
    if text is None:
        return None
    phrases = phrases_for(locale)
    # Slots may leave nothing of a text. The event is asked about all the same: acting unasked would be worse.
    question = fill(text, lookup(snapshot, payload, locale), phrases)
    return question or phrases.whether(texts.label(snapshot.chart, event, locale))
