"""The spoken texts in a config's `meta`, in the machine's own language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from fsmvoice.model.config import FsmConfig, StateConfig
from fsmvoice.model.effect import ERROR
from fsmvoice.model.naming import label_of
from fsmvoice.model.nodes import INTERNAL
from fsmvoice.voice.values import clean

_NOTHING: Mapping[str, Any] = {}


class EventTexts(NamedTuple):
    """The texts of one event. `spoken` is False for events that no customer sends, such as those of staff or sensor."""

    label: str
    spoken: bool
    says: str | None
    working: str | None
    irreversible: bool
    confirm: str | None = None
    utterances: tuple[str, ...] = ()


def section(meta: Mapping[str, Any] | None, *path: str) -> Mapping[str, Any]:
    """The object at `path` in a `meta`, or an empty one."""
    here: Any = meta
    for key in path:
        here = cast("Mapping[str, Any]", here).get(key) if isinstance(here, Mapping) else None
    return cast("Mapping[str, Any]", here) if isinstance(here, Mapping) else _NOTHING


def text_of(meta: Mapping[str, Any] | None, key: str) -> str | None:
    """The text under `key`; None if it is missing or blank."""
    value = None if meta is None else meta.get(key)
    return value if isinstance(value, str) and value.strip() else None


def texts_of(found: Any) -> tuple[str, ...]:
    """The non-blank texts of a text or a list of texts."""
    if isinstance(found, str):
        return (found,) if found.strip() else ()
    if isinstance(found, list | tuple):
        return tuple(text for text in cast("Sequence[Any]", found) if isinstance(text, str) and text.strip())
    return ()


def event_meta(config: FsmConfig, event: str) -> Mapping[str, Any]:
    """The machine's `meta.events.<event>`: `label`, `says`, `tool`, `description` and more."""
    return section(config.meta, "events", event)


def event_texts(config: FsmConfig, event: str) -> EventTexts:
    """The texts of `event`. The default label is made from its name."""
    meta = event_meta(config, event)
    return EventTexts(
        clean(text_of(meta, "label") or label_of(event)),
        meta.get("tool") is not False and not event.startswith((INTERNAL, ERROR)),
        text_of(meta, "says"),
        text_of(meta, "working"),
        meta.get("irreversible") is True,
        text_of(meta, "confirm"),
        texts_of(meta.get("utterances")),
    )


def prompts(state: StateConfig) -> tuple[str, ...]:
    """A state's prompt and its reprompts."""
    return () if state.meta is None else texts_of(state.meta.get("prompt"))


def guard_reason(config: FsmConfig, guard: str) -> str | None:
    """The spoken reason for a guard that does not hold, if it has one."""
    guards = section(config.meta, "guards")
    return text_of(guards, guard) or text_of(section(guards, guard), "reason")


def own_locale(config: FsmConfig) -> str | None:
    """The language of the texts, or None if the config does not say."""
    locale = (config.meta or {}).get("locale")
    return locale if isinstance(locale, str) else None
