"""Static analysis of a chart: states, events and transitions that are probably mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

from fsmvoice.model.chart import Chart
from fsmvoice.model.nodes import INTERNAL, Arc, Node

FindingKind: TypeAlias = Literal["unreachable-state", "trap", "dead-event", "eventless-cycle", "transition-never-taken"]


class Finding(NamedTuple):
    """Something that is valid but probably a mistake.

    Attributes:
        where: the JSON path of the state or the transition.
        node: the state.
        arc: the transition that is never taken; None for other kinds.
        event: the name of the dead event; '' for other kinds.
    """

    kind: FindingKind
    message: str
    where: str
    node: Node
    arc: Arc | None = None
    event: str = ""


def analyse(chart: Chart) -> tuple[Finding, ...]:
    """All findings in document order. Any guard is assumed to be sometimes true and sometimes false.

    - unreachable-state: no transition leads to it. For an unreachable subtree, only its top is reported.
    - trap: no transition leads out of it, and it is not final.
    - dead-event: each of its transitions is in a state that is never active, or is never taken.
    - eventless-cycle: a cycle of `always` transitions without a guard, so the machine would not come to rest.
    - transition-never-taken: an earlier transition, or an inner one in every active state, always takes the event.
    """
    never = _never_taken(chart)
    reached = _reached(chart, never)
    findings = [*_unreachable(chart, reached), *_traps(chart, reached), *_cycles(chart, reached)]
    findings += [
        Finding("transition-never-taken", message, arc.where, arc.source, arc=arc) for arc, message in never.items()
    ]
    findings += _dead(chart, reached, never)
    return tuple(sorted(findings, key=lambda finding: finding.node.index))


def _arcs(node: Node) -> Iterator[Arc]:
    yield from node.always
    for arcs in node.on.values():
        yield from arcs


def _reached(chart: Chart, never: Mapping[Arc, str]) -> set[Node]:
    """Every state that can become active."""
    reached: set[Node] = set()
    waiting = [chart.root]
    while waiting:
        node = waiting.pop()
        if node in reached:
            continue
        reached.add(node)
        if node.parent is not None:
            waiting.append(node.parent)
        waiting += node.children if node.kind == "parallel" else node.initial
        waiting += [target for arc in _arcs(node) if arc not in never for target in arc.targets]
    return reached


def _unreachable(chart: Chart, reached: set[Node]) -> Iterator[Finding]:
    for node in chart.nodes:
        if node not in reached and node.parent in reached and node.kind != "history":
            yield Finding("unreachable-state", f"no transition leads to the state {node.path!r}", node.where, node)


def _traps(chart: Chart, reached: set[Node]) -> Iterator[Finding]:
    if not any(_leads(node) for node in chart.nodes):
        return
    for node in chart.nodes:
        if node not in reached or node.kind != "atomic" or node.parent is None:
            continue
        if not any(_leads(above) for above in (node, *node.up_to(None))) and not _is_led_out(node):
            message = f"nothing leads out of the state {node.path!r}; if it ends here, say final=True"
            yield Finding("trap", message, node.where, node)


def _leads(node: Node) -> bool:
    return any(not arc.forbids for arc in _arcs(node))


def _is_led_out(node: Node) -> bool:
    """Whether a transition of another region leads out of an enclosing parallel state."""
    for above in node.up_to(None):
        if above.kind != "parallel":
            continue
        for region in above.children:
            beside = region is not node and not region.holds(node)
            inside = (other for other in above.children if beside and other is region)
            if any(not region.holds(target) for top in inside for arc in _below(top) for target in arc.targets):
                return True
    return False


def _below(node: Node) -> Iterator[Arc]:
    """The transitions of a state and its descendants."""
    yield from _arcs(node)
    for child in node.children:
        yield from _below(child)


def _never_taken(chart: Chart) -> dict[Arc, str]:
    found: dict[Arc, str] = {}
    for node in chart.nodes:
        for event, arcs in (("", node.always), *node.on.items()):
            named = f"the transition for {event}" if event else "an always"
            told = f"{named} in {str(node)!r} is never taken: "
            for number, arc in enumerate(arcs):
                if arc.guard is None:
                    for behind in arcs[number + 1 :]:
                        found[behind] = f"{told}the one before it has no guard"
                    break
            if event and arcs and not event.startswith(INTERNAL) and _is_handled_below(node, event):
                for arc in arcs:
                    found.setdefault(arc, f"{told}every state in it takes the event first, without a guard")
    return found


def _is_handled_below(node: Node, event: str) -> bool:
    if not node.children:
        return False
    if node.kind == "parallel":
        return any(_handles(child, event) for child in node.children)
    return all(_handles(child, event) or (child.kind == "final" and node.parent is None) for child in node.children)


def _handles(node: Node, event: str) -> bool:
    """Whether some transition in the state always takes the event; one that forbids it does not count."""
    return any(arc.guard is None and not arc.forbids for arc in node.arcs_for(event)) or _is_handled_below(node, event)


def _dead(chart: Chart, reached: set[Node], never: Mapping[Arc, str]) -> Iterator[Finding]:
    for event in chart.events:
        arcs = [arc for node in chart.nodes for arc in node.on.get(event, ())]
        if arcs and not any(arc.source in reached and arc not in never and not arc.forbids for arc in arcs):
            message = f"the event {event} is never taken: its transitions are in states that are never active"
            if any(arc in never for arc in arcs):
                message = f"the event {event} is never taken: other transitions come first"
            yield Finding("dead-event", message, arcs[0].where, arcs[0].source, event=event)


def _cycles(chart: Chart, reached: set[Node]) -> Iterator[Finding]:
    """Each cycle once, at its first state. A state that leads to itself is not a cycle: it changes nothing."""
    leads = {node: _driven(node) for node in chart.nodes if node in reached and node.is_leaf}
    told: set[Node] = set()
    for start in leads:
        way: list[Node] = []
        node: Node | None = start
        while node is not None and node not in way and node not in told:
            way.append(node)
            node = next((leaf for leaf in leads.get(node, ()) if leaf is not node), None)
        if node is None or node in told:
            told.update(way)
            continue
        cycle = way[way.index(node) :]
        told.update(way)
        names = " -> ".join(repr(leaf.path) for leaf in (*cycle, node))
        message = f"always goes round {names} without a guard, so the machine would not come to rest"
        yield Finding("eventless-cycle", message, node.where, node)


def _driven(leaf: Node) -> tuple[Node, ...]:
    """The leaves that `always` leads to from `leaf` regardless of the context."""
    if leaf.kind == "final" and leaf.parent is not None and leaf.parent.parent is None:
        return ()
    for holder in (leaf, *leaf.up_to(None)):
        for arc in holder.always:
            if arc.guard is not None:
                return ()
            return tuple(start for target in arc.targets for start in _starts(target))
    return ()


def _starts(node: Node) -> Iterator[Node]:
    """The leaves that entering `node` enters."""
    if node.is_leaf:
        yield node
    for child in node.children if node.kind == "parallel" else node.initial:
        yield from _starts(child)
