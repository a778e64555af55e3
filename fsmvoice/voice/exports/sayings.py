"""A few likely sentences per event, for speech recognizers, which hear better with a small grammar."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from fsmvoice.voice.heard import Asked
from fsmvoice.voice.spoken_values import SpokenValues
from fsmvoice.voice.templates import sentences
from fsmvoice.voice.utterances import Hearing, Utterances

MAX_LOOKED_AT = 400
MAX_WORDS = 7
MAX_EACH = 24
"""Maximum number of sentences from one template."""
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Framed:
    """Sentences made of one of `before`, one of `values` and one of `after`."""

    before: tuple[str, ...]
    values: tuple[str, ...]
    after: tuple[str, ...]


def framed(hearing: Hearing, event: Utterances) -> Framed | None:
    """The sentences that ask for an event by its values alone; None if that is not possible."""
    bare = tuple(hearing.bare(event))
    if not bare:
        return None
    before: dict[str, None] = {}
    after: dict[str, None] = {}
    for frame in hearing.roles.frames:
        if understood(hearing, event, frame.format(bare[0])):
            first, _, last = frame.partition("{}")
            before[first.strip()] = after[last.strip()] = None
    return Framed(tuple(before) or ("",), bare, tuple(after) or ("",))


def sayings(hearing: Hearing, event: Utterances) -> list[str]:
    """Short sentences that ask for an event. Those with slots are included only if its values can't be said alone."""
    found = [event.label]
    alone = any(True for _ in hearing.bare(event))
    for template in event.templates:
        said = sentences(template.part, MAX_LOOKED_AT)
        fitting = [it for it in said if len(it.split()) <= MAX_WORDS and not (alone and _SLOT.search(it))]
        found += sorted(fitting, key=lambda it: len(it.split()))[:MAX_EACH]
    return list(dict.fromkeys(it for it in found if it))


def understood(hearing: Hearing, event: Utterances, said: str) -> bool:
    """Whether the event's templates accept a sentence with slots."""
    filled = _SLOT.sub(lambda slot: next(iter(event.values[slot[1]].said), "1"), said)
    variants = hearing.roles.variants(filled)
    if any(template.pattern.fullmatch(variant) for template in event.templates for variant in variants):
        return True
    return said in hearing.bare(event)


def open_values(hearing: Hearing, asked: Asked | None) -> tuple[str, SpokenValues] | None:
    """The parameter that was asked for and its values, which may then be said alone."""
    event = hearing.events.get(asked.event) if asked is not None and asked.parameter is not None else None
    if event is None or asked is None or asked.parameter is None or asked.parameter not in event.values:
        return None
    return asked.parameter, event.values[asked.parameter]


def answers(hearing: Hearing, left_out: Collection[str] = ()) -> Mapping[str, Sequence[str]]:
    """The core phrases that are understood in every state, by role."""
    return {role: phrases for role, phrases in hearing.roles.core.items() if role not in left_out}
