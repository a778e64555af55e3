"""`to_addon`: a draft of an Alexa+ add-on's `addon.json`, within Amazon's limits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fsmvoice.engine.configuration import configuration_of
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import DefinitionError, Problem
from fsmvoice.model.chart import Chart
from fsmvoice.model.run_state import RunState
from fsmvoice.voice.exports.sayings import framed
from fsmvoice.voice.heard import Match
from fsmvoice.voice.match import hear
from fsmvoice.voice.templates import sentences
from fsmvoice.voice.utterances import Hearing, Utterances, hearing_of
from fsmvoice.voice.values import words

MAX_NAME = 30
MAX_SHORT = 123
MAX_FULL = 4_000
MAX_PHRASE = 200
MIN_PHRASES, MAX_PHRASES = 3, 4
_SLOT = re.compile(r"\{(\w+)\}")


def to_addon(chart: Chart, doc: str = "", locale: str | None = None) -> dict[str, Any]:
    """Draft the store listing: name, descriptions and example phrases, each heard as its event in some state.

    The fields are those of the `addon.json` in Amazon's quickstart for MCP add-ons. What a machine can't know is left
    out: countries, privacy policy and terms, images, and the server's address.

    Args:
        doc: a description of the machine, by default its config's; for a class, its docstring.

    Raises:
        DefinitionError: listing what exceeds Amazon's limits.
    """
    hearing = hearing_of(chart, locale)
    name = words(chart.config.id or "machine").title()
    lines = [line.strip() for line in (doc or chart.config.description or "").strip().splitlines()]
    short = lines[0] if lines and lines[0] else f"{name}, by voice."
    listing: dict[str, Any] = {
        "default": "DEFAULT",
        "name": {"value": name},
        "shortDescription": short,
        "fullDescription": " ".join(line for line in lines if line) or short,
        "examplePhrases": _phrases(chart, hearing, locale),
    }
    tag = chart_locale(hearing, locale)
    draft: dict[str, Any] = {"manifestVersion": "1.0", "storeListing": {"locales": {tag: listing}}}
    problems = addon_problems(draft)
    if problems:
        raise DefinitionError(f"the add-on of {chart.name}", problems)
    return draft


def chart_locale(hearing: Hearing, locale: str | None) -> str:
    """The language tag with a region: Amazon takes `en-US`, not `en`."""
    regions = {"en": "en-US", "de": "de-DE", "fr": "fr-FR", "es": "es-ES", "ja": "ja-JP"}
    return locale if locale and "-" in locale else regions[hearing.roles.tag]


def addon_problems(draft: Mapping[str, Any]) -> list[Problem]:
    """What Amazon would reject in a draft."""
    locales: Mapping[str, Mapping[str, Any]] = draft["storeListing"]["locales"]
    return [problem for tag, listing in locales.items() for problem in _problems(listing, tag)]


def _problems(listing: Mapping[str, Any], tag: str) -> Iterator[Problem]:
    where = f"$.storeListing.locales[{tag!r}]"
    name, phrases = str(listing["name"]["value"]), list(listing["examplePhrases"])
    if not 0 < len(name) <= MAX_NAME:
        told = f"the name {name!r} has {len(name)} characters; it may have {MAX_NAME}"
        yield Problem(f"{where}.name.value", told, "give a shorter id")
    for key, what, limit in (
        ("shortDescription", "short description", MAX_SHORT),
        ("fullDescription", "full description", MAX_FULL),
    ):
        count = len(str(listing[key]))
        if not 0 < count <= limit:
            told = f"the {what} has {count:,} characters; it may have {limit:,}"
            shorter = "shorten the docstring's first line" if key == "shortDescription" else "shorten the docstring"
            yield Problem(f"{where}.{key}", told, f"{shorter}, or the config's description")
    if not MIN_PHRASES <= len(phrases) <= MAX_PHRASES:
        there = "is 1 example phrase" if len(phrases) == 1 else f"are {len(phrases) or 'no'} example phrases"
        told = f"there {there}; Amazon wants {MIN_PHRASES} to {MAX_PHRASES}"
        yield Problem(f"{where}.examplePhrases", told, "give events utterances, or labels that differ")
    for number, phrase in enumerate(phrases):
        if not 0 < len(phrase) <= MAX_PHRASE:
            told = f"the example phrase {phrase[:40]!r} has {len(phrase)} characters; it may have {MAX_PHRASE}"
            yield Problem(f"{where}.examplePhrases[{number}]", told)


def _phrases(chart: Chart, hearing: Hearing, locale: str | None) -> list[str]:
    """Example phrases, one per event in turn, up to the maximum."""
    candidates = [_candidates(hearing, event) for event in hearing.events.values()]
    found: dict[str, None] = {}
    for round_number in range(max(map(len, candidates), default=0)):
        for event, phrases in zip(hearing.events.values(), candidates, strict=True):
            phrase = phrases[round_number] if round_number < len(phrases) else ""
            if phrase and len(found) < MAX_PHRASES and _leads(chart, event, phrase, locale):
                found[phrase] = None
    return list(found)


def _candidates(hearing: Hearing, event: Utterances) -> list[str]:
    """Candidate phrases for an event: one with values, then its label, then its short utterances."""
    frames = framed(hearing, event)
    written = [event.label]
    if frames is not None:
        before = next((said for said in frames.before if len(said.split()) > 2), frames.before[0])
        written = [f"{before} {frames.values[-1]}".strip(), *written]
    short = [said for template in event.templates for said in sentences(template.part, 40) if "{" not in said]
    written += sorted((said for said in short if len(said.split()) > 1), key=len)
    values = event.values
    return [
        " ".join(_SLOT.sub(lambda slot: next(iter(values[slot[1]].said), "1"), said).split())
        for said in dict.fromkeys(written)
    ]


def _leads(chart: Chart, event: Utterances, phrase: str, locale: str | None) -> bool:
    """Whether a phrase is heard as its event in some state that has the event."""
    for node in chart.nodes:
        if node.is_leaf and event.event in configuration_of(chart, (node.index,)).events:
            state = RunState((node.index,), chart.behaviour.context.initial())
            heard = hear(Snapshot(chart, state), phrase, locale=locale)
            return isinstance(heard, Match) and heard.event == event.event
    return False
