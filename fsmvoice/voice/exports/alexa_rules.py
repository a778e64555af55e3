"""Checking an interaction model against the documented rules of Alexa.

Source: developer.amazon.com/docs/custom-skills: create-intents-utterances-and-slots, slot-type-reference,
choose-the-invocation-name-for-a-custom-skill, standard-built-in-intents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fsmvoice.errors import Problem

NAME = re.compile(r"[A-Za-z](?:[A-Za-z_]*[A-Za-z])?")
SAMPLE = re.compile(r"(?:[^\W\d_]|[' ]|\{[A-Za-z_]+\})+")
INVOCATION = re.compile(r"[^\W\d_A-Z][^\d_A-Z]{1,49}")
REQUIRED = ("AMAZON.HelpIntent", "AMAZON.StopIntent", "AMAZON.CancelIntent")
WAKE_WORDS = frozenset({"alexa", "amazon", "echo", "computer", "skill", "app"})
LAUNCH_WORDS = frozenset({"launch", "ask", "tell", "load", "begin", "enable", "open", "start"})
MAX_INTENTS = 250
MAX_SAMPLE = 200
BUILT_IN_WORDS = frozenset(
    {"yes", "yeah", "yep", "sure", "okay", "no", "nope", "help", "help me", "stop", "cancel", "repeat", "start over"}
)
_SLOT = re.compile(r"\{(\w+)\}")


def alexa_problems(model: Mapping[str, Any]) -> list[Problem]:
    """Everything in an interaction model that breaks Amazon's rules."""
    language_model = model["interactionModel"]["languageModel"]
    intents: Sequence[Mapping[str, Any]] = language_model["intents"]
    types = {kind["name"]: kind for kind in language_model.get("types", ())}
    where = "$.interactionModel.languageModel"
    found = [
        *_invocation(str(language_model.get("invocationName", "")), f"{where}.invocationName"),
        *_counts(intents, where),
        *_types(types, where),
    ]
    samples: dict[str, str] = {}
    for number, intent in enumerate(intents):
        found += _intent(intent, types, f"{where}.intents[{number}]", samples)
    return found


def _invocation(name: str, where: str) -> Iterator[Problem]:
    words = name.split()
    if not INVOCATION.fullmatch(name):
        told = f"{name!r} should be 2 to 50 lower-case letters and spaces, without digits"
        yield Problem(where, told, "give the machine another id")
    elif len(words) < 2:
        yield Problem(where, f"{name!r} is one word", "only a brand's name may be a single word")
    for word in words:
        if word in WAKE_WORDS or word in LAUNCH_WORDS:
            yield Problem(where, f"{name!r} contains {word!r}, which Alexa reserves", "give the machine another id")


def _counts(intents: Sequence[Mapping[str, Any]], where: str) -> Iterator[Problem]:
    names = [str(intent["name"]) for intent in intents]
    for name in REQUIRED:
        if name not in names:
            yield Problem(f"{where}.intents", f"{name} is missing", "every skill has to handle help, stop and cancel")
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        yield Problem(f"{where}.intents", f"two intents are named {name!r}", "rename an event")
    if len(names) > MAX_INTENTS:
        told = f"there are {len(names)} intents; Alexa takes {MAX_INTENTS}"
        yield Problem(f"{where}.intents", told, "take out events that no customer says: tool=False")


def _types(types: Mapping[str, Mapping[str, Any]], where: str) -> Iterator[Problem]:
    for number, (name, kind) in enumerate(types.items()):
        at = f"{where}.types[{number}]"
        if not NAME.fullmatch(name):
            yield Problem(at, f"the type {name!r} should have only letters and underscores")
        if not kind.get("values"):
            yield Problem(at, f"the type {name!r} has no values", "give the parameter values that can be said")
        for value in kind.get("values", ()):
            text = str(value["name"]["value"])
            if len(text) > 140 or re.search(r"[<>{}\[\]|*]", text):
                yield Problem(at, f"the value {text[:40]!r} can't be said", "140 characters, without markup")


def _intent(intent: Mapping[str, Any], types: Mapping[str, Any], where: str, seen: dict[str, str]) -> Iterator[Problem]:
    name = str(intent["name"])
    if name.startswith("AMAZON."):
        return
    if not NAME.fullmatch(name):
        yield Problem(where, f"the intent {name!r} should have only letters and underscores")
    declared = [str(slot["name"]) for slot in intent.get("slots", ())]
    for slot in dict.fromkeys(slot for slot in declared if declared.count(slot) > 1):
        yield Problem(where, f"{name} has two slots that are named {slot!r}", "rename a parameter, in letters")
    slots = {str(slot["name"]): str(slot["type"]) for slot in intent.get("slots", ())}
    for slot, kind in slots.items():
        if not NAME.fullmatch(slot):
            yield Problem(where, f"the slot {slot!r} should have only letters and underscores")
        if not kind.startswith("AMAZON.") and kind not in types:
            yield Problem(where, f"the slot {slot!r} is of the type {kind!r}, which is not defined")
    if not intent.get("samples"):
        yield Problem(where, f"{name} has no samples", "give its event a label or utterances in letters")
    for sample in intent.get("samples", ()):
        yield from _sample(name, str(sample), slots, where, seen)


def _sample(name: str, sample: str, slots: Mapping[str, str], where: str, seen: dict[str, str]) -> Iterator[Problem]:
    used = _SLOT.findall(sample)
    if not SAMPLE.fullmatch(sample):
        yield Problem(where, f"the sample {sample!r} should have only letters, apostrophes and slots")
    if sample != sample.lower() and _SLOT.sub("", sample) != _SLOT.sub("", sample).lower():
        yield Problem(where, f"the sample {sample!r} should be in lower case")
    if len(sample) > MAX_SAMPLE:
        yield Problem(where, f"the sample {sample[:40]!r} is longer than {MAX_SAMPLE} characters")
    for slot in used:
        if slot not in slots:
            yield Problem(where, f"the sample {sample!r} has the slot {slot!r}, which {name} does not declare")
    if len(used) != len(set(used)):
        yield Problem(where, f"the sample {sample!r} has a slot twice")
    free = [slot for slot in used if slots.get(slot) == "AMAZON.SearchQuery"]
    if free and len(used) > 1:
        yield Problem(where, f"the sample {sample!r} has AMAZON.SearchQuery beside another slot")
    if free and not _SLOT.sub("", sample).strip():
        yield Problem(where, f"the sample {sample!r} is AMAZON.SearchQuery alone", "it needs words beside it")
    if sample in BUILT_IN_WORDS:
        yield Problem(where, f"the sample {sample!r} is one of Amazon's own intents", "leave it to that intent")
    if seen.setdefault(sample, name) != name:
        yield Problem(where, f"the sample {sample!r} is {seen[sample]}'s too", "it can mean one thing only")
