"""What can be done now: one list, of which replies, refusals, buttons and tool results are projections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.engine.verdicts import Verdict
from fsmvoice.errors import ReasonCode
from fsmvoice.model.config import TransitionConfig
from fsmvoice.model.context import ContextType
from fsmvoice.model.payload import Payload
from fsmvoice.voice import texts
from fsmvoice.voice.phrases.catalogue import phrases_for
from fsmvoice.voice.phrases.phrases import Phrases
from fsmvoice.voice.slots import fill, values_of
from fsmvoice.voice.wording import wording


@dataclass(frozen=True, slots=True)
class Offer:
    """An event that the present state handles, and whether it would be taken.

    `say` is why it is not enabled, or ''.
    """

    event: str
    label: str
    payload: Payload
    verdict: Verdict
    say: str = ""

    @property
    def enabled(self) -> bool:
        return self.verdict.possible

    @property
    def reason(self) -> ReasonCode | None:
        return self.verdict.reason

    @property
    def accepted(self) -> Mapping[str, Sequence[Any]] | None:
        """For some parameters, the only values that would be taken."""
        return self.verdict.accepted

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments, narrowed to what would be accepted now."""
        return self.payload.json_schema(self.accepted)


def offers(snapshot: Snapshot[Any], locale: str | None = None) -> list[Offer]:
    """The offers of a snapshot in the machine's declaration order, from its verdicts: no guard is called.

    Events that no customer speaks (`tool` false) are left out.
    """
    chart, notes = snapshot.chart, snapshot.notes
    kept: list[Offer] | None = None if notes is None else notes.get(("offers", locale))
    if kept is not None:
        return kept.copy()
    phrases = phrases_for(locale)
    # The offers that hold nothing of a snapshot: of events that would be taken, with any of their values.
    ready: dict[str, Offer] = chart.notes.setdefault(("offers", phrases.tag), {})
    found: list[Offer] = []
    varies = phrases.tag != locale  # what is kept goes by the languages that there are, so it needs no bound
    for verdict in snapshot.verdicts.values():
        event = verdict.event
        plain = verdict.possible and verdict.settled and verdict.accepted is None
        offer = ready.get(event) if plain else None
        if offer is None:
            if not texts.is_spoken(chart, event):
                continue
            offer = _offer(snapshot, verdict, phrases)
            if plain:
                ready[event] = offer
            else:
                varies = True
        found.append(offer)
    if notes is not None and not varies:
        notes["offers", locale] = found.copy()
    return found


def _offer(snapshot: Snapshot[Any], verdict: Verdict, phrases: Phrases) -> Offer:
    chart, event = snapshot.chart, verdict.event
    label = texts.label(chart, event, phrases.tag)
    payload = chart.behaviour.payloads.get(event) or Payload(event)
    if verdict.possible:
        return Offer(event, label, payload, verdict)
    say = phrases.broken if verdict.failed else why_closed(snapshot, verdict.arcs, {}, phrases)
    return Offer(event, label, payload, verdict, say or phrases.cannot(label))


def closed_says(snapshot: Snapshot[Any], locale: str | None = None) -> dict[str, str]:
    """For each event that is declared and not possible now, why; those that no customer speaks too."""
    phrases = phrases_for(locale)
    closed = [verdict for verdict in snapshot.verdicts.values() if not verdict.possible]
    return {verdict.event: _offer(snapshot, verdict, phrases).say for verdict in closed}


def why_closed(
    snapshot: Snapshot[Any], arcs: Sequence[TransitionConfig], payload: Mapping[str, Any], phrases: Phrases
) -> str:
    """The text of the guard or forbid that closes `arcs`, with its slots filled; '' if there is none."""
    text = texts.reason(snapshot.chart, arcs, phrases.tag)
    return "" if text is None else fill(text, lookup(snapshot, payload, phrases.tag), phrases)


def lookup(snapshot: Snapshot[Any], payload: Mapping[str, Any], locale: str | None = None) -> Callable[[str], Any]:
    """The values for slots: the payload first, then the snapshot's context, never a private field.

    Amounts come with their currency, and values that have a label in the language of `locale` as that.
    """
    words = wording(snapshot.chart, locale)
    find = _values(snapshot, payload)
    return find if words.plain else lambda name: words.prepared(name, find(name))


def _values(snapshot: Snapshot[Any], payload: Mapping[str, Any]) -> Callable[[str], Any]:
    kind: ContextType = snapshot.chart.behaviour.context
    context, fields = snapshot.context, kind.fields
    if fields is None:
        return values_of(payload, kind.values(context), kind.private)

    def find(name: str) -> Any:
        if name in kind.private:
            return None
        value = payload.get(name)
        return getattr(context, name) if value is None and name in fields else value

    return find
