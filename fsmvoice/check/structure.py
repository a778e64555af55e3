"""Rules about the structure of a machine: what is never reached, never left or never taken, and endless loops."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from fsmvoice.check.finding import Found
from fsmvoice.check.rule import rule
from fsmvoice.check.subject import Subject
from fsmvoice.engine.analysis import Finding, FindingKind, analyse
from fsmvoice.model.nodes import INTERNAL, Arc, Call, Node
from fsmvoice.model.shapes import is_object


def _seen(subject: Subject, kind: FindingKind) -> list[Finding]:
    known: tuple[Finding, ...] | None = subject.kept.get("check.analysis")
    if known is None:
        known = subject.kept["check.analysis"] = analyse(subject.chart)
    return [finding for finding in known if finding.kind == kind]


@rule(
    "V10",
    "error",
    source="a conversation that can't continue must say that it is over",
    right="give the state a transition, or make it final",
)
def no_way_out(subject: Subject) -> Iterator[Found]:
    """A state without a way out: no transition leaves it though it is not final, or its end leads nowhere."""
    told: set[Node] = set()
    for finding in _seen(subject, "trap"):
        told.add(finding.node)
        yield Found(subject.at_state(finding.node), "no transition leads out of it", "a transition, or final=True")
    left = {move.before for move in subject.ways.moves}
    for standing in subject.standings:
        leaves = [subject.chart.nodes[leaf] for leaf in standing.leaves]
        if standing in left or not told.isdisjoint(leaves):
            continue
        for leaf in leaves:
            if leaf.kind == "final" and leaf.parent is not None and leaf.parent not in told:
                told.add(leaf.parent)
                message = f"it ends in {str(leaf)!r}, and no transition continues from there"
                yield Found(subject.at_state(leaf.parent), message, f"a transition for the end of {str(leaf.parent)!r}")


@rule(
    "S01",
    "warning",
    source="the definition itself",
    right="add a transition to it, or remove it",
)
def unreachable(subject: Subject) -> Iterator[Found]:
    """A state that no transition leads to."""
    lost = {finding.node for finding in _seen(subject, "unreachable-state")}
    for node in subject.chart.nodes:
        if node in lost:
            yield Found(subject.at_state(node), "no transition leads to it", "a transition to it, or no such state")
    if not subject.ways.complete:
        return
    active = subject.ways.active()
    for node in subject.chart.nodes:
        if node.kind != "history" and node not in active and node.parent in active and node not in lost:
            message = "no transition to it can be taken"
            yield Found(subject.at_state(node), message, "a transition that can be taken, or no such state")


@rule(
    "S02",
    "warning",
    source="the definition itself",
    right="add a transition in a state that can be active, or remove the event",
)
def dead_event(subject: Subject) -> Iterator[Found]:
    """An event that is never taken, because its transitions are in unreachable states or come after others."""
    for finding in _seen(subject, "dead-event"):
        if not finding.event.startswith(INTERNAL):
            yield Found(subject.at_event(finding.event), finding.message, "a transition that can be taken")


@rule(
    "S03",
    "warning",
    source="W3C SCXML, appendix D: a macrostep ends when no eventless transition is enabled",
    right="give one of them a guard",
)
def goes_round(subject: Subject) -> Iterator[Found]:
    """An endless loop of transitions without events and guards.

    `onDone` counts as one if the state is done as soon as it is entered.
    """
    told: set[Node] = set()
    for way in subject.ways.rounds():
        if told.isdisjoint(way):
            names = " -> ".join(repr(str(node)) for node in dict.fromkeys(way))
            message = f"{names} loops for ever: none of the transitions has a guard or an event"
            yield Found(subject.at_state(way[0]), message, "a guard on one of them, or an event")
        told.update(way)
    for finding in _seen(subject, "eventless-cycle"):
        if finding.node not in told:
            yield Found(subject.at_state(finding.node), finding.message, "a guard on one of them")


@rule(
    "S04",
    "warning",
    source="in XState and SCXML, if a state's own transitions refuse, those of enclosing states are tried",
    right="forbid the event in the state with a reason, or guard the other transition too",
)
def taken_behind(subject: Subject) -> Iterator[Found]:
    """A guarded transition for an event that the machine itself also takes, which happens when the guard says no."""
    root = subject.chart.root
    for node in subject.chart.nodes[1:]:
        for event, arcs in node.on.items():
            behind = [arc for arc in root.arcs_for(event) if not arc.forbids]
            if behind and not event.startswith(INTERNAL) and all(arc.guard is not None for arc in arcs):
                message = f"when the guard of {event} says no here, the machine's own transition is taken"
                right = f"a forbid of {event} in {str(node)!r}, with a reason"
                yield Found(subject.at_arc(arcs[0]), message, right)


@rule(
    "S05",
    "warning",
    source="an event that no transition takes is dropped silently",
    right="add a transition for it, or don't raise it",
)
def raised_for_nobody(subject: Subject) -> Iterator[Found]:
    """An action that raises an event which no transition takes, either anywhere or in the state that it leads to."""
    told: set[tuple[str, str]] = set()
    for move in subject.ways.moves:
        for operation in move.plan.operations:
            for event in _raised(subject, operation) if isinstance(operation, Call) else ():
                key = (operation.name if isinstance(operation, Call) else "", event)
                taken = any(node.arcs_for(event) for node in subject.chart.nodes)
                moves_on = move.plan.completes or bool(move.plan.to.eventless)
                here = moves_on or any(node.arcs_for(event) for node in move.plan.to.nodes)
                if key in told or (taken and here):
                    continue
                told.add(key)
                node = subject.chart.nodes[move.plan.to.leaves[0]]
                message = f"{key[0]} raises {event}, which no transition takes"
                message += f" in {str(node)!r}" if taken else ""
                spot = subject.at_arc(move.plan.arcs[0]) if move.plan.arcs else subject.at_state(node)
                yield Found(spot, message, f"a transition for {event}")


def _raised(subject: Subject, call: Call) -> Iterator[str]:
    event = (call.params or {}).get("event")
    if call.name.removeprefix("xstate.").startswith("raise") and is_object(event):
        yield str(event.get("type"))
    for name in subject.reading(call.name).raises:
        yield subject.places.events.get(name, name)


@rule(
    "S06",
    "warning",
    source="transitions are tried in document order, inner states first",
    right="move it before the other, give the other a guard, or remove it",
)
def never_taken(subject: Subject) -> Iterator[Found]:
    """A transition that is never taken, because another one always comes first."""
    right = "another order, or a guard on the other transition"
    told: set[Arc] = set()
    for finding in _seen(subject, "transition-never-taken"):
        if finding.arc is not None:
            told.add(finding.arc)
            yield Found(subject.at_arc(finding.arc), finding.message, right)
    for node in subject.chart.nodes:
        for event, arcs in (("", node.always), *node.on.items()):
            for first, behind in combinations(arcs, 2):
                if behind not in told and _same_guard(first.guard, behind.guard):
                    told.add(behind)
                    named = f"the transition for {event}" if event else "an always"
                    message = f"{named} in {str(node)!r} is never taken: an earlier one has the same guard"
                    yield Found(subject.at_arc(behind), message, "another guard, or no second transition")


def _same_guard(one: Call | None, other: Call | None) -> bool:
    """Whether two guards are the same function with the same params. Functions without names can't be compared."""
    if one is None or other is None or one.name.startswith(("inline:", "<")):
        return False
    return one.name == other.name and one.params == other.params
