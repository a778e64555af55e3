"""Rules about the events that are offered together: their number, their names, and whether they do anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from fsmvoice.check.finding import Found, Severity
from fsmvoice.check.rule import rule
from fsmvoice.check.subject import Subject
from fsmvoice.check.verbs import is_no_verb_phrase
from fsmvoice.engine.configuration import Configuration, Plan
from fsmvoice.model.nodes import Call, Node
from fsmvoice.voice import texts
from fsmvoice.voice.authored import event_meta

MAX_TOGETHER = 5
"""Options at a time."""
MAX_TOLD = 12
"""Findings of V03 for one machine."""


@rule(
    "V03",
    "error",
    source="people remember about five things that they only heard; three are said, and the rest after 'more'",
    right="split the state, ask a question first, or give events that no customer says tool=False",
)
def many_options(subject: Subject) -> Iterator[Found]:
    """More than five options at a time. A warning if guards may block some of them."""
    found: list[tuple[frozenset[str], bool, Configuration]] = []
    for standing in subject.standings:
        enabled = [{it.event for it in offered if it.enabled} for offered in subject.offers(standing)]
        most = max((_labels(subject, events) for events in enabled), key=len, default=frozenset[str]())
        sure = _labels(subject, {event for event in _spoken(subject, standing) if subject.is_sure(standing, event)})
        labels = sure if len(sure) > MAX_TOGETHER else most
        if len(labels) > MAX_TOGETHER:
            found.append((labels, labels is sure, standing))
    # Of states that differ only in another region, only the one with the most options is reported.
    told: list[frozenset[str]] = []
    for labels, is_sure, standing in sorted(found, key=lambda it: (-it[1], -len(it[0]))):
        if any(labels <= more for more in told):
            continue
        told.append(labels)
        if len(told) > MAX_TOLD:
            subject.cut.append(f"V03 reports {MAX_TOLD} sets of options, and there are more")
            return
        message = f"there are {len(labels)} options: {', '.join(sorted(labels))}"
        spot = subject.at_standing(standing, [it for it in standing.events if texts.label(subject.chart, it) in labels])
        yield Found(spot, message, f"at most {MAX_TOGETHER}", None if is_sure else "warning")


def _labels(subject: Subject, events: set[str]) -> frozenset[str]:
    return frozenset(texts.label(subject.chart, event) for event in events)


def _spoken(subject: Subject, standing: Configuration) -> list[str]:
    return [event for event in standing.events if event in subject.spoken]


@rule(
    "V06",
    "error",
    source="nobody can choose between two options of the same name by voice",
    right='give each its own label: @spoken("...")',
)
def one_label(subject: Subject) -> Iterator[Found]:
    """Two events with the same label in a state. A warning if guards may keep them apart."""
    told: set[tuple[str, str, str]] = set()
    for language in subject.languages:
        for standing in subject.standings:
            for one, other in _pairs_together(subject, standing):
                label = texts.label(subject.chart, one, language)
                key = (one, other, language)
                if key in told or as_heard(label) != as_heard(texts.label(subject.chart, other, language)):
                    continue
                told.add(key)
                spot = subject.at_event(one, *_leaves(subject, standing)).also(events=(other,))
                spot = subject.translated(spot, ("events", one, "label"), language)
                message = f"{one} and {other} are both called {label!r} in {_named(subject, standing, one, other)}"
                severity = _severity(subject, standing, one, other)
                yield Found(spot, message, "different labels", severity, subject.told(language))


@rule(
    "V15",
    "error",
    source="'yes' can only mean one thing",
    right="remove answers= from one of them",
)
def two_answers(subject: Subject) -> Iterator[Found]:
    """Two events that answer "yes", or "no", in one state. A warning if guards may keep them apart."""
    told: set[tuple[str, str]] = set()
    for standing in subject.standings:
        for one, other in _pairs_together(subject, standing):
            answer = event_meta(subject.chart.config, one).get("answers")
            same = answer in ("yes", "no") and answer == event_meta(subject.chart.config, other).get("answers")
            if not same or (one, other) in told:
                continue
            told.add((one, other))
            spot = subject.at_event(one, *_leaves(subject, standing)).also(events=(other,))
            message = f"{one} and {other} both answer {answer!r} in {_named(subject, standing, one, other)}"
            yield Found(spot, message, "one event for each answer", _severity(subject, standing, one, other))


def _pairs_together(subject: Subject, standing: Configuration) -> list[tuple[str, str]]:
    """The pairs of spoken events that are possible at the same time in a standing."""
    together = subject.together(standing)
    return [pair for pair in combinations(_spoken(subject, standing), 2) if pair[1] in together.get(pair[0], ())]


def _severity(subject: Subject, standing: Configuration, *events: str) -> Severity:
    return "error" if all(subject.is_sure(standing, event) for event in events) else "warning"


def _leaves(subject: Subject, standing: Configuration) -> tuple[Node, ...]:
    return tuple(subject.chart.nodes[leaf] for leaf in standing.leaves)


def _named(subject: Subject, standing: Configuration, *events: str) -> str:
    return repr(subject.at_standing(standing, events).name)


@lru_cache(maxsize=4096)
def as_heard(label: str) -> str:
    """A label without what can't be heard: case, punctuation and extra whitespace."""
    return " ".join(re.findall(r"[^\W_]+", label.casefold()))


@rule(
    "V28",
    "warning",
    source="a label is said as 'You can {label}.'",
    right='give the event a label that starts with a verb: @spoken("say it is ready")',
)
def no_verb(subject: Subject) -> Iterator[Found]:
    """A label made from an event's name that is not a verb phrase: "You can ready."."""
    if subject.languages[0].partition("-")[0] != "en":
        return
    for event in subject.spoken:
        label = texts.label(subject.chart, event)
        if not event_meta(subject.chart.config, event).get("label") and is_no_verb_phrase(label):
            yield Found(subject.at_event(event), f'it is said as "You can {label}."', "a label that starts with a verb")


@rule(
    "V29",
    "warning",
    source="people expect an option to do something",
    right="remove the transition, let it do or say something, or forbid the event with a reason",
)
def nothing_changes(subject: Subject) -> Iterator[Found]:
    """An event that is offered in a state but does nothing there: no other state, no action, no text."""
    told: set[str] = set()
    for move in subject.ways.moves:
        if move.before is None or move.event not in subject.spoken or not _does_nothing(subject, move.plan):
            continue
        arc = move.plan.arcs[0]
        if arc.where in told or texts.says(subject.chart, move.event, [arc.config]):
            continue
        if not arc.forbids:
            told.add(arc.where)
            yield Found(subject.at_arc(arc), f"{move.event} does nothing here", "an action, a text, or no transition")


def _does_nothing(subject: Subject, plan: Plan) -> bool:
    if plan.moves or plan.entered or plan.completes or plan.forbids:
        return False
    return all(isinstance(it, Call) and subject.reading(it.name).empty for it in plan.operations)
