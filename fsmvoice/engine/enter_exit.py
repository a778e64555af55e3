"""The states that a microstep exits and enters. XState 5's algorithm, which is SCXML's except for the domain.

Source: W3C SCXML, Appendix D (computeExitSet, computeEntrySet, removeConflictingTransitions); XState 5's stateUtils.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fsmvoice.model.nodes import Arc, Node

Remembered = Mapping[Node, Sequence[Node]]
"""For each visited history node, the nodes that it would enter."""


def effective_targets(targets: Iterable[Node], remembered: Remembered) -> list[Node]:
    """`targets` with each history node replaced by the nodes it enters now."""
    found: dict[Node, None] = {}
    for target in targets:
        if target.kind != "history":
            found[target] = None
        elif target in remembered:
            found.update(dict.fromkeys(remembered[target]))
        else:
            found.update(dict.fromkeys(effective_targets(target.initial, remembered)))
    return list(found)


def domain_of(arc: Arc, remembered: Remembered) -> Node | None:
    """The innermost state that stays active while `arc` is taken; None if even the root is exited."""
    targets = effective_targets(arc.targets, remembered)
    source = arc.source
    if not arc.reenter and all(target is source or source.holds(target) for target in targets):
        return source
    if targets:
        others = [*targets[1:], source]
        for ancestor in targets[0].up_to(None):
            if all(ancestor.holds(other) for other in others):
                return ancestor
    if arc.reenter:
        return None
    return source.up_to(None)[-1] if source.parent is not None else source


def exit_set(arc: Arc, domain: Node | None, active: Collection[Node]) -> set[Node]:
    """The active states that `arc` exits."""
    if not arc.targets:
        return set()
    if domain is None:
        return set(active)
    return {node for node in active if domain.holds(node)}


def without_conflicts(arcs: Iterable[Arc], active: Collection[Node], remembered: Remembered) -> list[Arc]:
    """`arcs` without conflicts: of those that exit the same state, the one with the deepest source, else the first."""
    kept: dict[Arc, set[Node]] = {}
    for arc in arcs:
        domain = domain_of(arc, remembered)
        leaves = exit_set(arc, domain, active)
        if domain is arc.source and _renews(arc, remembered):
            leaves.add(arc.source)
        beaten: list[Arc] = []
        for other, others in kept.items():
            if not leaves.isdisjoint(others):
                if not other.source.holds(arc.source):
                    break
                beaten.append(other)
        else:
            for other in beaten:
                del kept[other]
            kept[arc] = leaves
    return list(kept)


def _renews(arc: Arc, remembered: Remembered) -> bool:
    """Whether a history leads `arc` back into its source, which XState enters then without having left it.

    SCXML leaves it first. Here it counts as left where arcs are in each other's way: in XState such an arc is taken
    beside one that leaves all around it, and its source is active then without its parents.
    """
    return (
        not arc.reenter
        and any(target.kind == "history" for target in arc.targets)
        and arc.source in effective_targets(arc.targets, remembered)
    )


def remember(
    leaving: Iterable[Node], active: Collection[Node], remembered: Remembered
) -> dict[Node, tuple[Node, ...]] | None:
    """The memory of history nodes after `leaving` are exited; None if none of them has a history node."""
    held: dict[Node, tuple[Node, ...]] | None = None
    for node in leaving:
        for history in node.histories:
            if held is None:
                held = {key: tuple(nodes) for key, nodes in remembered.items()}
            inside = [
                other
                for other in active
                if (other.is_leaf and node.holds(other) if history.deep else other.parent is node)
            ]
            held[history] = tuple(sorted(inside, key=lambda other: other.index))
    return held


@dataclass(slots=True)
class Entry:
    """The states that a microstep enters, and those of them whose initial actions run."""

    remembered: Remembered
    nodes: dict[Node, None] = field(default_factory=dict[Node, None])
    by_default: set[Node] = field(default_factory=set[Node])
    _around: set[Node] = field(default_factory=set[Node])
    """The ancestors of `nodes`, so that entering many regions takes linear time."""

    def add_arc(self, arc: Arc, domain: Node | None) -> None:
        """Add the states that `arc` enters.

        Args:
            domain: of the arc before anything was left. To take it anew, as XState does, goes wrong where the histories
                that the exits wrote point elsewhere: a state would be left and not entered again.
        """
        source = arc.source
        for target in arc.targets:
            if target.kind != "history" and (target is not source or source is not domain or arc.reenter):
                self._add(target, by_default=True)
            self._add_below(target)
        inside = None if source.parent is None and arc.reenter else domain
        for target in effective_targets(arc.targets, self.remembered):
            above = target.up_to(domain)
            if domain is not None and domain.kind == "parallel":
                above.append(domain)
            self._add_above(above, inside)

    def _add(self, node: Node, *, by_default: bool) -> None:
        self.nodes[node] = None
        if by_default:
            self.by_default.add(node)
        above = node.parent
        while above is not None and above not in self._around:
            self._around.add(above)
            above = above.parent

    def _add_below(self, node: Node) -> None:
        if node.kind == "history":
            self._add_remembered(node)
        elif node.kind == "compound":
            for first in node.initial:
                if first.kind != "history":
                    self._add(first, by_default=True)
                self._add_below(first)
            for first in node.initial:
                self._add_above(first.up_to(node), None)
        elif node.kind == "parallel":
            self._add_regions(node, by_default=True)

    def _add_remembered(self, history: Node) -> None:
        parent = history.parent
        held = self.remembered.get(history)
        if held is None and parent is not None and history.initial is parent.initial:
            self.by_default.add(parent)
        nodes = history.initial if held is None else held
        for node in nodes:
            if node.kind != "history":
                self._add(node, by_default=False)
            self._add_below(node)
        for node in nodes:
            self._add_above(node.up_to(parent), None)

    def _add_above(self, above: Iterable[Node], inside: Node | None) -> None:
        for node in above:
            if inside is None or inside.holds(node):
                self._add(node, by_default=False)
            if node.kind == "parallel":
                self._add_regions(node, by_default=False)

    def _add_regions(self, node: Node, *, by_default: bool) -> None:
        for region in node.children:
            if region not in self._around:
                self._add(region, by_default=by_default)
                self._add_below(region)


def is_complete(node: Node, active: Collection[Node]) -> bool:
    """Whether `node` is done: a final child is active, or for a parallel state, every region is done."""
    if node.kind == "compound":
        return any(child.kind == "final" and child in active for child in node.children)
    if node.kind == "parallel":
        return all(is_complete(child, active) for child in node.children)
    return node.kind == "final"
