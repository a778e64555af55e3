"""The titles and descriptions of tools: what they do and when they can be used, in words."""

from __future__ import annotations

from collections.abc import Iterable

from fsmvoice.model.chart import Chart
from fsmvoice.model.nodes import Node
from fsmvoice.model.slots import slots_of
from fsmvoice.voice import texts
from fsmvoice.voice.phrases.phrases import Phrases, capital
from fsmvoice.voice.slots import without_values
from fsmvoice.voice.values import words

MAX_SITUATIONS = 8
"""With more prompts and states than this, a description doesn't list them."""
MAX_PROMPT = 80
"""Characters of a prompt that a description quotes."""


def title_of(chart: Chart, event: str) -> str:
    """The event's label as a title."""
    return capital(texts.label(chart, event))


def description_of(chart: Chart, event: str, phrases: Phrases) -> str:
    """What the event does, from its docstring, and after which prompts it can be used."""
    payload = chart.behaviour.payloads.get(event)
    told = texts.event_meta(chart.config, event).get("description")
    doc = told if isinstance(told, str) and told else payload.doc if payload else ""
    what = phrases.closed(" ".join(doc.split()) or title_of(chart, event))
    when = _when(chart, event, phrases)
    return f"{what} {when}" if when else what


def states_of(chart: Chart, event: str) -> list[str]:
    """The paths of the states that take the event, in document order. The root's is ''."""
    return [node.path for node in _takers(chart, event)]


def _takers(chart: Chart, event: str) -> list[Node]:
    return [node for node in chart.nodes if any(not arc.forbids for arc in node.on.get(event, ()))]


def _when(chart: Chart, event: str, phrases: Phrases) -> str:
    takers = _takers(chart, event)
    if any(node is chart.root for node in takers):
        return phrases.use_after((), (), always=True)
    prompts: list[str] = []
    situations: list[str] = []
    for node in takers:
        own = [catchword(text, phrases) for text in texts.prompts(node.config)[:1]]
        prompts += own or [catchword(text, phrases) for text in _below(chart, node)]
        if not own and not _below(chart, node):
            situations.append(words(node.key))
    prompts, situations = list(dict.fromkeys(prompts)), list(dict.fromkeys(filter(None, situations)))
    if len(prompts) + len(situations) > MAX_SITUATIONS:
        return ""
    return phrases.use_after(prompts, situations, always=False)


def _below(chart: Chart, node: Node) -> list[str]:
    """The prompts of the states inside `node`."""
    inside: Iterable[Node] = (chart.nodes[index] for index in range(node.index + 1, node.last + 1))
    return [prompts[0] for prompts in (texts.prompts(below.config) for below in inside) if prompts]


def catchword(prompt: str, phrases: Phrases) -> str:
    """The sentence that identifies a prompt: a question without slots if it has one, else with gaps for the slots."""
    sentences = phrases.sentences(prompt)
    plain = [text for text in sentences if len(slots_of(text)) == 1]
    asking = [text for text in plain if phrases.asks(text)]
    told = (asking or plain or [without_values(text) for text in sentences])[-1]
    # Only the author's own words are left, since values were removed, so it is safe to quote them.
    line = " ".join(told.split()).replace('"', "'")
    return line if len(line) <= MAX_PROMPT else line[: MAX_PROMPT - 1].rstrip() + "…"
