"""`to_jsgf`: a grammar in the Java Speech Grammar Format, for recognizers that need a closed grammar."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import count

from fsmvoice.model.chart import Chart
from fsmvoice.model.naming import snake_case
from fsmvoice.voice.numbers import number_words
from fsmvoice.voice.spoken_values import SpokenValues
from fsmvoice.voice.templates import Choice, Part, Series, SlotRef, Text, sentences
from fsmvoice.voice.utterances import Hearing, Utterances, hearing_of

MAX_NUMBERS = 100
MAX_GLUED = 200
"""Maximum number of sentences from a template that joins parts of words, which have to be listed."""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*", re.UNICODE)
_FIGURES = re.compile(r"(?<![0-9])[0-9]{1,6}(?![0-9])")
Knows = Callable[[str], bool]


def to_jsgf(
    chart: Chart, events: Collection[str] | None = None, locale: str | None = None, knows: Knows | None = None
) -> str:
    """Write a grammar of some events of a machine, and of the phrases that are understood in every state.

    Args:
        events: the events to include; all by default.
        knows: whether the recognizer knows a word. Sentences with unknown words are left out.

    Raises:
        DefinitionError: for invalid templates.
        MissingExtra: if there are templates and hassil is not installed.
    """
    hearing = hearing_of(chart, locale)
    grammar = _Grammar(hearing, knows or (lambda word: True))  # noqa: ARG005 - every word is known
    for event in hearing.events.values():
        if events is None or event.event in events:
            grammar.event(event)
    return grammar.text(snake_case(chart.config.id or "machine").strip("_") or "machine")


class _Grammar:
    def __init__(self, hearing: Hearing, knows: Knows) -> None:
        self._hearing, self._knows = hearing, knows
        self._rules: dict[str, str] = {}
        self._public: list[str] = []
        self._values: dict[str, str] = {}
        """The rule of each parameter of the event that is being written."""

    def text(self, name: str) -> str:
        for role, phrases in self._hearing.roles.phrases.items():
            self._add(f"role_{role}", [said for phrase in phrases if (said := self._words(phrase))])
        rules = "".join(f"<{rule}> = {body};\n" for rule, body in self._rules.items())
        choices = " | ".join(f"<{rule}>" for rule in self._public)
        head = f"#JSGF V1.0 UTF-8 {self._hearing.roles.tag};\ngrammar {name};\n"
        return f"{head}\npublic <utterance> = {choices};\n\n{rules}"

    def event(self, event: Utterances) -> None:
        name = self._fresh(f"event_{snake_case(event.event).strip('_')}")
        self._rules[name] = ""  # so that no list of values takes the name
        self._values = {}
        for values in event.values.values():
            known = [words for value in _said(values, self._hearing) if (words := self._words(value))]
            if known:
                rule = self._values[values.name] = self._fresh(f"{name}_{snake_case(values.name).strip('_')}")
                self._rules[rule] = " | ".join(dict.fromkeys(known))
        del self._rules[name]
        found = [said for template in event.templates if (said := self._part(template.part))]
        self._add(name, [*found, *(said for bare in self._hearing.bare(event) if (said := self._bare(bare)))])

    def _fresh(self, name: str) -> str:
        """A rule's name that no other rule has."""
        return next(it for n in count(1) if (it := name if n == 1 else f"{name}_{n}") not in self._rules)

    def _add(self, name: str, choices: Sequence[str]) -> None:
        if choices:
            self._rules[name] = " | ".join(dict.fromkeys(choices))
            self._public.append(name)

    def _bare(self, bare: str) -> str:
        slots = [self._values.get(slot) for slot in re.findall(r"\{(\w+)\}", bare)]
        return " ".join(f"<{slot}>" for slot in slots) if all(slots) else ""

    def _words(self, text: str) -> str:
        written = _FIGURES.sub(self._number, text.casefold().replace("’", "'"))
        words = _WORD.findall(written)
        return " ".join(words) if all(map(self._knows, words)) else ""

    def _number(self, figures: re.Match[str]) -> str:
        """Figures as they are said: a recognizer knows words only."""
        if not self._hearing.roles.spaced:
            return figures[0]
        number = int(figures[0])
        return f" {number_words(number, number, self._hearing.roles)[0]} "

    def _part(self, part: Part) -> str:
        """A part in JSGF; '' if it is empty or contains an unknown word."""
        return self._glued(part) if any(_joints(part)) else (self._plain(part) or "")

    def _glued(self, part: Part) -> str:
        found: list[str] = []
        for sentence in sentences(part, MAX_GLUED):
            pieces = re.split(r"\{(\w+)\}", sentence)
            said = [
                f"<{self._values.get(piece)}>" if number % 2 else self._words(piece)
                for number, piece in enumerate(pieces)
            ]
            whole = all(said[n] or not pieces[n].strip() for n in range(len(pieces)))
            if whole and all(slot in self._values for slot in pieces[1::2]):
                found.append(" ".join(filter(None, said)))
        return " | ".join(dict.fromkeys(found))

    def _plain(self, part: Part) -> str | None:
        """A part without glued words: None if it needs an unknown word, '' if it is silent."""
        if isinstance(part, Text):
            if not _WORD.search(part.text):
                return ""
            return self._words(part.text) or None
        if isinstance(part, SlotRef):
            rule = self._values.get(part.name)
            return f"<{rule}>" if rule else None
        found = [self._plain(item) for item in part.parts]
        if isinstance(part, Series):
            return None if None in found else " ".join(filter(None, found))
        said = list(dict.fromkeys(filter(None, found)))
        if not said:
            return "" if "" in found else None
        return f"[ {' | '.join(said)} ]" if "" in found else f"( {' | '.join(said)} )"


def _said(values: SpokenValues, hearing: Hearing) -> Sequence[str]:
    if values.numbers is not None:
        low, high = values.numbers
        return number_words(low, min(high, low + MAX_NUMBERS), hearing.roles)
    return values.said


def _joints(part: Part) -> Iterator[bool]:
    """True for each place where parts of one word meet, as in "drink[s]"."""
    if isinstance(part, Series):
        for one, other in zip(part.parts, part.parts[1:], strict=False):
            if _touches(one, -1) and _touches(other, 0):
                yield True
    if isinstance(part, Series | Choice):
        for item in part.parts:
            yield from _joints(item)


def _touches(part: Part, end: int) -> bool:
    """Whether a part has a letter at its beginning (`end` 0) or end (-1)."""
    if isinstance(part, Text):
        return bool(part.text) and not part.text[end].isspace()
    if isinstance(part, SlotRef):
        return True
    if isinstance(part, Choice):
        return any(_touches(item, end) for item in part.parts)
    items = part.parts if end == 0 else part.parts[::-1]
    return next((_touches(item, end) for item in items if item != Text("")), False)
