"""Rules about the texts that are said: whether there is one, how long it is, and what it can't have in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from fsmvoice.check.finding import Found
from fsmvoice.check.rule import rule
from fsmvoice.check.subject import Subject
from fsmvoice.check.wording import all_said, length
from fsmvoice.model.naming import tool_name
from fsmvoice.model.nodes import INTERNAL, Node
from fsmvoice.voice import texts
from fsmvoice.voice.reply import innermost_prompted

MAX_WORDS = 75
"""At 150 words a minute, half a minute."""
_LONGEST_ACRONYM = 3


@rule(
    "V01",
    "error",
    source="a listener who hears nothing does not know that it is their turn",
    right='give the state a prompt, or a state around it: State(prompt="...")',
)
def silent_state(subject: Subject) -> Iterator[Found]:
    """A state that says nothing: neither it nor any state that is active with it has a prompt."""
    told: set[Node] = set()
    for standing in subject.standings:
        if any(texts.prompts(node.config) for node in standing.nodes):
            continue
        leaves = [subject.chart.nodes[leaf] for leaf in standing.leaves]
        for leaf in leaves:
            if leaf.kind != "final" and leaf not in told and leaf.parent is not None:
                told.add(leaf)
                what = "nothing is said in this state" if len(leaves) == 1 else "nothing is said while it is active"
                yield Found(subject.at_state(leaf), what, "give it a prompt")


@rule(
    "V02",
    "error",
    source="150 words a minute are heard well, and half a minute of them at a time",
    right="say less, or say it in two states",
)
def long_reply(subject: Subject) -> Iterator[Found]:
    """A reply of more than 75 words, which takes half a minute: acknowledgement, prompts and values together."""
    worst: dict[tuple[Node, str], int] = {}
    for language in subject.languages:
        prompts = texts.all_prompts(subject.chart, language)
        for move in subject.ways.moves:
            arcs = [arc.config for arc in move.plan.arcs]
            event = "" if move.event.startswith(INTERNAL) else move.event
            spoken = [*texts.says(subject.chart, event, arcs, language)]
            count = sum(length(subject, text, language) for text in spoken)
            entered = innermost_prompted(subject.chart, move.plan.entered)
            for node in entered:
                count += max(length(subject, text, language) for text in prompts[node.index])
            node = entered[-1] if entered else subject.chart.nodes[move.plan.to.leaves[0]]
            if count > MAX_WORDS:
                worst[node, language] = max(count, worst.get((node, language), 0))
    for (node, language), count in worst.items():
        message = f"the reply on the way here has up to {count} words"
        yield Found(subject.at_state(node), message, f"at most {MAX_WORDS}", locale=subject.told(language))


_MARKUP: Mapping[str, re.Pattern[str]] = {
    "XML": re.compile(r"</?[A-Za-z!?][^<>]*>"),
    "a URL": re.compile(r"\b(?:https?|ftp)://\S+|\bwww\.\w+\.\w+", re.IGNORECASE),
    "Markdown": re.compile(
        r"\*\*?[^\s*][^*]*\*|(?<!\w)__?[^\s_][^_]*_(?!\w)|`[^`]*`|\[[^\]]+\]\([^)]*\)|^\s*(?:#{1,6}|[*+-])\s",
        re.MULTILINE,
    ),
    "a brace": re.compile(r"[{}]"),
    "a pipe": re.compile(r"\|"),
    "an emoji": re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u20e3]"),
}


@rule(
    "V04",
    "error",
    source="a voice reads signs aloud, or swallows them; Alexa says no markup that a tool returns",
    right="write words only",
)
def markup(subject: Subject) -> Iterator[Found]:
    """Markup in a text that is said: Markdown, a URL, an emoji, braces, pipes or XML."""
    for said in all_said(subject):
        for what, pattern in _MARKUP.items():
            match = pattern.search(said.words)
            if match is not None:
                message = f"the {said.kind} has {what} in it: {match[0]!r:.60}"
                yield Found(said.spot, message, "words only", locale=subject.told(said.language))
                break


@rule(
    "V05",
    "error",
    source="https://developer.amazon.com/docs/alexaplus/add-ons/mcp-addon-tools-schema-data-design.html: "
    "what is said has no codes, tool names or ids",
    right="say it in words that a customer knows",
)
def spoken_id(subject: Subject) -> Iterator[Found]:
    """A name from the code in a text that is said: an event's, a state's, a tool's, a field's.

    Only names that nobody would say count: with `_`, `.`, digits, inner capitals, or all capitals; spelt exactly so.
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
            yield Found(said.spot, message, "words that a customer knows", locale=subject.told(said.language))


def _ids(subject: Subject) -> dict[str, str]:
    chart = subject.chart
    found: dict[str, str] = {}
    for event in chart.events:
        if not event.startswith(INTERNAL):
            found.setdefault(event, "an event")
            found.setdefault(tool_name(chart.id, event), "a tool")
    for node in chart.nodes[1:]:
        found.setdefault(node.path, "a state")
        found.setdefault(node.key, "a state")
    for name in (*(chart.behaviour.context.fields or chart.config.context), *subject.parameters):
        found.setdefault(name, "a field")
    for node in chart.nodes:
        for arcs in node.on.values():
            found.update({arc.guard.name: "a guard" for arc in arcs if arc.guard is not None})
    return {name: what for name, what in found.items() if _is_unspeakable(name)}


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
    source="people answer when they hear a question; what is said after it is talked over",
    right="ask last",
)
def after_question(subject: Subject) -> Iterator[Found]:
    """Words after a question: the listener is already answering."""
    for said in all_said(subject):
        if said.kind not in ("prompt", "says"):
            continue
        phrases = subject.phrases(said.language)
        sentences = phrases.sentences(said.text)
        asking = [number for number, sentence in enumerate(sentences) if phrases.asks(sentence)]
        if asking and asking[-1] < len(sentences) - 1:
            rest = phrases.joined(sentences[asking[-1] + 1 :])
            message = f"the {said.kind} goes on after its question: {rest!r:.80}"
            yield Found(said.spot, message, "the question last", locale=subject.told(said.language))


_SCREEN: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:click(?:s|ing)?|swipe|tap(?:ping)?(?= (?:on|the|here|a|an|your|it|to)\b)|see (?:the|your|it|below|above|"
        r"here)\b(?! (?:point|difference))|(?:you|you'll|you can|can|will|to) see\b|on (?:the|your) screen)",
        re.IGNORECASE,
    ),
    "de": re.compile(r"\b(?:klicken?|klick|tippen?|siehst du|sehen sie|auf dem bildschirm)\b", re.IGNORECASE),
    "fr": re.compile(r"\b(?:cliquez|clique|touchez|vous voyez|tu vois|à l'écran)\b", re.IGNORECASE),
    "es": re.compile(r"\b(?:haz clic|haga clic|pulsa|pulse|en la pantalla)\b", re.IGNORECASE),
    "ja": re.compile("クリック|タップ|画面"),
}


@rule(
    "V22",
    "error",
    source="a speaker in a kitchen has no screen, and who drives looks at none",
    right="say what can be said: 'say ...', not 'tap ...'",
)
def screen_words(subject: Subject) -> Iterator[Found]:
    """A text that asks to tap, click or see something: whoever hears it may have no screen."""
    for said in all_said(subject):
        pattern = _SCREEN.get(said.language.partition("-")[0])
        match = None if pattern is None or said.kind in ("values", "parameters") else pattern.search(said.words)
        if match is not None:
            message = f"the {said.kind} says {match[0]!r}"
            yield Found(said.spot, message, "what can be said or heard", locale=subject.told(said.language))
