"""Warnings about what is valid in a class but probably a mistake."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence

from fsmvoice.engine.analysis import analyse
from fsmvoice.errors import DefinitionWarning
from fsmvoice.machine.edges import Edge
from fsmvoice.machine.payload import is_unbounded
from fsmvoice.machine.place import Place
from fsmvoice.machine.state_tree import StateNode, StateTree
from fsmvoice.model.chart import Chart
from fsmvoice.model.nodes import Arc
from fsmvoice.model.payload import Parameter


def warn(
    chart: Chart,
    tree: StateTree,
    edges: Sequence[Edge],
    parameters: Mapping[str, tuple[Place, Sequence[Parameter]]],
) -> None:
    """Issue a DefinitionWarning, with its place in the source, for each probable mistake."""
    for place, message in (*_seen(chart, tree, edges), *_handlers(edges), *_numbers(parameters)):
        warnings.warn_explicit(f"{tree.machine}: {message}", DefinitionWarning, place.filename, place.line)


def _seen(chart: Chart, tree: StateTree, edges: Sequence[Edge]) -> Iterator[tuple[Place, str]]:
    """The findings of the chart's analysis, without dead events, whose cause is another finding."""
    states = {node.path: node for node in tree.states}
    for finding in analyse(chart):
        if finding.kind == "dead-event":
            continue
        state = states.get(finding.node.path, tree.root)
        place = state.place if finding.arc is None else _place_of(finding.arc, state, edges) or state.place
        if place is not None:
            yield place, finding.message


def _place_of(arc: Arc, state: StateNode, edges: Sequence[Edge]) -> Place | None:
    """The place of a transition in the source. Edges of one state and event have the order of its arcs."""
    found = [edge for edge in edges if edge.source is state and edge.event == arc.event != ""]
    number = arc.source.on.get(arc.event, ()).index(arc) if found else 0
    return found[number].place if number < len(found) else None


def _handlers(edges: Sequence[Edge]) -> Iterator[tuple[Place, str]]:
    everywhere = {edge.event for edge in edges if edge.source.parent is None and edge.event and not edge.forbids}
    told: set[tuple[StateNode, str]] = set()
    for edge in edges:
        if edge.source.parent is None or edge.event not in everywhere or (edge.source, edge.event) in told:
            continue
        told.add((edge.source, edge.event))
        own = [other for other in edges if other.source is edge.source and other.event == edge.event]
        if all(other.guarded for other in own):
            closed = f"forbid({edge.event!r}, source={edge.source.path!r}, reason=...)"
            said = f"when the guard of {edge.event} says no in {edge.source.path!r}, the transition from ANY is taken"
            yield edge.place, f"{said}; to stop it, add {closed}"


def _numbers(parameters: Mapping[str, tuple[Place, Sequence[Parameter]]]) -> Iterator[tuple[Place, str]]:
    for event, (place, fields) in parameters.items():
        for field in fields:
            if is_unbounded(field.annotation):
                bounded = f"{field.name}: Annotated[int, Field(ge=1, le=20)]"
                yield place, f"{field.name!r} of {event} is any int; say its bounds: {bounded}"
