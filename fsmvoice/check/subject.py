"""The machine under check, with what several rules need to know about it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from fsmvoice.check.finding import Spot
from fsmvoice.check.locale_places import LocalePlaces
from fsmvoice.check.places import Places
from fsmvoice.check.reading import UNKNOWN, Reading, read
from fsmvoice.check.samples import contexts
from fsmvoice.check.ways import Ways, always_taken
from fsmvoice.engine.configuration import Configuration
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import DefinitionError
from fsmvoice.machine.voice_machine import VoiceMachine
from fsmvoice.model.chart import Chart, compile_chart
from fsmvoice.model.nodes import INTERNAL, Arc, Node, is_wildcard
from fsmvoice.model.payload import Parameter, Payload
from fsmvoice.model.run_state import RunState
from fsmvoice.voice import texts
from fsmvoice.voice.authored import own_locale
from fsmvoice.voice.entries import Key
from fsmvoice.voice.languages import DEFAULT
from fsmvoice.voice.offers import Offer, offers
from fsmvoice.voice.phrases.catalogue import phrases_for
from fsmvoice.voice.phrases.phrases import Phrases
from fsmvoice.voice.utterances import Hearing, hearing_of

MAX_NAMED = 3
"""Innermost states that the name of a finding lists."""


class Subject:
    """A machine under check. Of its functions only guards are called, as for offers.

    Args:
        cls: the class of the chart, for the places of its parts.
        functions: the actions of a config by name. Their source is read, but they are not called.
        guards: whether the machine's own guards are known. If not, each is assumed to say yes sometimes.
    """

    def __init__(
        self,
        chart: Chart,
        cls: type[VoiceMachine[Any]] | None = None,
        functions: Mapping[str, Callable[..., Any]] | None = None,
        *,
        guards: bool = True,
    ) -> None:
        self.written: Chart = chart
        self.guards: bool = guards
        self.chart: Chart = _readable(chart)
        self.places: Places = Places(cls)
        self.translations: LocalePlaces = LocalePlaces(self.chart)
        self._functions: Mapping[str, Callable[..., Any]] = functions or self.places.functions
        self.kept: dict[str, Any] = {}
        """Results that rules share."""
        self.cut: list[str] = []
        """A sentence for each thing that was not fully checked because there was too much of it."""
        self._offers: dict[Configuration, list[list[Offer]]] = {}
        self._snapshots: dict[Configuration, list[Snapshot[Any]]] = {}

    # -- states, events and languages ----------------------------------------------------------------------------

    @cached_property
    def ways(self) -> Ways:
        return Ways(self.chart)

    @property
    def standings(self) -> Sequence[Configuration]:
        """The sets of active states in which the machine waits for an event."""
        return self.ways.standings

    @cached_property
    def languages(self) -> Sequence[str]:
        """The languages that the machine has texts in, its own first."""
        locales = self.chart.behaviour.locales
        own = own_locale(self.chart.config) or DEFAULT
        return tuple(dict.fromkeys((own, *(locales.tags if locales is not None else ()))))

    def phrases(self, language: str) -> Phrases:
        return phrases_for(language)

    def told(self, language: str) -> str:
        """The name of a language in findings: '' for the machine's own."""
        return "" if language == self.languages[0] else language

    @cached_property
    def spoken(self) -> Sequence[str]:
        """The events that a customer may say."""
        return tuple(event for event in self.chart.events if not is_wildcard(event) and self.is_spoken(event))

    def is_spoken(self, event: str) -> bool:
        return not event.startswith(INTERNAL) and texts.is_spoken(self.chart, event)

    def payload(self, event: str) -> Payload:
        return self.chart.behaviour.payloads.get(event) or Payload(event)

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The parameters of all events by name. Of several with the same name, the first."""
        found: dict[str, Parameter] = {}
        for payload in self.chart.behaviour.payloads.values():
            for name, parameter in payload.parameters.items():
                found.setdefault(name, parameter)
        return found

    def hearing(self, language: str) -> Hearing | None:
        """The hearing of a language. None if a template can't be read, which a rule reports."""
        try:
            return hearing_of(self.chart, None if language == self.languages[0] else language)
        except DefinitionError:
            return None

    def reading(self, name: str) -> Reading:
        """What a function of the machine does, according to its source."""
        function = self._functions.get(name)
        return UNKNOWN if function is None else read(function)

    # -- what can be done ----------------------------------------------------------------------------------------

    @cached_property
    def contexts(self) -> list[Any]:
        """Contexts to try guards and texts with. The first is the initial one, if that can be made."""
        return contexts(self.chart, self.parameters)

    def snapshots(self, standing: Configuration) -> list[Snapshot[Any]]:
        """Snapshots of a standing: one if there are no guards, else one for each context."""
        found = self._snapshots.get(standing)
        if found is None:
            some = self.contexts if self.guards and self._is_guarded(standing) else self.contexts[:1]
            states = [RunState(standing.leaves, context) for context in some]
            found = self._snapshots[standing] = [Snapshot(self.chart, state) for state in states]
        return found

    @staticmethod
    def _is_guarded(standing: Configuration) -> bool:
        return any(arc.guard is not None for node in standing.nodes for arcs in node.on.values() for arc in arcs)

    def offers(self, standing: Configuration) -> list[list[Offer]]:
        """The offers in each snapshot of a standing."""
        found = self._offers.get(standing)
        if found is None:
            found = self._offers[standing] = [offers(snapshot) for snapshot in self.snapshots(standing)]
        return found

    def together(self, standing: Configuration) -> dict[str, set[str]]:
        """For each event, the others that are possible at the same time in some snapshot of a standing."""
        found: dict[str, set[str]] = {}
        for offered in self.offers(standing):
            enabled = {offer.event for offer in offered if offer.enabled}
            for event in enabled:
                found.setdefault(event, set()).update(enabled - {event})
        return found

    @staticmethod
    def is_sure(standing: Configuration, event: str) -> bool:
        """Whether an event is taken in a standing, whatever its guards say."""
        return always_taken(standing.candidates(event))

    # -- places --------------------------------------------------------------------------------------------------

    def translated(self, spot: Spot, key: Key, language: str) -> Spot:
        """The spot with the place of a language's text in its locale file. Unchanged for the machine's own language."""
        where = "" if language == self.languages[0] else self.translations.of(key, language)
        return dataclasses.replace(spot, where=where) if where else spot

    def at_machine(self, where: str = "") -> Spot:
        return Spot(self.chart.name, where or self.places.machine or "$", (self.chart.root,))

    def at_state(self, node: Node) -> Spot:
        return Spot(str(node), self.places.state(node.path) or node.where, (node,))

    def at_standing(self, standing: Configuration, events: Collection[str] = ()) -> Spot:
        """The innermost states of a standing. Of many regions, only those in which one of `events` is taken."""
        leaves = tuple(self.chart.nodes[leaf] for leaf in standing.leaves)
        named = leaves
        if len(leaves) > MAX_NAMED:
            taken = [arc.source for event in events for arc in standing.candidates(event).all()]
            named = tuple(leaf for leaf in leaves if any(source is leaf or source.holds(leaf) for source in taken))
        named = named[:MAX_NAMED] or leaves[:1]
        more = f" and {len(leaves) - len(named)} more" if len(named) < len(leaves) else ""
        return Spot(" and ".join(map(str, named)) + more, self.at_state(named[0]).where, leaves)

    def at_event(self, event: str, *states: Node) -> Spot:
        declared = f"$.meta.events.{event}" if texts.event_meta(self.chart.config, event) else ""
        where = self.places.event(event) or declared or self._first(event)
        return Spot(event, where, states or self._sources(event), (event,))

    def at_arc(self, arc: Arc) -> Spot:
        """A transition, with the place of its event or its state."""
        events = () if not arc.event or arc.event.startswith(INTERNAL) else (arc.event,)
        where = self.places.forbid(arc.source.path, arc.event) if arc.forbids else ""
        where = where or (self.places.event(arc.event) if events else "") or self.places.state(arc.source.path)
        name = f"{arc.source}/{arc.event}" if events else str(arc.source)
        return Spot(name, where or arc.where, (arc.source,), events)

    def _sources(self, event: str) -> tuple[Node, ...]:
        """The only state that declares an event. Empty if there are several."""
        found = [node for node in self.chart.nodes if node.on.get(event)]
        return tuple(found) if len(found) == 1 else ()

    def _first(self, event: str) -> str:
        arcs = [arc for node in self.chart.nodes for arc in node.on.get(event, ())]
        return arcs[0].where if arcs else "$"


def _readable(chart: Chart) -> Chart:
    """The chart, without its locale files if they can't be read, which the rule about them reports."""
    locales = chart.behaviour.locales
    try:
        _ = () if locales is None else locales.files
    except DefinitionError:
        return compile_chart(chart.config, dataclasses.replace(chart.behaviour, locales=None))
    return chart
