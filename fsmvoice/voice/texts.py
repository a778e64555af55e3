"""The spoken texts that a machine's author wrote, found in the config's `meta`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from fsmvoice.model.chart import Chart
from fsmvoice.model.config import FsmConfig, StateConfig, TransitionConfig
from fsmvoice.model.naming import label_of
from fsmvoice.model.nodes import INTERNAL
from fsmvoice.voice.values import clean

_NOTHING: Mapping[str, Any] = {}


def _section(meta: Mapping[str, Any] | None, *path: str) -> Mapping[str, Any]:
    here: Any = meta
    for key in path:
        here = cast("Mapping[str, Any]", here).get(key) if isinstance(here, Mapping) else None
    return cast("Mapping[str, Any]", here) if isinstance(here, Mapping) else _NOTHING


def _text(meta: Mapping[str, Any], key: str) -> str | None:
    value = meta.get(key)
    return value if isinstance(value, str) and value.strip() else None


def event_meta(config: FsmConfig, event: str) -> Mapping[str, Any]:
    """What root `meta.events.<event>` says of an event: `label`, `says`, `tool`, `description` and more."""
    return _section(config.meta, "events", event)


class EventTexts(NamedTuple):
    """How one event is spoken. `spoken` is False for what no customer says: a barista's, a sensor's, a timer's."""

    label: str
    spoken: bool
    says: str | None
    working: str | None
    irreversible: bool
    confirm: str | None = None


def event_texts(chart: Chart, event: str) -> EventTexts:
    """How `event` is spoken; an event that the machine doesn't know is spoken by its name."""
    known: dict[str, EventTexts] | None = chart.notes.get("event texts")
    if known is None:
        known = chart.notes["event texts"] = {name: _event_texts(chart.config, name) for name in chart.events}
    return known.get(event) or _event_texts(chart.config, event)


def _event_texts(config: FsmConfig, event: str) -> EventTexts:
    meta = event_meta(config, event)
    label = clean(_text(meta, "label") or label_of(event))
    once = meta.get("irreversible") is True
    spoken = meta.get("tool") is not False and not event.startswith(INTERNAL)
    return EventTexts(label, spoken, _text(meta, "says"), _text(meta, "working"), once, _text(meta, "confirm"))


def label(chart: Chart, event: str) -> str:
    """The verb phrase for an event: "place the order"."""
    return event_texts(chart, event).label


def is_spoken(chart: Chart, event: str) -> bool:
    """Whether a customer may say this event."""
    return event_texts(chart, event).spoken


def is_irreversible(chart: Chart, event: str) -> bool:
    """Whether this event can't be undone, so that a repeated call must not do it twice."""
    return event_texts(chart, event).irreversible


def confirm(chart: Chart, event: str) -> str | None:
    """The question before this event, with its slots open; None where it is done without asking."""
    return event_texts(chart, event).confirm


def working(chart: Chart, event: str) -> str | None:
    """What is said while this event takes long."""
    return event_texts(chart, event).working


def prompts(state: StateConfig) -> tuple[str, ...]:
    """A state's prompt and its reprompts."""
    if state.meta is None:
        return ()
    found = state.meta.get("prompt")
    if isinstance(found, str):
        return (found,) if found.strip() else ()
    if isinstance(found, list | tuple):
        return tuple(text for text in cast("list[Any]", found) if isinstance(text, str) and text.strip())
    return ()


def all_prompts(chart: Chart) -> Sequence[tuple[str, ...]]:
    """The prompts of each state, by its index."""
    known: tuple[tuple[str, ...], ...] | None = chart.notes.get("prompts")
    if known is None:
        known = chart.notes["prompts"] = tuple(prompts(node.config) for node in chart.nodes)
    return known


def says(chart: Chart, event: str, taken: Iterable[TransitionConfig]) -> tuple[str, ...]:
    """What acknowledges an event: the texts of the arcs it took, or else its own."""
    texts = [text for arc in taken if arc.meta and (text := _text(arc.meta, "says"))]
    if not texts and (own := event_texts(chart, event).says):
        texts = [own]
    return tuple(dict.fromkeys(texts))


def _reason(config: FsmConfig, guard: str) -> str | None:
    guards = _section(config.meta, "guards")
    return _text(guards, guard) or _text(_section(guards, guard), "reason")


def reason(config: FsmConfig, arcs: Iterable[TransitionConfig]) -> str | None:
    """Why `arcs` are closed: the first text among theirs and their guards'."""
    for arc in arcs:
        if arc.meta and (own := _text(arc.meta, "reason")):
            return own
        if arc.guard is not None and (text := _reason(config, arc.guard.type)):
            return text
    return None
