"""Alexa's interaction model of a machine: an intent for each event, with samples, slots and their values."""

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
"""Sentences of one template."""
MAX_INTENT = 400
"""Samples of one intent."""
BUILT_IN = ("AMAZON.HelpIntent", "AMAZON.StopIntent", "AMAZON.CancelIntent", "AMAZON.FallbackIntent")
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SLOT = re.compile(r"\{(\w+)\}")


def to_alexa(chart: Chart, locale: str | None = None, *, invocation: str | None = None) -> dict[str, Any]:
    """The interaction model, as the developer console and SMAPI take it.

    What means yes, no, help and stop everywhere is left to Amazon's own intents. Whether a model is good enough, only
    Amazon's build proves.

    Args:
        invocation: the name people say to open it; made from the machine's id if not given.

    Raises:
        DefinitionError: for what Alexa would refuse.
        MissingExtra: if there are templates and hassil is not installed.
    """
    hearing = hearing_of(chart, locale)
    taken: set[str] = set()
    types: dict[str, dict[str, Any]] = {}
    intents = [intent for event in hearing.events.values() if (intent := _intent(hearing, event, types, taken))]
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
        raise DefinitionError(f"the Alexa model of {chart.name}", problems)
    return model


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
    """Lower case, digits as words, and no punctuation but apostrophes."""
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
    """Whether Alexa takes a sample: no one else has it, and a free text stands in it alone, with words beside it."""
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
    """`ADD_ITEM` as Alexa names an intent: `AddItemIntent`. It takes no digits."""
    words = re.findall(r"[^\W_]+", re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", event))
    name = "".join(spelled(word).replace("_", " ").title().replace(" ", "") for word in words)
    return f"{name or 'Event'}Intent"


def spelled(name: str) -> str:
    """A name in the letters and underscores that Alexa takes: `top2` is `top_two`."""
    plain = re.sub(r"\d", lambda digit: f"_{_DIGITS[int(digit[0])]}_", name)
    found = re.sub(r"_+", "_", re.sub(r"[^A-Za-z]+", "_", plain)).strip("_").lower()
    return found if NAME.fullmatch(found) else "value"


def _worded(text: str) -> str:
    return re.sub(r"\d", lambda digit: f" {_DIGITS[int(digit[0])]} ", text)


def _invocation(machine: str) -> str:
    """A name of two words or more: Alexa takes one word only for a brand."""
    words = spelled(machine).split("_")
    name = " ".join(words if len(words) > 1 else ["my", *words])
    return name if INVOCATION.fullmatch(name) else "my machine"
