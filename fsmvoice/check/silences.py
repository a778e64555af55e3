"""Silences: rules that an author has turned off for a state or event, each with a reason."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from fsmvoice.check.finding import Finding, Found, Spot
from fsmvoice.check.rule import rule, rule_meant
from fsmvoice.check.subject import Subject
from fsmvoice.model.nodes import Node
from fsmvoice.voice.authored import event_meta, section


@dataclass(frozen=True)
class Silence:
    """An entry of `meta.checks` of a state or event (`allow=` in a class): a rule, and why it does not apply."""

    rule: str
    reason: object
    spot: Spot
    node: Node | None = None
    event: str = ""
    on_arc: bool = False

    def covers(self, finding: Finding) -> bool:
        """Whether a finding is about the silence's event, its state, or a state inside that."""
        if finding.rule != self.rule or self.on_arc:
            return False
        if self.node is None:
            return self.event in finding.spot.events
        return any(node is self.node or self.node.holds(node) for node in finding.spot.states)


def silences_of(subject: Subject) -> list[Silence]:
    """Every silence that a machine declares."""
    chart = subject.chart
    found: list[Silence] = []
    for node in chart.nodes:
        spot = subject.at_machine() if node is chart.root else subject.at_state(node)
        found += [Silence(name, why, spot, node=node) for name, why in _checks(node.config.meta)]
    for event in section(chart.config.meta, "events"):
        spot = subject.at_event(event)
        found += [Silence(name, why, spot, event=event) for name, why in _checks(event_meta(chart.config, event))]
    for node in chart.nodes:
        for arc in (arc for arcs in (node.always, *node.on.values()) for arc in arcs):
            found += [Silence(name, why, subject.at_arc(arc), on_arc=True) for name, why in _checks(arc.config.meta)]
    return found


def _checks(meta: Mapping[str, Any] | None) -> Iterable[tuple[str, object]]:
    given = (meta or {}).get("checks")
    return cast("Mapping[str, object]", given).items() if isinstance(given, Mapping) else ()


def is_reasoned(silence: Silence) -> bool:
    """Whether the silence has a reason."""
    return isinstance(silence.reason, str) and bool(silence.reason.strip())


def wrong_silences(silences: Iterable[Silence], known: Collection[str]) -> Iterator[Found]:
    """Findings for silences of unknown rules, on transitions, or without a reason."""
    for silence in silences:
        if silence.rule not in known:
            hint = rule_meant(silence.rule, known) or "a rule that fsmvoice check --list names"
            yield Found(silence.spot, f"it silences {silence.rule!r}, which is not a rule", hint)
        elif silence.on_arc:
            told = f"it silences {silence.rule} on a transition, which has no effect"
            yield Found(silence.spot, told, "checks in the meta of the state, or of the event in meta.events")
        elif not is_reasoned(silence):
            right = f'a reason: {{"{silence.rule}": "..."}}'
            yield Found(silence.spot, f"it silences {silence.rule} without a reason", right)


def unused_silences(silences: Iterable[Silence], used: Collection[int]) -> Iterator[Found]:
    """Findings for silences of rules that find nothing there."""
    for silence in silences:
        if id(silence) not in used and not silence.on_arc:
            yield Found(silence.spot, f"it silences {silence.rule}, which finds nothing here", "no silence")


@rule("C01", "error", source="the next reader must know why", right='give the reason: {"V05": "why it does not apply"}')
def _wrong(_: Subject) -> Iterator[Found]:
    """A silence without a reason, of an unknown rule, or on a transition."""
    yield from ()


@rule("C02", "warning", source="an unneeded silence hides later findings", right="remove it")
def _unused(_: Subject) -> Iterator[Found]:
    """A silence of a rule that finds nothing there."""
    yield from ()


WRONG, UNUSED = _wrong, _unused
