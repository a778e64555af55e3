"""`screen`: what a person can tap, as data, derived from the offers. It is independent of any toolkit and protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.model.chart import Chart
from fsmvoice.model.context import ContextType
from fsmvoice.model.naming import tool_names
from fsmvoice.model.payload import Parameter
from fsmvoice.screen.fields import titled
from fsmvoice.voice import texts
from fsmvoice.voice.offers import Offer, offers
from fsmvoice.voice.phrases.catalogue import phrases_for
from fsmvoice.voice.phrases.phrases import Phrases, capital
from fsmvoice.voice.reply import Speech, make_speech
from fsmvoice.voice.values import clean, spoken, words
from fsmvoice.voice.wording import Wording, wording

Style: TypeAlias = Literal["primary", "secondary", "danger"]

MAX_FACTS = 24
"""The most facts on a screen."""
MAX_TITLE = 80


@dataclass(frozen=True, slots=True)
class Fact:
    """A field of the context, in words."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Action:
    """A button: an event, its tool, and a form for its arguments.

    `schema` is JSON Schema 2020-12, narrowed to what would be accepted now. `reason` is the spoken reason if the action
    is not enabled, else ''.
    """

    event: str
    label: str
    tool: str
    style: Style
    schema: Mapping[str, Any]
    enabled: bool = True
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The JSON form. `reason` is left out if it is empty."""
        found: dict[str, Any] = {
            "event": self.event,
            "label": self.label,
            "tool": self.tool,
            "style": self.style,
            "schema": dict(self.schema),
            "enabled": self.enabled,
        }
        return {**found, "reason": self.reason} if self.reason else found


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen. Its enabled actions are exactly the events that are offered; its facts contain no `Private` field.

    `value` is the state value, for programs; `final` is whether the conversation has ended.
    """

    title: str
    say: str
    value: str | Mapping[str, Any]
    facts: tuple[Fact, ...]
    actions: tuple[Action, ...]
    final: bool

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, described by `fsmvoice/screen/screen.schema.json`."""
        return {
            "title": self.title,
            "say": self.say,
            "value": self.value,
            "facts": [{"label": fact.label, "value": fact.value} for fact in self.facts],
            "actions": [action.to_dict() for action in self.actions],
            "final": self.final,
        }


def screen(
    snapshot: Snapshot[Any],
    locale: str | None = None,
    *,
    say: str | None = None,
    tools: Mapping[str, str] | None = None,
    offered: Sequence[Offer] | None = None,
) -> Screen:
    """The screen of a snapshot.

    Args:
        locale: the language. Defaults to the machine's own.
        say: the reply to show. Defaults to the status.
        tools: the tool name of each event, if they are not the default ones.
        offered: the offers of the snapshot, if already known.
    """
    chart = snapshot.chart
    speech = _speech(chart, locale)
    phrases = speech.phrases
    offered = offers(snapshot, phrases.tag) if offered is None else offered
    tools = _tools(chart) if tools is None else tools
    wording_of = wording(chart, phrases.tag)
    alone = sum(offer.enabled for offer in offered) == 1
    return Screen(
        title=title_of(chart),
        say=speech.status(snapshot, offered=offered) if say is None else say,
        value=snapshot.value,
        facts=_facts(snapshot, wording_of, phrases),
        actions=tuple(
            _action(chart, offer, tools[offer.event], titled(offer, wording_of, phrases), alone=alone)
            for offer in offered
        ),
        final=snapshot.done,
    )


def title_of(chart: Chart) -> str:
    """The title of a machine: its id as words, or else the first sentence of its description."""
    return capital(words(chart.config.id or "") or clean(_first_sentence(chart.config.description or ""), MAX_TITLE))


def _first_sentence(text: str) -> str:
    return " ".join(text.split()).partition(". ")[0].rstrip(".")


def _speech(chart: Chart, locale: str | None) -> Speech:
    own = chart.behaviour.speak
    if isinstance(own, Speech) and (locale is None or phrases_for(locale).tag == own.phrases.tag):
        return own
    return make_speech(locale)


def _tools(chart: Chart) -> Mapping[str, str]:
    """The default tool name of each event."""
    known: Mapping[str, str] | None = chart.notes.get("screen tools")
    if known is None:
        spoken_events = [event for event in chart.events if texts.is_spoken(chart, event)]
        known = chart.notes["screen tools"] = tool_names(chart.config.id, spoken_events)[0]
    return known


def _facts(snapshot: Snapshot[Any], named: Wording, phrases: Phrases) -> tuple[Fact, ...]:
    """The public fields of the context that can be spoken."""
    kind: ContextType = snapshot.chart.behaviour.context
    found: list[Fact] = []
    for name, value in kind.values(snapshot.context).items():
        if name in kind.private or name.startswith("_"):
            continue
        said, label = spoken(named.prepared(name, value), phrases), named.name(Parameter(name, Any))
        if said and label and len(found) < MAX_FACTS:
            found.append(Fact(label, said))
    return tuple(found)


def _action(chart: Chart, offer: Offer, tool: str, schema: Mapping[str, Any], *, alone: bool) -> Action:
    meta = texts.event_meta(chart.config, offer.event)
    style: Style = "secondary"
    if meta.get("destructive") is True:
        style = "danger"
    elif offer.enabled and (alone or meta.get("answers") == "yes"):
        style = "primary"
    say = "" if offer.enabled else offer.say
    return Action(offer.event, offer.label, tool, style, schema, offer.enabled, say)
