"""Warnings: what is valid in a class and probably not meant."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence

from fsmvoice.errors import DefinitionWarning
from fsmvoice.machine.edges import Edge
from fsmvoice.machine.payload import is_unbounded
from fsmvoice.machine.place import Place
from fsmvoice.machine.state_tree import StateNode, StateTree
from fsmvoice.machine.states import History
from fsmvoice.model.payload import Parameter


def warn(tree: StateTree, edges: Sequence[Edge], parameters: Mapping[str, tuple[Place, Sequence[Parameter]]]) -> None:
    """Give a DefinitionWarning, at its place in the source, for each thing that looks like a slip."""
    for place, message in (*_states(tree, edges), *_handlers(edges), *_numbers(parameters)):
        warnings.warn_explicit(f"{tree.machine}: {message}", DefinitionWarning, place.filename, place.line)


def _states(tree: StateTree, edges: Sequence[Edge]) -> Iterator[tuple[Place, str]]:
    if not edges:
        return
    reached = _reached(tree, edges)
    leaving = {edge.source for edge in edges if not edge.forbids}
    for node in tree.states:
        if node.place is None or node.kind == "history":
            continue
        if node not in reached:
            if node.parent in reached:
                yield node.place, f"no transition leads to the state {node.path!r}"
        elif node.kind == "atomic" and not leaving.intersection((node, *node.ancestors)):
            yield node.place, f"nothing leads out of the state {node.path!r}; if it ends here, say final=True"


def _reached(tree: StateTree, edges: Sequence[Edge]) -> set[StateNode]:
    """Every state that can become active, were all guards to hold."""
    reached: set[StateNode] = set()
    waiting = [tree.root]
    by_source: dict[StateNode, list[StateNode]] = {}
    for edge in edges:
        if edge.target is not None:
            by_source.setdefault(edge.source, []).append(edge.target)
    while waiting:
        node = waiting.pop()
        if node in reached:
            continue
        reached.add(node)
        waiting += by_source.get(node, [])
        waiting += _entered_with(tree, node)
    return reached


def _entered_with(tree: StateTree, node: StateNode) -> Iterator[StateNode]:
    if node.parent is not None:
        yield node.parent
    if isinstance(node.declared, History):
        found = None if node.declared.target is None else tree.find(node.declared.target)
        if isinstance(found, StateNode):
            yield found
    elif node.kind == "parallel":
        yield from (child for child in node.children.values() if child.kind != "history")
    else:
        yield from (child for child in node.children.values() if child.info is not None and child.info.initial)


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
