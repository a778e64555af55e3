"""Rules about what is offered together: how much, under which names, and whether it does anything."""

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
MAX_TOLD = 12
"""Sets of options that are told of one machine."""


@rule(
    "V03",
    "error",
    source="nobody keeps more than five things in mind that were only heard; three are said, the rest is behind 'more'",
    right="split the state, ask first, or give events that no customer says tool=False",
)
def many_options(subject: Subject) -> Iterator[Found]:
    """More than five things that can be done at once. A warning where guards may keep some of them closed."""
    found: list[tuple[frozenset[str], bool, Configuration]] = []
    for standing in subject.standings:
        enabled = [{it.event for it in offered if it.enabled} for offered in subject.offers(standing)]
        most = max((_labels(subject, events) for events in enabled), key=len, default=frozenset[str]())
        sure = _labels(subject, {event for event in _spoken(subject, standing) if subject.is_sure(standing, event)})
        labels = sure if len(sure) > MAX_TOGETHER else most
        if len(labels) > MAX_TOGETHER:
            found.append((labels, labels is sure, standing))
    # Of states that differ in another region, those in which most can be done stand for all.
    told: list[frozenset[str]] = []
    for labels, is_sure, standing in sorted(found, key=lambda it: (-it[1], -len(it[0]))):
        if any(labels <= more for more in told):
            continue
        told.append(labels)
        if len(told) > MAX_TOLD:
            subject.cut.append(f"V03 tells of {MAX_TOLD} sets of things to do, and there are more")
            return
        message = f"{len(labels)} things can be done at once: {', '.join(sorted(labels))}"
        spot = subject.at_standing(standing, [it for it in standing.events if texts.label(subject.chart, it) in labels])
        yield Found(spot, message, f"at most {MAX_TOGETHER}", None if is_sure else "warning")


def _labels(subject: Subject, events: set[str]) -> frozenset[str]:
    return frozenset(texts.label(subject.chart, event) for event in events)


def _spoken(subject: Subject, standing: Configuration) -> list[str]:
    return [event for event in standing.events if event in subject.spoken]


@rule(
    "V06",
    "error",
    source="two things with one name can't be chosen between by voice",
    right='give each a label of its own: @spoken("...")',
)
def one_label(subject: Subject) -> Iterator[Found]:
    """Two events that are called the same in a state. A warning where guards may keep them apart."""
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
                yield Found(spot, message, "a label for each", severity, subject.told(language))


@rule(
    "V15",
    "error",
    source="'yes' can mean one thing only",
    right="leave answers= out of one of them",
)
def two_answers(subject: Subject) -> Iterator[Found]:
    """Two events that answer "yes", or "no", in one state. A warning where guards may keep them apart."""
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
    """The spoken events of a standing that are possible at the same time, two by two."""
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
    """A label without what can't be heard of it: capitals, signs, blanks."""
    return " ".join(re.findall(r"[^\W_]+", label.casefold()))


@rule(
    "V28",
    "warning",
    source="a label is said as 'You can {label}.'",
    right='give the event a label that begins with a verb: @spoken("say it is ready")',
)
def no_verb(subject: Subject) -> Iterator[Found]:
    """A label made from an event's name that is not a verb phrase: "You can ready."."""
    if subject.languages[0].partition("-")[0] != "en":
        return
    for event in subject.spoken:
        label = texts.label(subject.chart, event)
        if not event_meta(subject.chart.config, event).get("label") and is_no_verb_phrase(label):
            yield Found(subject.at_event(event), f'it is said as "You can {label}."', "a label that begins with a verb")


@rule(
    "V29",
    "warning",
    source="what is offered is expected to do something",
    right="leave the transition out, let it do or say something, or forbid the event with a reason",
)
def nothing_changes(subject: Subject) -> Iterator[Found]:
    """An event that is offered in a state and changes nothing there: no other state, no action, nothing said."""
    told: set[str] = set()
    for move in subject.ways.moves:
        if move.before is None or move.event not in subject.spoken or not _does_nothing(subject, move.plan):
            continue
        arc = move.plan.arcs[0]
        if arc.where in told or texts.says(subject.chart, move.event, [arc.config]):
            continue
        if not arc.forbids:
            told.add(arc.where)
            yield Found(subject.at_arc(arc), f"{move.event} does nothing here", "an effect, a text, or no offer")


def _does_nothing(subject: Subject, plan: Plan) -> bool:
    if plan.moves or plan.entered or plan.completes or plan.forbids:
        return False
    return all(isinstance(it, Call) and subject.reading(it.name).empty for it in plan.operations)
