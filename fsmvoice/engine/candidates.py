"""The arcs that may take an event in a set of active states, in the order their guards will be evaluated."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

from fsmvoice.model.nodes import Arc, Node


@dataclass(slots=True, eq=False)
class Candidates:
    """Regions are tried first, independently. If none takes the event, the first of `arcs` whose guard holds does."""

    arcs: tuple[Arc, ...]
    regions: tuple[Candidates, ...] = ()

    def all(self) -> tuple[Arc, ...]:
        """All arcs, in the order they are tried."""
        inner = tuple(arc for region in self.regions for arc in region.all())
        return inner + self.arcs


NO_CANDIDATES = Candidates(())


def candidates_for(node: Node, members: Set[int], event: str) -> Candidates:
    """The candidates for `event` at `node` and its descendants.

    As in XState, once a region of a parallel state has taken an event, the state's ancestors are not tried.
    (SCXML tries them once for each region.)
    """
    own = node.arcs_for(event)
    active = [child for child in node.children if child.index in members]
    if node.kind == "compound" and active and active[0].is_leaf:
        active = active[:1]
    found = [below for child in active if (below := candidates_for(child, members, event)) is not NO_CANDIDATES]
    if not found:
        return Candidates(own) if own else NO_CANDIDATES
    if len(found) == 1:
        return Candidates(found[0].arcs + own, found[0].regions)
    return Candidates(own, tuple(found))


def eventless_candidates(nodes: Iterable[Node]) -> tuple[tuple[Arc, ...], ...]:
    """For each active leaf, the `always` arcs of it and its ancestors, innermost first, if there are any."""
    chains: list[tuple[Arc, ...]] = []
    for node in nodes:
        if node.is_leaf:
            chain = tuple(arc for holder in (node, *node.up_to(None)) for arc in holder.always)
            if chain:
                chains.append(chain)
    return tuple(chains)
