"""The spoken texts that a machine's author wrote, found in the config's `meta`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from fsmvoice.model.config import FsmConfig, StateConfig, TransitionConfig
from fsmvoice.model.naming import label_of

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


def label(config: FsmConfig, event: str) -> str:
    """The verb phrase for an event: "place the order"."""
    return _text(event_meta(config, event), "label") or label_of(event)


def is_spoken(config: FsmConfig, event: str) -> bool:
    """Whether a customer may say this event; a barista's or a sensor's event has `tool: false`."""
    return event_meta(config, event).get("tool") is not False


def prompts(state: StateConfig) -> tuple[str, ...]:
    """A state's prompt and its reprompts."""
    found = (state.meta or _NOTHING).get("prompt")
    if isinstance(found, str):
        return (found,) if found.strip() else ()
    if isinstance(found, list | tuple):
        return tuple(text for text in cast("list[Any]", found) if isinstance(text, str) and text.strip())
    return ()


def says(config: FsmConfig, event: str, taken: Iterable[TransitionConfig]) -> tuple[str, ...]:
    """What acknowledges an event: the texts of the arcs it took, or else its own."""
    texts = [text for arc in taken if arc.meta and (text := _text(arc.meta, "says"))]
    if not texts and (own := _text(event_meta(config, event), "says")):
        texts = [own]
    return tuple(dict.fromkeys(texts))


def reason(config: FsmConfig, arcs: Iterable[TransitionConfig]) -> str | None:
    """Why `arcs` are closed: the first text among theirs and their guards'."""
    for arc in arcs:
        if arc.meta and (own := _text(arc.meta, "reason")):
            return own
        if arc.guard is not None and (text := _text(_section(config.meta, "guards", arc.guard.type), "reason")):
            return text
    return None
