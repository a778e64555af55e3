"""`Hearing`: the utterance templates and labels of a machine's events in one language, compiled for matching."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from string import ascii_letters
from typing import Any

from fsmvoice.errors import DefinitionError, Problem
from fsmvoice.model.chart import Chart
from fsmvoice.model.nodes import is_wildcard
from fsmvoice.model.payload import Payload
from fsmvoice.voice import texts
from fsmvoice.voice.numbers import number_words
from fsmvoice.voice.phrases.catalogue import phrases_for
from fsmvoice.voice.phrases.phrases import Phrases
from fsmvoice.voice.roles.languages import roles_for
from fsmvoice.voice.roles.roles import Roles
from fsmvoice.voice.similar import Likeness, Sample, mark
from fsmvoice.voice.spoken_values import SpokenValues, values_of
from fsmvoice.voice.templates import (
    Part,
    TemplateError,
    Text,
    fixed_words,
    read_template,
    regex,
    sentences,
    slots_in,
)
from fsmvoice.voice.wording import wording

MAX_SAMPLES = 300
"""Sentences of one template that others are compared with."""
STEM = 4
"""Letters at the beginning of two words that make them forms of one: "review" and "reviewed"."""
MAX_FIGURES = 6
MAX_BARE = 3
"""Parameters whose values may be said alone, in any order."""


@dataclass(frozen=True)
class Template:
    """One way to ask for an event. `groups` are pairs of a group of the pattern and the parameter it captures."""

    written: str
    part: Part
    pattern: re.Pattern[str]
    groups: tuple[tuple[str, str], ...]
    free: bool


@dataclass(frozen=True)
class Utterances:
    """The ways to ask for one event."""

    event: str
    label: str
    answers: str | None
    values: Mapping[str, SpokenValues]
    templates: tuple[Template, ...]
    required: frozenset[str]

    @cached_property
    def free(self) -> bool:
        """Whether a text that may be anything belongs to it."""
        return any(values.kind == "free" for values in self.values.values())


class Hearing:
    """The events of a machine in one language, ready for matching."""

    def __init__(self, chart: Chart, locale: str | None) -> None:
        self.roles: Roles = roles_for(locale)
        register = wording(chart, locale).register
        self.phrases: Phrases = phrases_for(f"{locale}-x-{register}" if register else locale)
        self.tag = locale
        problems: list[Problem] = []
        self.events: Mapping[str, Utterances] = {
            event: self._event(chart, event, problems)
            for event in chart.events
            if not is_wildcard(event) and texts.is_spoken(chart, event)
        }
        if problems:
            raise DefinitionError(chart.name, problems)
        self._marks = self._find_marks()
        self._mask = self._make_mask()
        self.likeness: Likeness = Likeness(self._samples(), spaced=self.roles.spaced)

    def _event(self, chart: Chart, event: str, problems: list[Problem]) -> Utterances:
        meta = texts.event_meta(chart.config, event)
        payload = chart.behaviour.payloads.get(event) or Payload(event)
        values = values_of(payload, self.roles, self.phrases, wording(chart, self.tag))
        label = texts.label(chart, event, self.tag)
        found: list[Template] = []
        for written in texts.utterances(chart, event, self.tag):
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

        roles = self.roles
        pattern = re.compile(regex(part, roles.normal, slot, spaced=roles.spaced, figures=self._figures))
        return Template(written, part, pattern, tuple(groups), free)

    def _figures(self, word: str) -> str:
        """A number in figures as it is said: "add 2 more" is heard as "add two more" too."""
        if not self.roles.spaced or len(word) > MAX_FIGURES:
            return word
        return self.roles.normal(number_words(int(word), int(word), self.roles)[0])

    def masked(self, normal: str) -> tuple[str, list[str]]:
        """A text with marks for values of any event, and the values as they were said; "" for one that is unclear."""
        said: list[str] = []
        if self._mask is None:
            return normal, said

        def replaced(match: re.Match[str]) -> str:
            group = str(match.lastgroup)
            said.append("" if group.startswith("other") else match[0])
            return chr(int(group.lstrip(ascii_letters)))

        return self._mask.sub(replaced, normal), said

    def named(self, event: Utterances, said: Sequence[str]) -> dict[str, Any]:
        """The values of an event's parameters among those said. A parameter with two values is left out."""
        return {name: values[0] for name, values in self._named(event, said).items() if len(values) == 1}

    def loses(self, event: Utterances, said: Sequence[str]) -> bool:
        """Whether values of an event's parameters were said that can't be read, or two for one parameter."""
        numbers = any(values.kind == "number" for values in event.values.values())
        return (numbers and "" in said) or any(len(values) > 1 for values in self._named(event, said).values())

    @staticmethod
    def _named(event: Utterances, said: Sequence[str]) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        for text in said:
            for name, values in event.values.items():
                if (
                    values.kind != "free"
                    and (value := values.value(text)) is not None
                    and value not in found.get(name, ())
                ):
                    found.setdefault(name, []).append(value)
                    break
        return found

    def strange(self, normal: str) -> bool:
        """Whether a word of `normal` is like none of any sample, and none of those that carry nothing."""
        if not self.roles.spaced:
            return False
        words = normal.split(" ")
        return any(word not in self.roles.common and word[:STEM] not in self._stems for word in words if len(word) > 2)

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(word[:STEM] for sample in self.likeness.samples for word in sample.text.split(" "))

    def _find_marks(self) -> dict[tuple[str, ...], str]:
        """A mark for each distinct set of values; parameters with the same values share it."""
        marks: dict[tuple[str, ...], str] = {}
        for event in self.events.values():
            for values in event.values.values():
                if values.kind != "free":
                    marks.setdefault(_key(values), mark(len(marks)))
        return marks

    def _make_mask(self) -> re.Pattern[str] | None:
        every = [it for event in self.events.values() for it in event.values.values() if it.kind != "free"]
        known: dict[str, str] = {}
        for values in every:
            if values.spelled is None and not _is_truth(values):
                known.setdefault(f"value{ord(self._marks[_key(values)])}", values.pattern)
        numbers = [it for it in every if it.spelled is not None and it.numbers is not None]
        widest = max(numbers, key=lambda it: (it.numbers or (0, 0))[1], default=None)
        if widest is not None and widest.spelled is not None:
            mark = ord(self._marks[_key(widest)])
            if known:  # of "four four cheese" the first is the number
                listed = "|".join(known.values())
                next_to = rf"(?= (?:{listed})(?!\w))" if self.roles.spaced else f"(?={listed})"
                known[f"before{mark}"] = widest.pattern + next_to
            known |= {f"other{mark}": widest.spelled.other, f"number{mark}": widest.pattern}
        if not known:
            return None
        alternatives = "|".join(f"(?P<{name}>{pattern})" for name, pattern in known.items())
        return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)" if self.roles.spaced else alternatives)

    def _samples(self) -> Iterator[Sample]:
        for event in self.events.values():
            for template in event.templates:
                for sentence in sentences(template.part, MAX_SAMPLES):
                    yield self._sample(event, sentence)
            for bare in self.bare(event):
                yield self._sample(event, bare)

    def _sample(self, event: Utterances, sentence: str) -> Sample:
        """A template's sentence with marks for slots and for values in it. Free-text slots are left out."""
        said: list[str] = []
        for piece in re.split(r"(\{\w+\})", sentence):
            values = event.values.get(piece[1:-1]) if piece.startswith("{") else None
            if values is None:
                said.append(self.masked(self.roles.normal(piece))[0])
            elif values.kind != "free":
                said.append(self._marks[_key(values)])
        return Sample(event.event, self.content(" ".join(part for part in said if part)))

    @staticmethod
    def bare(event: Utterances) -> Iterator[str]:
        """The values of an event said alone: "{size} {drink}", and "{drink}" if the size is optional."""
        listed = [name for name, it in event.values.items() if it.kind != "free" and not _is_truth(it)]
        if not event.required or not event.required <= set(listed) or len(listed) > MAX_BARE:
            return
        for length in range(1, len(listed) + 1):
            for names in permutations(listed, length):
                if not event.required.isdisjoint(names):
                    yield " ".join(f"{{{name}}}" for name in names)

    def content(self, normal: str) -> str:
        """The part of a text that is compared: without articles, unless there is nothing else."""
        if not self.roles.spaced:
            return normal.replace(" ", "")
        words = normal.split()
        return " ".join(word for word in words if word not in self.roles.carrying_nothing) or " ".join(words)


def _key(values: SpokenValues) -> tuple[str, ...]:
    return ("number",) if values.kind == "number" else tuple(sorted(values.forms))


def _is_truth(values: SpokenValues) -> bool:
    return any(isinstance(value, bool) for value in values.forms.values())


MAX_LANGUAGES = 32
"""The most languages cached for a machine; callers can name any."""


def hearing_of(chart: Chart, locale: str | None = None) -> Hearing:
    """The machine's utterances in a locale, cached.

    Raises:
        DefinitionError: for invalid templates.
        MissingExtra: if there are templates and hassil is not installed.
    """
    known: dict[str | None, Hearing] = chart.notes.setdefault("hearing", {})
    found = known.get(locale)
    if found is None:
        found = Hearing(chart, locale)
        if len(known) >= MAX_LANGUAGES:
            known.clear()
        known[locale] = found
    return found
