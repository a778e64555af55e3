"""Rules about what is heard: whether words lead to their event, and only to that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from fsmvoice.check.finding import Found, Spot
from fsmvoice.check.homophones import alike
from fsmvoice.check.options import as_heard
from fsmvoice.check.rule import rule
from fsmvoice.check.subject import Subject
from fsmvoice.engine.configuration import Configuration
from fsmvoice.errors import DefinitionError
from fsmvoice.model.slots import slots_of
from fsmvoice.voice import texts
from fsmvoice.voice.heard import ROLES, Ambiguous, Heard, Match
from fsmvoice.voice.match import hear
from fsmvoice.voice.templates import count, sentences
from fsmvoice.voice.utterances import Hearing, Utterances, hearing_of

MIN_EACH, MAX_EACH = 8, 40
"""Sentences of each template that are tried: more if there are few templates."""
MAX_HEARD = 4_000
"""Sentences that are tried in total, so that even a large machine takes only seconds."""
MAX_CALLS = 200
"""Sentences of each template that are compared with words that mean the same in every state."""
MIN_SAMPLES = 3
"""Ways to ask for an event that Alexa needs."""
MAX_VALUES = 60
"""Numbers of a range that are compared by sound."""
_SLOT = re.compile(r"\{(\w+)\}")
_CALLED = ("help", "repeat", "status", "start_over")
_SLOTS_PAGE = (
    "https://developer.amazon.com/docs/custom-skills/"
    "best-practices-for-sample-utterances-and-custom-slot-type-values.html"
)


@rule(
    "V07",
    "error",
    source="the words in which a machine offers an event must be understood as that event",
    right="change the label or template, so that no other event matches it",
)
def heard_as_another(subject: Subject) -> Iterator[Found]:
    """A label or template that is heard as another event in a state that offers both.

    A warning if the machine asks which was meant, or if guards may keep the two apart.
    """
    told: set[tuple[str, str, str]] = set()
    for language, standing, event, said, heard in _tried(subject):
        others = _others(event, heard)
        for other in others:
            if (event, other, language) in told or _same_label(subject, event, other, language):
                continue
            told.add((event, other, language))
            sure = all(subject.is_sure(standing, it) for it in (event, other)) and not isinstance(heard, Ambiguous)
            leaves = [subject.chart.nodes[leaf] for leaf in standing.leaves]
            spot = subject.at_event(event, *leaves).also(events=(other,))
            spot = subject.translated(spot, _key(subject, event, said, language), language)
            told_as = f"as {other} or {event}" if isinstance(heard, Ambiguous) else f"as {other}"
            message = f"{said!r} is heard {told_as} in {subject.at_standing(standing, (event, other)).name!r}"
            yield Found(
                spot, message, f"words that mean {event} only", None if sure else "warning", subject.told(language)
            )


def _others(event: str, heard: Heard) -> Sequence[str]:
    if isinstance(heard, Match):
        return () if heard.event == event or heard.event in ROLES else (heard.event,)
    if isinstance(heard, Ambiguous):
        return [match.event for match in heard.candidates if match.event != event]
    return ()


def _same_label(subject: Subject, one: str, other: str, language: str) -> bool:
    labels = [texts.label(subject.chart, event, language) for event in (one, other)]
    return as_heard(labels[0]) == as_heard(labels[1])


@rule(
    "V27",
    "error",
    source="https://developer.amazon.com/docs/custom-skills/functional-testing-for-a-custom-skill.html: "
    "example phrases are what people try first",
    right="change the phrase, or the words of the other meaning",
)
def leads_nowhere(subject: Subject) -> Iterator[Found]:
    """A phrase of an event that does not lead to it, because it is not understood or means help.

    Each event's label and the first sentences of its templates are tried in a state that offers it.
    """
    told: set[tuple[str, str]] = set()
    for language in subject.languages:
        if subject.hearing(language) is None:
            yield from _unreadable(subject, language)
    lost = [
        (language, event, said, f"asks for {role} in every state") for language, event, said, role in _calls(subject)
    ]
    lost += [
        (language, event, said, "is not understood")
        for language, _, event, said, heard in _tried(subject)
        if not isinstance(heard, Match | Ambiguous)
    ]
    for language, event, said, as_what in lost:
        if (event, language) not in told:
            told.add((event, language))
            right = f"a phrase that leads to {event}"
            spot = subject.translated(subject.at_event(event), _key(subject, event, said, language), language)
            yield Found(spot, f"{said!r} {as_what}", right, locale=subject.told(language))


def _key(subject: Subject, event: str, said: str, language: str) -> tuple[str, ...]:
    """The key of an event's phrase in a locale file."""
    label = texts.label(subject.chart, event, language)
    return ("events", event, "label" if as_heard(label) == as_heard(said) else "utterances")


def _calls(subject: Subject) -> Iterator[tuple[str, str, str, str]]:
    """The phrases of events that mean help, or something else that is understood in every state."""
    for language in subject.languages:
        hearing = subject.hearing(language)
        for event in () if hearing is None else hearing.events.values():
            for said in (said for template in event.templates for said in sentences(template.part, MAX_CALLS)):
                role = hearing.roles.role(said) if hearing is not None and "{" not in said else None
                if role in _CALLED:
                    yield language, event.event, said, str(role).replace("_", " ")


def _unreadable(subject: Subject, language: str) -> Iterator[Found]:
    try:
        hearing_of(subject.chart, None if language == subject.languages[0] else language)
    except DefinitionError as error:
        for problem in error.problems:
            event = next((it for it in subject.spoken if problem.where == f"$.meta.events[{it!r}].utterances"), "")
            spot = subject.at_event(event) if event else Spot("", problem.where)
            spot = subject.translated(spot, ("events", event, "utterances"), language)
            yield Found(spot, problem.message, problem.hint, locale=subject.told(language))


def _tried(subject: Subject) -> Iterator[tuple[str, Configuration, str, str, Heard]]:
    """What is heard for each event's phrases in each state that offers it. Computed once."""
    known = subject.kept.get("check.heard")
    if known is None:
        known = subject.kept["check.heard"] = list(_try(subject))
    yield from known


def _try(subject: Subject) -> Iterator[tuple[str, Configuration, str, str, Heard]]:
    left = MAX_HEARD
    for language in subject.languages:
        hearing = subject.hearing(language)
        if hearing is None:
            continue
        written = sum(len(it.templates) for it in hearing.events.values())
        each = max(MIN_EACH, min(MAX_EACH, MAX_HEARD // (4 * written or 1)))
        phrases = {event: _phrases(it, each) for event, it in hearing.events.items()}
        seen: set[tuple[str, frozenset[str]]] = set()
        locale = None if language == subject.languages[0] else language
        for standing in subject.standings:
            for snapshot in subject.snapshots(standing)[:2]:
                possible = frozenset(event for event, it in snapshot.verdicts.items() if it.possible)
                for event in sorted(possible & phrases.keys()):
                    if (event, possible) in seen:
                        continue
                    seen.add((event, possible))
                    for said in phrases[event]:
                        left -= 1
                        if left < 0:
                            subject.cut.append(f"{MAX_HEARD:,} phrases were checked, and there are more")
                            return
                        yield language, standing, event, said, hear(snapshot, said, locale=locale)


def _phrases(event: Utterances, each: int) -> list[str]:
    """The label and up to `each` sentences of each template, with a value in each slot."""
    said: dict[str, None] = {}
    for template in event.templates:
        for number, sentence in enumerate(sentences(template.part, each)):
            pieces = _SLOT.split(sentence)
            filled = (_value(event, piece, number) if at % 2 else piece for at, piece in enumerate(pieces))
            said[" ".join("".join(filled).split())] = None
    return list(said)


def _value(event: Utterances, name: str, number: int) -> str:
    values = event.values.get(name)
    if values is None:
        return ""
    if values.said:
        return values.said[number % len(values.said)]
    return str(values.numbers[0]) if values.numbers is not None else "something else"


@rule(
    "V16",
    "warning",
    source=_SLOTS_PAGE,
    right="give the event utterances, as people would ask for it",
    alexa=True,
)
def few_samples(subject: Subject) -> Iterator[Found]:
    """Fewer than three ways to ask for an event, from which Alexa learns."""
    for language in subject.languages[:1]:
        hearing: Hearing | None = subject.hearing(language)
        for event in () if hearing is None else hearing.events.values():
            ways = sum(count(template.part) for template in event.templates)
            if ways <= MAX_CALLS:
                ways = len({said for template in event.templates for said in sentences(template.part, MAX_CALLS)})
            if ways < MIN_SAMPLES:
                told = "is one way" if ways == 1 else f"are {ways or 'no'} ways"
                yield Found(subject.at_event(event.event), f"there {told} to ask for it", f"{MIN_SAMPLES} or more")


@rule(
    "V18",
    "warning",
    source=f"{_SLOTS_PAGE}; which values sound alike is our own judgement",
    right="rename one of them, or read the value back in the confirmation, the acknowledgement or the next prompt",
    alexa=True,
)
def near_homophones(subject: Subject) -> Iterator[Found]:
    """Two values of a parameter that sound alike, such as fifteen and fifty, and are not read back."""
    if subject.languages[0].partition("-")[0] != "en":
        return
    hearing = subject.hearing(subject.languages[0])
    for event in () if hearing is None else hearing.events.values():
        for name, values in event.values.items():
            if _is_read_back(subject, event.event, name):
                continue
            words: Sequence[str] = values.said
            if values.numbers is not None:
                low, high = values.numbers
                words = [str(number) for number in range(low, min(high, low + MAX_VALUES) + 1)]
            pairs = alike(words)
            if pairs:
                listed = ", ".join(f"{one} and {other}" for one, other in pairs[:3])
                message = f"values of {name!r} sound alike and are not read back: {listed}"
                yield Found(subject.at_event(event.event), message, "the value read back, or different words")


def _is_read_back(subject: Subject, event: str, name: str) -> bool:
    """Whether the confirmation, the acknowledgement or the next prompt says the value."""
    spoken: list[str | None] = [texts.confirm(subject.chart, event)]
    for move in subject.ways.moves:
        if move.event == event:
            spoken += texts.says(subject.chart, event, [arc.config for arc in move.plan.arcs])
            spoken += [text for node in move.plan.entered for text in texts.prompts(node.config)]
    slots: Mapping[str, None] = {slot: None for text in spoken if text for _, slot, _ in slots_of(text) if slot}
    return name in slots
