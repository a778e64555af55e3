"""The spoken texts that a machine's author wrote, in the machine's own language, found in the config's `meta`."""

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
    """How one event is spoken. `spoken` is False for what no customer says: a barista's, a sensor's, a timer's."""

    label: str
    spoken: bool
    says: str | None
    working: str | None
    irreversible: bool
    confirm: str | None = None
    utterances: tuple[str, ...] = ()


def section(meta: Mapping[str, Any] | None, *path: str) -> Mapping[str, Any]:
    """The object at `path` in a `meta`; an empty one if there is none."""
    here: Any = meta
    for key in path:
        here = cast("Mapping[str, Any]", here).get(key) if isinstance(here, Mapping) else None
    return cast("Mapping[str, Any]", here) if isinstance(here, Mapping) else _NOTHING


def text_of(meta: Mapping[str, Any] | None, key: str) -> str | None:
    """The text under `key`; None if there is none, or an empty one."""
    value = None if meta is None else meta.get(key)
    return value if isinstance(value, str) and value.strip() else None


def texts_of(found: Any) -> tuple[str, ...]:
    """A text or a list of texts, without empty ones."""
    if isinstance(found, str):
        return (found,) if found.strip() else ()
    if isinstance(found, list | tuple):
        return tuple(text for text in cast("Sequence[Any]", found) if isinstance(text, str) and text.strip())
    return ()


def event_meta(config: FsmConfig, event: str) -> Mapping[str, Any]:
    """What root `meta.events.<event>` says of an event: `label`, `says`, `tool`, `description` and more."""
    return section(config.meta, "events", event)


def event_texts(config: FsmConfig, event: str) -> EventTexts:
    """How `event` is spoken; an event of which nothing is said is spoken by its name."""
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
    """Why a guard says no, in words."""
    guards = section(config.meta, "guards")
    return text_of(guards, guard) or text_of(section(guards, guard), "reason")


def own_locale(config: FsmConfig) -> str | None:
    """The language that the texts are in; None where the config does not say."""
    locale = (config.meta or {}).get("locale")
    return locale if isinstance(locale, str) else None
