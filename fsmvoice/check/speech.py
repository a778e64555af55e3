"""Rules about the texts that are said: missing ones, and what they must not contain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from fsmvoice.check.finding import Found
from fsmvoice.check.rule import rule
from fsmvoice.check.subject import Subject
from fsmvoice.check.wording import all_said
from fsmvoice.model.chart import Chart
from fsmvoice.model.naming import OWN_TOOLS, own_tool_name, tool_name
from fsmvoice.model.nodes import INTERNAL, Node
from fsmvoice.voice import texts

_LONGEST_ACRONYM = 3


@rule(
    "V01",
    "error",
    source="people who hear nothing don't know that it is their turn",
    right='give the state or an enclosing one a prompt: State(prompt="...")',
)
def silent_state(subject: Subject) -> Iterator[Found]:
    """A state without a prompt, if no state that is active with it has one either."""
    told: set[Node] = set()
    for standing in subject.standings:
        if any(_says_something(text) for node in standing.nodes for text in texts.prompts(node.config)[:1]):
            continue
        leaves = [subject.chart.nodes[leaf] for leaf in standing.leaves]
        for leaf in leaves:
            if leaf.kind != "final" and leaf not in told and leaf.parent is not None:
                told.add(leaf)
                what = "nothing is said in this state" if len(leaves) == 1 else "nothing is said while it is active"
                yield Found(subject.at_state(leaf), what, "a prompt")


def _says_something(text: str) -> bool:
    return any(char.isalnum() for char in text)


_MARKUP: Mapping[str, re.Pattern[str]] = {
    "XML": re.compile(r"</?[A-Za-z!?][^<>]*>|&(?:[A-Za-z]+|#\d+|#x[0-9A-Fa-f]+);"),
    "a URL": re.compile(
        r"\b(?:https?|ftp)://\S+|\bmailto:\S+|\bwww\.\w+\.\w+|\b[\w-]+\.(?:com|org|net|io|app|dev|de|fr|es|jp|uk)/\S*",
        re.IGNORECASE,
    ),
    "Markdown": re.compile(
        r"(?P<star>\*\*?)(?=[^\s*])[^*]*(?P=star)|(?<!\w)(?P<line>__?)(?=[^\s_])[^_]*(?P=line)(?!\w)|`[^`]*`|\[[^\]]+\]\([^)]*\)|~~[^~]+~~"
        r"|^\s*(?:#{1,6}|[*+>-])\s|^\s*(?:-{3,}|={3,}|\*{3,})\s*$|^\s*\d+[.)]\s[^\n]*\n\s*\d+[.)]\s",
        re.MULTILINE,
    ),
    "a brace": re.compile(r"[{}]"),
    "a pipe": re.compile(r"\|"),
    "an emoji": re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u20e3]"),
    "a symbol": re.compile("[\u2190-\u21ff\u2500-\u25ff\u2022\u2023\u2043]"),
}


@rule(
    "V04",
    "error",
    source="speech synthesis reads symbols aloud or drops them, and Alexa allows no markup in results of tools",
    right="use words only",
)
def markup(subject: Subject) -> Iterator[Found]:
    """Markup in a text that is said: Markdown, a URL, an emoji, an arrow, a bullet, braces, pipes or XML."""
    for said in all_said(subject):
        for what, pattern in _MARKUP.items():
            match = pattern.search(said.filled)
            if match is not None:
                message = f"the {said.kind} contains {what}: {match[0]!r:.60}"
                yield Found(said.spot, message, "words only", locale=subject.told(said.language))
                break


@rule(
    "V05",
    "error",
    source="https://developer.amazon.com/docs/alexaplus/add-ons/mcp-addon-tools-schema-data-design.html: "
    "what is said has no codes, tool names or ids",
    right="use words that customers know",
)
def spoken_id(subject: Subject) -> Iterator[Found]:
    """A name from the code in a text that is said, such as that of an event, state, tool or field.

    Only names that nobody would say count: with `_`, `.`, digits, inner capitals or all capitals, in that spelling.
    """
    ids = _ids(subject)
    if not ids:
        return
    words = "|".join(sorted(map(re.escape, ids), key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w.])(?:{words})(?![\w])(?!\.\w)")
    for said in all_said(subject):
        match = pattern.search(said.words)
        if match is not None:
            message = f"the {said.kind} says {match[0]!r}, the name of {ids[match[0]]}"
            yield Found(said.spot, message, "words that customers know", locale=subject.told(said.language))


def _ids(subject: Subject) -> dict[str, str]:
    chart = subject.chart
    found: dict[str, str] = {}
    for event in chart.events:
        if not event.startswith(INTERNAL):
            found.setdefault(event, "an event")
            found.setdefault(tool_name(chart.id, event), "a tool")
    found.update({own_tool_name(chart.id, tool): "a tool" for tool in OWN_TOOLS})
    for node in chart.nodes[1:]:
        for name in (node.path, node.key, node.id):
            found.setdefault(name, "a state")
        found.update(dict.fromkeys(node.config.tags, "a tag"))
    for name in (*(chart.behaviour.context.fields or chart.config.context), *subject.parameters):
        found.setdefault(name, "a field")
    for name, what in _functions(chart):
        found.setdefault(name, what)
    return {name: what for name, what in found.items() if _is_unspeakable(name)}


def _functions(chart: Chart) -> Iterator[tuple[str, str]]:
    """The names of guards, actions, services and timers."""
    for node in chart.nodes:
        for arcs in (node.always, *node.on.values()):
            for arc in arcs:
                if arc.guard is not None:
                    yield arc.guard.name, "a guard"
                yield from ((call.name, "an action") for call in arc.calls)
        yield from ((call.name, "an action") for call in (*node.entry, *node.exit))
        yield from ((it.config.src, "a service") for it in node.invocations)
        yield from ((delay.key, "a timer") for delay in node.delays)


def _is_unspeakable(name: str) -> bool:
    if not any(char.isalpha() for char in name):
        return False
    if "_" in name.strip("_") or re.search(r"\w\.\w", name) or re.search(r"[a-z][A-Z]", name):
        return True
    if any(char.isdigit() for char in name):
        return len(name) > 1
    return name.isascii() and name.isalpha() and name.isupper() and len(name) > _LONGEST_ACRONYM


@rule(
    "V08",
    "warning",
    source="people start to answer when they hear a question, and miss what is said after it",
    right="put the question last",
)
def after_question(subject: Subject) -> Iterator[Found]:
    """Words or another question after a question, when the listener is already answering."""
    for said in all_said(subject):
        if said.kind not in ("prompt", "says", "confirm", "reason"):
            continue
        phrases = subject.phrases(said.language)
        sentences = phrases.sentences(said.text)
        asking = [number for number, sentence in enumerate(sentences) if phrases.asks(sentence)]
        if asking and asking[0] < len(sentences) - 1:
            rest = phrases.joined(sentences[asking[0] + 1 :])
            what = "asks again" if asking[-1] == len(sentences) - 1 else "continues"
            message = f"the {said.kind} {what} after its question: {rest!r:.80}"
            yield Found(said.spot, message, "one question, at the end", locale=subject.told(said.language))
