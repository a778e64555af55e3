"""`Offer`: an event that the current state handles. Replies, buttons and tool results are all derived from offers."""

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
from fsmvoice.model.slots import slots_of
from fsmvoice.voice import texts
from fsmvoice.voice.phrases.catalogue import phrases_for
from fsmvoice.voice.phrases.phrases import Phrases
from fsmvoice.voice.slots import fill, values_of
from fsmvoice.voice.wording import wording


@dataclass(frozen=True, slots=True)
class Offer:
    """An event that the current state handles, and whether it would be taken. `say` is why not, or ''."""

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
        """For some parameters, the only values that would be accepted."""
        return self.verdict.accepted

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments, narrowed to the values that would be accepted now."""
        return self.payload.json_schema(self.accepted)


def offers(snapshot: Snapshot[Any], locale: str | None = None) -> list[Offer]:
    """The offers of a snapshot in declaration order. Events that are not for customers (`tool` false) are left out."""
    chart, notes = snapshot.chart, snapshot.notes
    kept: list[Offer] | None = None if notes is None else notes.get(("offers", locale))
    if kept is not None:
        return kept.copy()
    phrases = phrases_for(locale)
    # Offers of events that would be taken with any value depend on no snapshot, so they are cached on the chart.
    ready: dict[str, Offer] = chart.notes.setdefault(("offers", phrases.tag), {})
    found: list[Offer] = []
    varies = phrases.tag != locale  # cached by known languages only, so the cache needs no bound
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
    say = phrases.broken if verdict.failed else ""
    if not say and not _is_about_arguments(snapshot, verdict, payload, phrases):
        say = why_closed(snapshot, verdict.arcs, {}, phrases)
    return Offer(event, label, payload, verdict, say or phrases.cannot(label))


def _is_about_arguments(snapshot: Snapshot[Any], verdict: Verdict, payload: Payload, phrases: Phrases) -> bool:
    """Whether the reason names an argument, which nobody has given yet: "We are out of {drink}."."""
    text = texts.reason(snapshot.chart, verdict.arcs, phrases.tag)
    find = lookup(snapshot, {}, phrases.tag)
    return any(
        name in payload.parameters and fallback is None and find(name) is None
        for _, name, fallback in slots_of(text or "")
        if name is not None
    )


def closed_says(snapshot: Snapshot[Any], locale: str | None = None) -> dict[str, str]:
    """For each event of the active states that is not possible now, why; including those not for customers."""
    phrases = phrases_for(locale)
    closed = [verdict for verdict in snapshot.verdicts.values() if not verdict.possible]
    return {verdict.event: _offer(snapshot, verdict, phrases).say for verdict in closed}


def why_closed(
    snapshot: Snapshot[Any], arcs: Sequence[TransitionConfig], payload: Mapping[str, Any], phrases: Phrases
) -> str:
    """The reason of the guard or forbid that blocks `arcs`, with its slots filled; '' if there is none."""
    text = texts.reason(snapshot.chart, arcs, phrases.tag)
    return "" if text is None else fill(text, lookup(snapshot, payload, phrases.tag), phrases)


def lookup(snapshot: Snapshot[Any], payload: Mapping[str, Any], locale: str | None = None) -> Callable[[str], Any]:
    """A function that returns the values of slots, from the payload or else the context. Private fields are excluded.

    Amounts are returned with their currency, and values that have a label in `locale` as that label.
    """
    ready: Callable[[str], Any] | None = None

    def find(name: str) -> Any:  # most texts have no slots
        nonlocal ready
        if ready is None:
            ready = _prepared(snapshot, payload, locale)
        return ready(name)

    return find


def _prepared(snapshot: Snapshot[Any], payload: Mapping[str, Any], locale: str | None) -> Callable[[str], Any]:
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
