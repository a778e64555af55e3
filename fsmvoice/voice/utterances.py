"""How people ask for each event of a machine, in one language: its templates and its label, made ready to be heard."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Any, cast

from fsmvoice.errors import DefinitionError, Problem
from fsmvoice.model.chart import Chart
from fsmvoice.model.nodes import is_wildcard
from fsmvoice.model.payload import Payload
from fsmvoice.voice import texts
from fsmvoice.voice.phrases.catalogue import phrases_for
from fsmvoice.voice.phrases.phrases import Phrases
from fsmvoice.voice.roles.languages import roles_for
from fsmvoice.voice.roles.roles import Roles
from fsmvoice.voice.similar import Likeness, Sample, mark
from fsmvoice.voice.spoken_values import SpokenValues, values_of
from fsmvoice.voice.templates import (
    Part,
    Text,
    TemplateError,
    fixed_words,
    read_template,
    regex,
    sentences,
    slots_in,
)

MAX_SAMPLES = 300
"""Sentences of one template that others are compared with."""
MAX_BARE = 3
"""Parameters whose values may be said alone, in any order."""


@dataclass(frozen=True)
class Template:
    """One way to ask for an event. `groups`: for each group of the pattern, the parameter whose value it holds."""

    written: str
    part: Part
    pattern: re.Pattern[str]
    groups: tuple[tuple[str, str], ...]
    free: bool


@dataclass(frozen=True)
class Utterances:
    """One event, as it is asked for."""

    event: str
    label: str
    answers: str | None
    values: Mapping[str, SpokenValues]
    templates: tuple[Template, ...]
    required: frozenset[str]

    @cached_property
    def mask(self) -> re.Pattern[str] | None:
        """Finds the values of its parameters in a text; free texts can't be found."""
        known = [f"(?P<v{number}>{it.pattern})" for number, it in enumerate(self._listed)]
        return re.compile(rf"(?<!\w)(?:{'|'.join(known)})(?!\w)") if known else None

    @cached_property
    def loose_mask(self) -> re.Pattern[str] | None:
        """`mask` for a language without spaces."""
        known = [f"(?P<v{number}>{it.pattern})" for number, it in enumerate(self._listed)]
        return re.compile("|".join(known)) if known else None

    @cached_property
    def _listed(self) -> tuple[SpokenValues, ...]:
        return tuple(it for it in self.values.values() if it.kind != "free")

    def masked(self, normal: str, *, spaced: bool) -> tuple[str, dict[str, list[Any]]]:
        """A text with marks for values, and which values they are."""
        found: dict[str, list[Any]] = {}
        mask = self.mask if spaced else self.loose_mask
        if mask is None:
            return normal, found

        def replaced(match: re.Match[str]) -> str:
            number = int(str(match.lastgroup)[1:])
            values = self._listed[number]
            found.setdefault(values.name, []).append(values.value(match[0]))
            return mark(number)

        return mask.sub(replaced, normal), found

    def marked(self, sentence: str) -> str:
        """A template's sentence with marks for its slots; a free text is left out."""
        numbers = {it.name: number for number, it in enumerate(self._listed)}
        return re.sub(r"\{(\w+)\}", lambda slot: f" {mark(numbers[slot[1]])} " if slot[1] in numbers else " ", sentence)


class Hearing:
    """All events of a machine in one language, ready to be compared with what is heard."""

    def __init__(self, chart: Chart, locale: str | None) -> None:
        self.roles: Roles = roles_for(locale)
        self.phrases: Phrases = phrases_for(locale)
        self.tag = locale
        problems: list[Problem] = []
        self.events: Mapping[str, Utterances] = {
            event: self._event(chart, event, problems)
            for event in chart.events
            if not is_wildcard(event) and texts.is_spoken(chart, event)
        }
        if problems:
            raise DefinitionError(chart.name, problems)
        self.likeness = Likeness(self._samples(), spaced=self.roles.spaced)

    def _event(self, chart: Chart, event: str, problems: list[Problem]) -> Utterances:
        meta = texts.event_meta(chart.config, event)
        payload = chart.behaviour.payloads.get(event) or Payload(event)
        values = values_of(payload, self.roles, self.phrases)
        label = texts.label(chart, event, self.tag)
        found: list[Template] = []
        for written in utterances(chart, event, self.tag):
            where = f"$.meta.events[{event!r}].utterances"
            try:
                found.append(self._template(written, read_template(written), values))
            except TemplateError as error:
                problems.append(Problem(where, f"{written!r}: {error}", "write (one|other), [optional], {slot}"))
        found.append(self._template(label, Text(label), values))
        required = frozenset(name for name, parameter in payload.parameters.items() if parameter.required)
        answers = meta.get("answers")
        return Utterances(event, label, str(answers) if answers else None, values, tuple(found), required)

    def _template(self, written: str, part: Part, values: Mapping[str, SpokenValues]) -> Template:
        unknown = [name for name in slots_in(part) if name not in values]
        if unknown:
            raise TemplateError(f"there is no parameter {unknown[0]!r}")
        free = any(values[name].kind == "free" for name in slots_in(part))
        if free and not fixed_words(part):
            raise TemplateError("a free text needs words beside it that are always said")
        groups: list[tuple[str, str]] = []

        def slot(name: str) -> str:
            groups.append((f"g{len(groups)}", name))
            return f"(?P<{groups[-1][0]}>{values[name].pattern})"

        pattern = re.compile(regex(part, self.roles.normal, slot, spaced=self.roles.spaced))
        return Template(written, part, pattern, tuple(groups), free)

    def _samples(self) -> Iterator[Sample]:
        for event in self.events.values():
            for template in event.templates:
                for sentence in sentences(template.part, MAX_SAMPLES):
                    yield Sample(event.event, self.content(event.marked(self._normal(sentence))))
            for bare in _bare(event):
                yield Sample(event.event, self.content(event.marked(bare)))

    def _normal(self, sentence: str) -> str:
        """`sentence` in the normal form, with its slots as they are."""
        pieces = re.split(r"(\{\w+\})", sentence)
        return " ".join(piece if piece.startswith("{") else self.roles.normal(piece) for piece in pieces)

    def content(self, normal: str) -> str:
        """What is compared of a text: without articles, unless there is nothing else."""
        if not self.roles.spaced:
            return normal.replace(" ", "")
        words = normal.split()
        return " ".join(word for word in words if word not in self.roles.articles) or " ".join(words)


def _bare(event: Utterances) -> Iterator[str]:
    """The values of an event said alone: "{size} {drink}", and "{drink}" where the size may be left out."""
    listed = [name for name, it in event.values.items() if it.kind != "free" and not _is_truth(it)]
    if not event.required or not event.required <= set(listed) or len(listed) > MAX_BARE:
        return
    for length in range(len(event.required), len(listed) + 1):
        for names in permutations(listed, length):
            if event.required <= set(names):
                yield " ".join(f"{{{name}}}" for name in names)


def _is_truth(values: SpokenValues) -> bool:
    return any(isinstance(value, bool) for value in values.forms.values())


def utterances(chart: Chart, event: str, locale: str | None = None) -> Sequence[str]:
    """The templates of an event, as its author wrote them for a locale."""
    del locale
    found: Any = texts.event_meta(chart.config, event).get("utterances") or ()
    return (found,) if isinstance(found, str) else tuple(cast("Sequence[str]", found))


def hearing_of(chart: Chart, locale: str | None = None) -> Hearing:
    """The machine's utterances in a locale, made once.

    Raises:
        DefinitionError: for templates that can't be read.
        MissingExtra: if there are templates and hassil is not installed.
    """
    known: dict[str | None, Hearing] = chart.notes.setdefault("hearing", {})
    if locale not in known:
        known[locale] = Hearing(chart, locale)
    return known[locale]
