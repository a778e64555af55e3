"""One text of several, with at most one question, which comes last."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from fsmvoice.voice.phrases.phrases import Phrases

MAX_KEPT = 2000
"""Characters; longer texts are put together anew."""


@lru_cache(maxsize=512)
def said_of(phrases: Phrases, labels: tuple[str, ...]) -> str:
    """What can be done, as a sentence; a label that is there twice is said once."""
    return phrases.can(tuple(dict.fromkeys(labels)))


def composed(phrases: Phrases, parts: Sequence[str], options: str, *, before_question: bool = False) -> str:
    """The parts as one text; `options` only where nothing is asked.

    Of two questions the later one stays, and only the questions go: what an earlier part states is kept.

    Args:
        before_question: say `options` even where something is asked, and then before that.
    """
    if sum(map(len, parts)) > MAX_KEPT:
        return _composed(phrases, tuple(parts), options, before_question)
    return _kept(phrases, tuple(parts), options, before_question)


def _composed(phrases: Phrases, parts: Sequence[str], options: str, before_question: bool) -> str:
    if len(parts) == 1 and (not options or (not before_question and phrases.is_question(parts[0]))):
        return parts[0]
    asking = [place for place, part in enumerate(parts) if phrases.is_question(part)]
    if not asking:
        parts = [*parts, options]
    elif asking[0] == len(parts) - 1 and not before_question:
        pass
    else:
        last = asking[-1]
        before = [
            statements(phrases, part) if place in asking and place != last else part for place, part in enumerate(parts)
        ]
        around = _around(phrases, parts[last], options if before_question else "")
        parts = [*before[:last], *before[last + 1 :], *around]
    parts = [part for part in parts if part]
    return phrases.joined([*map(phrases.closed, parts[:-1]), *parts[-1:]])


_kept = lru_cache(maxsize=512)(_composed)
"""A machine says much the same again and again."""


def _around(phrases: Phrases, text: str, options: str) -> list[str]:
    """A text that asks, with `options` before the first sentence that does."""
    if not options:
        return [text]
    sentences = phrases.sentences(text)
    asking = 0
    while not phrases.asks(sentences[asking]):
        asking += 1
    return [phrases.joined(sentences[:asking]), options, phrases.joined(sentences[asking:])]


def statements(phrases: Phrases, text: str) -> str:
    """`text` without the sentences that ask."""
    return phrases.joined([part for part in phrases.sentences(text) if not phrases.asks(part)])
