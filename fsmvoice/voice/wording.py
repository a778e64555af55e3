"""`Wording`: the texts of a machine in one language, from its locale files or else its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal, cast

from fsmvoice.model.chart import Chart
from fsmvoice.model.config import TransitionConfig
from fsmvoice.model.locale_files import LocaleFile
from fsmvoice.model.money import Amount, Money
from fsmvoice.model.payload import Parameter
from fsmvoice.model.slots import slots_of
from fsmvoice.voice.authored import EventTexts, event_texts, guard_reason, own_locale, prompts, text_of, texts_of
from fsmvoice.voice.entries import Entry, Key, entries, spoken_name, state_key, value_key
from fsmvoice.voice.formats import parts_of
from fsmvoice.voice.languages import DEFAULT, fallbacks, language_of
from fsmvoice.voice.values import clean

_NONE: Mapping[str, str] = {}


class Wording:
    """The texts of one machine in one language.

    Attributes:
        prompts: the prompts of each state, by node index.
        register: the form of address, if a locale file gives it.
    """

    def __init__(self, chart: Chart, files: Sequence[LocaleFile]) -> None:
        self._chart = chart
        translated = {
            entry.key: texts
            for entry in entries(chart)
            if (texts := _translated(entry, files)) and texts != entry.texts
        }
        self._events = {event: _event(chart, event, translated) for event in chart.events}
        self.prompts: Sequence[tuple[str, ...]] = tuple(
            translated.get(("states", state_key(chart, node), "prompt")) or prompts(node.config) for node in chart.nodes
        )
        self._guards = {key[1]: texts[0] for key, texts in translated.items() if key[0] == "guards"}
        self._arcs = {
            (entry.arc, entry.said): translated[entry.key][0]
            for entry in entries(chart)
            if entry.arc and entry.key in translated
        }
        self._names = {key[1]: texts[0] for key, texts in translated.items() if key[0] == "parameters"}
        self._values: dict[str, dict[str, str]] = {}
        for key, texts in translated.items():
            if key[0] == "values":
                self._values.setdefault(key[1], {})[key[2]] = texts[0]
        self._currencies = _currencies(chart)
        self._news = [
            (_pattern(own), texts[0])
            for entry in entries(chart)
            if entry.key[-1] == "says" or entry.key[0] == "says"
            for own, texts in [(entry.texts[0], translated.get(entry.key))]
            if texts
        ]
        self.plain: bool = not self._values and not self._currencies
        register = next((file.data["register"] for file in files if file.data.get("register")), None)
        self.register: str | None = register if register in ("formal", "informal") else None

    def event(self, event: str) -> EventTexts:
        """The texts of an event. For an event that the machine doesn't have, the label is made from its name."""
        return self._events.get(event) or event_texts(self._chart.config, event)

    def says(self, event: str, taken: Iterable[TransitionConfig]) -> tuple[str, ...]:
        """The acknowledgement of an event: the texts of the transitions taken, or else its own."""
        texts = [text for arc in taken if arc.meta and (text := self._of_arc(arc, "says"))]
        if not texts and (own := self.event(event).says):
            texts = [own]
        return tuple(dict.fromkeys(texts))

    def reason(self, arcs: Iterable[TransitionConfig]) -> str | None:
        """Why `arcs` are blocked: the first reason among theirs and their guards'."""
        for arc in arcs:
            if arc.meta and (own := self._of_arc(arc, "reason")):
                return own
            if arc.guard is not None:
                text = self._guards.get(arc.guard.type) or guard_reason(self._chart.config, arc.guard.type)
                if text:
                    return text
        return None

    def news(self, text: str) -> str:
        """Translate a stored acknowledgement from the machine's own language; unchanged if there is no translation.

        News is stored as text, and the caller who hears it later may speak another language.
        """
        for pattern, translation in self._news:
            match = pattern.fullmatch(text)
            if match is not None:
                said = match.groupdict()
                pieces = [(before, name or "") for before, name, _ in slots_of(translation)]
                return "".join(before + self._label(name, said.get(name, "")) for before, name in pieces)
        return text

    def _label(self, name: str, said: str) -> str:
        return self._values.get(name, _NONE).get(said, said)

    def name(self, parameter: Parameter) -> str:
        """The spoken name of a parameter."""
        return clean(self._names.get(parameter.name) or spoken_name(parameter), 60)

    def prepared(self, name: str, value: Any) -> Any:
        """The value of a field or parameter prepared for `spoken`: an amount with its currency, or its label."""
        if value is None:
            return None
        currency = self._currencies.get(name)
        if currency is not None and isinstance(value, int | float | Decimal) and not isinstance(value, bool):
            return Amount(value, currency)
        labels = self._values.get(name)
        if labels is None:
            return value
        if isinstance(value, list | tuple | set | frozenset):
            return [labels.get(value_key(item), item) for item in cast("Iterable[Any]", value)]
        return labels.get(value_key(value), value)

    def _of_arc(self, arc: TransitionConfig, said: Literal["says", "reason"]) -> str | None:
        return self._arcs.get((id(arc), said)) or text_of(arc.meta, said)


def wording(chart: Chart, locale: str | None = None) -> Wording:
    """The texts of a machine in a locale, by default its own. Cached.

    Raises:
        DefinitionError: if its locale files can't be read.
    """
    known: dict[str | None, Wording] | None = chart.notes.get("wordings")
    if known is None:
        known = chart.notes["wordings"] = {}
    found = known.get(locale)
    if found is None:
        found = Wording(chart, files_for(chart, locale))
        if len(known) > MAX_WORDINGS:
            known.clear()
        known[locale] = found
    return found


MAX_WORDINGS = 100


def files_for(chart: Chart, locale: str | None) -> tuple[LocaleFile, ...]:
    """The locale files for a locale, nearest first: de-AT, then de, then another variety of German."""
    locales = chart.behaviour.locales
    if locales is None:
        return ()
    own = own_locale(chart.config) or DEFAULT
    wanted = fallbacks(locale or own)
    found = [file for tag in wanted for file in locales.of(tag)]
    language = language_of(locale or own)
    if not found and language != language_of(own):
        found = [file for file in locales.files if language_of(file.tag) == language]
    return tuple(found)


def found_in(data: Mapping[str, Any], key: Key) -> Any:
    """The value of a key in a file, or None."""
    here: Any = data
    for part in key:
        here = cast("Mapping[str, Any]", here).get(part) if isinstance(here, Mapping) else None
    return here


def _translated(entry: Entry, files: Sequence[LocaleFile]) -> tuple[str, ...]:
    for file in files:
        texts = texts_of(found_in(file.data, entry.key))
        if texts:
            return texts if entry.many else texts[:1]
    return ()


def _event(chart: Chart, event: str, translated: Mapping[Key, tuple[str, ...]]) -> EventTexts:
    own = event_texts(chart.config, event)
    texts = {key[2]: found for key, found in translated.items() if key[:2] == ("events", event)}
    if not texts:
        return own
    label = clean(texts["label"][0]) if "label" in texts else own.label
    says, working, confirm = (texts.get(word, (None,))[0] for word in ("says", "working", "confirm"))
    return own._replace(
        label=label,
        says=says or own.says,
        working=working or own.working,
        confirm=confirm or own.confirm,
        utterances=texts.get("utterances", own.utterances),
    )


def _pattern(text: str) -> re.Pattern[str]:
    """A pattern that matches `text` with any values in its slots."""
    parts: list[str] = []
    seen: set[str] = set()
    for before, name, _ in slots_of(text):
        parts.append(re.escape(before))
        if name is not None and name.isidentifier():
            parts.append(f"(?P={name})" if name in seen else f"(?P<{name}>.+?)")
            seen.add(name)
    return re.compile("".join(parts), re.DOTALL)


def _currencies(chart: Chart) -> dict[str, str]:
    hints: dict[str, Any] = dict(chart.behaviour.context.hints)
    for payload in chart.behaviour.payloads.values():
        hints |= {parameter.name: parameter.annotation for parameter in payload.parameters.values()}
    return {name: part.currency for name, hint in hints.items() for part in parts_of(hint) if isinstance(part, Money)}
