"""The texts that a machine says, in each of its languages, with the parts of the machine that they belong to."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from fsmvoice.check.finding import Spot
from fsmvoice.check.samples import values_of as samples_of
from fsmvoice.check.subject import Subject
from fsmvoice.model.nodes import Arc
from fsmvoice.model.slots import slots_of
from fsmvoice.voice.authored import texts_of
from fsmvoice.voice.entries import WHOLE, Entry, entries
from fsmvoice.voice.phrases.phrases import Phrases
from fsmvoice.voice.slots import values_of
from fsmvoice.voice.values import clean, spoken
from fsmvoice.voice.wording import files_for, found_in, wording

_LETTERS_A_WORD = 3
"""Characters that take as long as a word in a language without spaces."""


class Said(NamedTuple):
    """A text. `kind` is prompt, says, reason, confirm, working, label, value or parameter."""

    spot: Spot
    kind: str
    text: str
    language: str
    entry: Entry

    @property
    def words(self) -> str:
        """The text without its slots, but with their fallbacks."""
        return "".join(f"{before}{fallback or ''}" for before, _, fallback in slots_of(self.text))

    @property
    def filled(self) -> str:
        """The text with a word in each slot."""
        pieces = slots_of(self.text)
        return "".join(before if name is None else f"{before}{fallback or 'word'}" for before, name, fallback in pieces)


def all_said(subject: Subject) -> list[Said]:
    """Every text that a machine says, computed once. Utterances are heard, not said, so they are left out."""
    found: list[Said] | None = subject.kept.get("check.said")
    if found is None:
        found = subject.kept["check.said"] = list(_all_said(subject))
    return found


def _all_said(subject: Subject) -> Iterator[Said]:
    chart = subject.chart
    arcs = {id(arc.config): arc for node in chart.nodes for held in (node.always, *node.on.values()) for arc in held}
    for entry in entries(chart):
        if entry.key[-1] == "utterances":
            continue
        spot = _spot(subject, entry, arcs.get(entry.arc))
        for language in subject.languages:
            own = language == subject.languages[0]
            texts = entry.texts if own else ()
            for file in () if own else files_for(chart, language):
                texts = texts or texts_of(found_in(file.data, entry.key))
            for text in texts:
                said = clean(text) if entry.key[0] in ("values", "parameters") or entry.key[-1] == "label" else text
                yield Said(subject.translated(spot, entry.key, language), _kind(entry), said, language, entry)


def _kind(entry: Entry) -> str:
    named = {"values": "value", "parameters": "parameter"}
    return entry.said or named.get(entry.key[0]) or entry.key[-1]


def _spot(subject: Subject, entry: Entry, arc: Arc | None) -> Spot:
    table, name = entry.key[0], entry.key[1]
    if table == "states":
        node = subject.chart.root if name == WHOLE else subject.chart.node_of(name)
        return subject.at_machine() if node is None else subject.at_state(node)
    if table == "events":
        return subject.at_event(name)
    if table == "guards":
        return at_guard(subject, name)
    if arc is not None:
        return subject.at_arc(arc)
    return Spot(name, subject.at_machine().where, (subject.chart.root,))


def at_guard(subject: Subject, name: str) -> Spot:
    """A guard, with the states and events whose transitions it guards."""
    held = [arc for node in subject.chart.nodes for arcs in (node.always, *node.on.values()) for arc in arcs]
    arcs = [arc for arc in held if arc.guard is not None and arc.guard.name == name]
    states = tuple(dict.fromkeys(arc.source for arc in arcs))
    events = tuple(dict.fromkeys(arc.event for arc in arcs if arc.event))
    where = subject.places.function(name) or (arcs[0].where if arcs else "$")
    # An imported function without a name has a long address as its name.
    named = f"{arcs[0].source}/{arcs[0].event}" if arcs and name.startswith("inline:") else name
    return Spot(named, where, states if len(states) == 1 else (), events if len(events) == 1 else ())


def length(subject: Subject, text: str, language: str) -> int:
    """The number of words of a text, with the longest values that its slots may have."""
    known: dict[tuple[str, str], int] = subject.kept.setdefault("check.lengths", {})
    if (text, language) not in known:
        phrases = subject.phrases(language)
        total = 0
        for before, name, fallback in slots_of(text):
            total += words_in(before, phrases)
            if name is not None:
                total += max(
                    [words_in(fallback or "", phrases), *(words_in(value, phrases) for value in _values(subject, name))]
                )
        known[text, language] = total
    return known[text, language]


def words_in(text: str, phrases: Phrases) -> int:
    """The length of a text in spoken words."""
    return len(text.split()) if phrases.spaced else math.ceil(len(text) / _LETTERS_A_WORD)


def _values(subject: Subject, name: str) -> Iterator[str]:
    kind = subject.chart.behaviour.context
    phrases = subject.phrases(subject.languages[0])
    words = wording(subject.chart)
    parameter = subject.parameters.get(name)
    carried = [] if parameter is None else samples_of(parameter.annotation)
    held = [values_of({}, kind.values(context), kind.private)(name) for context in subject.contexts]
    for value in (*carried, *held):
        said = spoken(words.prepared(name, value), phrases)
        if said:
            yield said
