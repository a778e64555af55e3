"""The rule about the length of replies."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from fsmvoice.check.finding import Found, Spot
from fsmvoice.check.rule import rule
from fsmvoice.check.subject import Subject
from fsmvoice.check.wording import Said, all_said, length, words_in
from fsmvoice.engine.configuration import Configuration
from fsmvoice.model.nodes import INTERNAL, Node
from fsmvoice.voice import texts
from fsmvoice.voice.reply import innermost_prompted

MAX_WORDS = 75
"""Half a minute of speech, at 150 words a minute."""


@rule(
    "V02",
    "error",
    source="people follow about 150 words a minute, for about half a minute at a time",
    right="say less, or split it between two states",
)
def long_reply(subject: Subject) -> Iterator[Found]:
    """A reply of more than 75 words, or half a minute, with acknowledgement, prompts, values and options.

    A refusal, a confirmation and the answer to "where am I" are replies too.
    """
    for language in subject.languages:
        measure = _Measure(subject, language)
        worst: dict[Spot, tuple[int, str]] = {}
        for spot, count, what in (*measure.replies(), *measure.states(), *measure.texts()):
            if count > MAX_WORDS and count > worst.get(spot, (0, ""))[0]:
                worst[spot] = count, what
        for spot, (count, what) in worst.items():
            message = f"{what} has up to {count} words"
            yield Found(spot, message, f"at most {MAX_WORDS}", locale=subject.told(language))


class _Measure:
    """Measures replies in one language, in words."""

    def __init__(self, subject: Subject, language: str) -> None:
        self._subject, self._language = subject, language
        self._phrases = subject.phrases(language)
        self._prompts = texts.all_prompts(subject.chart, language)
        self._told: dict[Configuration, int] = {}
        self._resting = frozenset(subject.standings)

    def replies(self) -> Iterator[tuple[Spot, int, str]]:
        """The replies after each step."""
        chart = self._subject.chart
        for move in self._subject.ways.moves:
            event = "" if move.event.startswith(INTERNAL) else move.event
            said = list(texts.says(chart, event, [arc.config for arc in move.plan.arcs], self._language))
            entered = innermost_prompted(chart, move.plan.entered)
            longest = [self._longest(node) for node in entered]
            count = sum(map(self._length, (*said, *longest)))
            if entered and not self._asks((*said, *longest)) and not move.plan.completes:
                count += self._options(move.plan.to)
            if count > MAX_WORDS:
                node = entered[-1] if entered else chart.nodes[move.plan.to.leaves[0]]
                yield self._subject.at_state(node), count, "the reply on the way here"

    def states(self) -> Iterator[tuple[Spot, int, str]]:
        """The replies that tell the current state."""
        for standing in self._subject.standings:
            prompted = innermost_prompted(self._subject.chart, standing.nodes)
            count = sum(self._length(self._longest(node)) for node in prompted)
            if count and count + self._options(standing) > MAX_WORDS:
                spot = self._subject.at_state(prompted[-1])
                yield spot, count + self._options(standing), "the reply that tells the current state"

    def texts(self) -> Iterator[tuple[Spot, int, str]]:
        """Questions and refusals, the latter with what can be done instead."""
        for said in all_said(self._subject):
            if said.language == self._language and said.kind in ("reason", "confirm", "working"):
                count = self._length(said.text)
                if said.kind == "reason" and count and not self._asks((said.text,)):
                    count += max(map(self._options, self._where(said)), default=0)
                yield said.spot, count, f"the {said.kind}"

    def _where(self, said: Said) -> Collection[Configuration]:
        states = said.spot.states
        return [it for it in self._resting if not states or any(node.index in it.members for node in states)]

    def _longest(self, node: Node) -> str:
        return max(self._prompts[node.index], key=self._length)

    def _length(self, text: str) -> int:
        return length(self._subject, text, self._language)

    def _asks(self, parts: Sequence[str]) -> bool:
        return any(map(self._phrases.is_question, parts))

    def _options(self, standing: Configuration) -> int:
        """The number of words that it takes to say what can be done in a standing."""
        if standing not in self._resting:
            return 0
        count = self._told.get(standing)
        if count is None:
            chart, some = self._subject.chart, [0]
            for offered in self._subject.offers(standing):
                labels = [texts.label(chart, it.event, self._language) for it in offered if it.enabled]
                some.append(words_in(self._phrases.can(list(dict.fromkeys(labels))), self._phrases) if labels else 0)
            count = self._told[standing] = max(some)
        return count
