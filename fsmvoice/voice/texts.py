"""The spoken texts of a machine in a given language, by default the machine's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fsmvoice.model.chart import Chart
from fsmvoice.model.config import TransitionConfig
from fsmvoice.voice.authored import EventTexts, event_meta, prompts
from fsmvoice.voice.wording import wording

__all__ = [
    "EventTexts",
    "all_prompts",
    "confirm",
    "event_meta",
    "event_texts",
    "is_irreversible",
    "is_spoken",
    "label",
    "prompts",
    "reason",
    "says",
    "utterances",
    "working",
]


def event_texts(chart: Chart, event: str, locale: str | None = None) -> EventTexts:
    """The texts of `event`. For an event that the machine doesn't have, the label is made from its name."""
    return wording(chart, locale).event(event)


def label(chart: Chart, event: str, locale: str | None = None) -> str:
    """The verb phrase for an event, such as "place the order"."""
    return wording(chart, locale).event(event).label


def is_spoken(chart: Chart, event: str) -> bool:
    """Whether this event is for customers."""
    return wording(chart).event(event).spoken


def is_irreversible(chart: Chart, event: str) -> bool:
    """Whether this event can't be undone, so that a repeated call must not do it twice."""
    return wording(chart).event(event).irreversible


def confirm(chart: Chart, event: str, locale: str | None = None) -> str | None:
    """The confirmation question for this event, with unfilled slots; None if it needs no confirmation."""
    return wording(chart, locale).event(event).confirm


def working(chart: Chart, event: str, locale: str | None = None) -> str | None:
    """What is said while this event takes a long time."""
    return wording(chart, locale).event(event).working


def utterances(chart: Chart, event: str, locale: str | None = None) -> tuple[str, ...]:
    """The utterance templates of this event."""
    return wording(chart, locale).event(event).utterances


def all_prompts(chart: Chart, locale: str | None = None) -> Sequence[tuple[str, ...]]:
    """The prompts of each state, by node index."""
    return wording(chart, locale).prompts


def says(chart: Chart, event: str, taken: Iterable[TransitionConfig], locale: str | None = None) -> tuple[str, ...]:
    """The acknowledgement of an event: the texts of the transitions taken, or else its own."""
    return wording(chart, locale).says(event, taken)


def reason(chart: Chart, arcs: Iterable[TransitionConfig], locale: str | None = None) -> str | None:
    """Why `arcs` are blocked: the first reason among theirs and their guards'."""
    return wording(chart, locale).reason(arcs)
