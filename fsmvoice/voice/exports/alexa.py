"""`to_alexa`: an Alexa interaction model with an intent, samples and slots for each event."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fsmvoice.errors import DefinitionError, Problem
from fsmvoice.model.chart import Chart
from fsmvoice.voice.exports.alexa_rules import BUILT_IN_WORDS, INVOCATION, NAME, SAMPLE, alexa_problems
from fsmvoice.voice.roles.roles import Roles
from fsmvoice.voice.spoken_values import SpokenValues
from fsmvoice.voice.templates import sentences
from fsmvoice.voice.utterances import Hearing, Utterances, hearing_of

MAX_SAMPLES = 100
"""Maximum number of sentences from one template."""
MAX_INTENT = 400
"""Maximum number of samples of one intent."""
BUILT_IN = ("AMAZON.HelpIntent", "AMAZON.StopIntent", "AMAZON.CancelIntent", "AMAZON.FallbackIntent")
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SLOT = re.compile(r"\{(\w+)\}")
_ITEM = re.compile(r"\.(intents|types)\[(\d+)\]")


def to_alexa(chart: Chart, locale: str | None = None, *, invocation: str | None = None) -> dict[str, Any]:
    """Write the interaction model for the developer console or SMAPI.

    Yes, no, help and stop are left to Amazon's built-in intents. Only Amazon's own build can prove that a model is
    accepted.

    Args:
        invocation: the name that people say to open the skill; by default made from the machine's id.

    Raises:
        DefinitionError: listing what Alexa would reject.
        MissingExtra: if there are templates and hassil is not installed.
    """
    hearing = hearing_of(chart, locale)
    taken: set[str] = set()
    types: dict[str, dict[str, Any]] = {}
    made = {event: _intent(hearing, it, types, taken) for event, it in hearing.events.items()}
    intents = [intent for intent in made.values() if intent]
    answers = {event.answers for event in hearing.events.values()}
    yes_no = [f"AMAZON.{answer.capitalize()}Intent" for answer in ("yes", "no") if answer in answers]
    language_model: dict[str, Any] = {
        "invocationName": invocation or _invocation(chart.config.id or "machine"),
        "intents": [*({"name": name, "samples": []} for name in (*BUILT_IN, *yes_no)), *intents],
        "types": list(types.values()),
    }
    model: dict[str, Any] = {"interactionModel": {"languageModel": language_model}}
    problems: Sequence[Problem] = alexa_problems(model)
    if problems:
        names = {event: str(intent["name"]) for event, intent in made.items() if intent}
        raise DefinitionError(
            f"the Alexa model of {chart.name}", [_placed(it, language_model, names) for it in problems]
        )
    return model


def _placed(problem: Problem, language_model: Mapping[str, Any], names: Mapping[str, str]) -> Problem:
    """A problem where it can be fixed: at the event that an intent or a type is made from."""
    found = _ITEM.search(problem.where)
    name = "" if found is None else str(language_model[found[1]][int(found[2])]["name"])
    name = f"{name.partition('_')[0]}Intent" if found is not None and found[1] == "types" else name
    events = [
        event for event, intent in names.items() if intent == name or (not found and repr(intent) in problem.message)
    ]
    if not events:
        return problem
    hint = f"rename {' or '.join(events)}" if len(events) > 1 else problem.hint
    return Problem(f"event {events[0]!r}", problem.message, hint)


def _intent(
    hearing: Hearing, event: Utterances, types: dict[str, dict[str, Any]], taken: set[str]
) -> dict[str, Any] | None:
    names = {name: spelled(name) for name in event.values}
    samples = [said for said in _samples(hearing, event, names) if _stands(event, said, names, taken)]
    taken.update(samples)
    used = {slot for said in samples for slot in _SLOT.findall(said)}
    slots = [
        {"name": names[name], "type": _type(event, values, types)}
        for name, values in event.values.items()
        if names[name] in used or event.required
    ]
    if not samples and not slots:
        return None
    return {"name": intent_name(event.event), "slots": slots, "samples": samples}


def _samples(hearing: Hearing, event: Utterances, names: Mapping[str, str]) -> list[str]:
    written = [said for template in event.templates for said in sentences(template.part, MAX_SAMPLES)]
    written += hearing.bare(event)
    found = [
        _SLOT.sub(lambda slot: f"{{{names[slot[1]]}}}", " ".join(_plain(said, hearing.roles).split()))
        for said in written
    ]
    return list(dict.fromkeys(found))[:MAX_INTENT]


def _plain(said: str, roles: Roles) -> str:
    """`said` in lower case, with digits as words, and without punctuation except apostrophes."""
    pieces = re.split(r"(\{\w+\})", said)
    return (
        "".join(
            piece if number % 2 else re.sub(r"[^\w' ]+|_", " ", _worded(piece.lower().replace("’", "'")))
            for number, piece in enumerate(pieces)
        )
        if roles.spaced
        else "".join(pieces)
    )


def _stands(event: Utterances, said: str, names: Mapping[str, str], taken: Collection[str]) -> bool:
    """Whether Alexa accepts a sample: it is unique, and a free-text slot is its only slot and has words beside it."""
    free = {names[name] for name, values in event.values.items() if values.kind == "free"}
    slots = _SLOT.findall(said)
    if said in taken or said in BUILT_IN_WORDS or not SAMPLE.fullmatch(said) or len(slots) != len(set(slots)):
        return False
    return not free & set(slots) or (len(slots) == 1 and bool(_SLOT.sub("", said).strip()))


def _type(event: Utterances, values: SpokenValues, types: dict[str, dict[str, Any]]) -> str:
    if values.kind == "number":
        return "AMAZON.NUMBER"
    if values.kind == "free":
        return "AMAZON.SearchQuery"
    name = f"{intent_name(event.event).removesuffix('Intent')}_{spelled(values.name)}"
    said = {" ".join(value.split()): None for value in values.said}
    types[name] = {"name": name, "values": [{"id": str(n), "name": {"value": value}} for n, value in enumerate(said)]}
    return name


def intent_name(event: str) -> str:
    """The intent name of an event: `AddItemIntent` for `ADD_ITEM`. Digits, which Alexa forbids, become words."""
    words = re.findall(r"[^\W_]+", re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", event))
    name = "".join(spelled(word).replace("_", " ").title().replace(" ", "") for word in words)
    return f"{name or 'Event'}Intent"


def spelled(name: str) -> str:
    """A name made of letters and underscores, as Alexa requires: `top_two` for `top2`."""
    plain = re.sub(r"\d", lambda digit: f"_{_DIGITS[int(digit[0])]}_", name)
    found = re.sub(r"_+", "_", re.sub(r"[^A-Za-z]+", "_", plain)).strip("_").lower()
    return found if NAME.fullmatch(found) else "value"


def _worded(text: str) -> str:
    return re.sub(r"\d", lambda digit: f" {_DIGITS[int(digit[0])]} ", text)


def _invocation(machine: str) -> str:
    """An invocation name of at least two words; Alexa allows a single word only for brands."""
    words = spelled(machine).split("_")
    name = " ".join(words if len(words) > 1 else ["my", *words])
    return name if INVOCATION.fullmatch(name) else "my machine"
