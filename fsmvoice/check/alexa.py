"""Rules for Alexa only. Each names the page of Amazon's documentation that it comes from."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence

from fsmvoice.check.finding import Found, Spot
from fsmvoice.check.options import as_heard
from fsmvoice.check.rule import rule
from fsmvoice.check.subject import Subject
from fsmvoice.errors import DefinitionError, Problem
from fsmvoice.voice.authored import event_meta
from fsmvoice.voice.exports.addon import to_addon
from fsmvoice.voice.exports.alexa import to_alexa

_TOOLS = "https://developer.amazon.com/docs/alexaplus/add-ons/mcp-addon-tools-schema-data-design.html"
_MODEL = "https://developer.amazon.com/docs/custom-skills/create-intents-utterances-and-slots.html"


def _description(subject: Subject, event: str) -> str:
    """The description of an event's tool, as its author wrote it."""
    written = event_meta(subject.chart.config, event).get("description")
    return (written if isinstance(written, str) else subject.payload(event).doc).strip()


@rule(
    "A01",
    "warning",
    source=f"{_TOOLS}: each tool a clear description of when to call it, why, and what it returns",
    right="give the event's method a docstring, or the event a description in meta.events",
    alexa=True,
)
def undescribed_tool(subject: Subject) -> Iterator[Found]:
    """An event without a description, by which Alexa chooses tools."""
    for event in subject.spoken:
        if not _description(subject, event):
            yield Found(subject.at_event(event), "its tool has no description", "a docstring")


@rule(
    "A02",
    "warning",
    source=f"{_TOOLS}: no tools that duplicate or overlap one another",
    right="say how they differ, or make them one event",
    alexa=True,
)
def same_tools(subject: Subject) -> Iterator[Found]:
    """Two events with the same description, so Alexa may call the wrong one, or both."""
    first: dict[str, str] = {}
    for event in subject.spoken:
        described = as_heard(_description(subject, event))
        if described and first.setdefault(described, event) != event:
            spot = subject.at_event(event).also(events=(first[described],))
            yield Found(spot, f"it has the same description as {first[described]}", "what only this event does")


@rule(
    "A03",
    "error",
    source=f"{_MODEL}; only Amazon's own build proves a model",
    right="change the name, utterance or value in question",
    alexa=True,
)
def refused_model(subject: Subject) -> Iterator[Found]:
    """An interaction model that Alexa would refuse: `fsmvoice convert TARGET --to alexa` can't be written."""
    for language in subject.languages:
        locale = None if language == subject.languages[0] else language
        yield from _refused(subject, language, functools.partial(to_alexa, subject.chart, locale))


@rule(
    "A04",
    "error",
    source="https://developer.amazon.com/docs/alexaplus/add-ons/mcp-toolkit-quickstart.html: the schema of addon.json",
    right="a name of 30 characters, a first line of 123, three phrases that lead to their events",
    alexa=True,
)
def refused_addon(subject: Subject) -> Iterator[Found]:
    """An add-on that Alexa+ would refuse: its name or description is too long, or it has no three example phrases."""
    yield from _refused(subject, subject.languages[0], lambda: to_addon(subject.chart, subject.places.doc))


def _refused(subject: Subject, language: str, export: Callable[[], object]) -> Iterator[Found]:
    if subject.hearing(language) is None:
        return  # a rule of its own reports templates that can't be read
    problems: Sequence[Problem] = ()
    try:
        export()
    except DefinitionError as error:
        problems = error.problems
    for problem in problems:
        yield Found(
            _spot(subject, problem.where),
            problem.message,
            problem.hint or "what Amazon's documentation says",
            locale=subject.told(language),
        )


def _spot(subject: Subject, where: str) -> Spot:
    """The part of the machine that a part of an export comes from."""
    event = re.fullmatch(r"event (['\"])(.*)\1", where)
    if event is not None and event[2] in subject.chart.events:
        return subject.at_event(event[2])
    if where.endswith((".invocationName", ".name.value")):
        return subject.at_machine(subject.places.machine or "$.id")
    if where.endswith("Description"):
        return subject.at_machine(subject.places.machine or "$.description")
    return subject.at_machine()
