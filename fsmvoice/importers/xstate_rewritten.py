"""Arcs of version 4 that do the same here if they are written otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fsmvoice.importers.xstate_findings import Findings
from fsmvoice.importers.xstate_names import Names
from fsmvoice.importers.xstate_regions import Regions, does_something, kind_of, wildcards_for
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.forms import step
from fsmvoice.model.nodes import is_wildcard
from fsmvoice.model.tree import Tree, TreeNode

Arc = dict[str, Any]


def rewrite_arcs(config: FsmConfig, machine: dict[str, Any], findings: Findings) -> bool:
    """Change `machine`, which `config` was read from, where that lets its arcs do what version 4 does.

    Returns:
        whether there was anything to change.
    """
    rewriting = _Rewriting(Tree(config), machine, findings)
    for node in rewriting.tree.nodes:
        for event in list(node.config.on):
            rewriting.event(node, event)
    return rewriting.changed


class _Rewriting:
    def __init__(self, tree: Tree, machine: dict[str, Any], findings: Findings) -> None:
        self.tree, self.machine, self.findings = tree, machine, findings
        self.names = Names(findings)
        self.regions = {node.index: Regions(node) for node in tree.nodes if kind_of(node) == "parallel"}
        self.changed = False

    def event(self, node: TreeNode, event: str) -> None:
        state = self._state(node)
        arcs: list[Arc] = state["on"][event]
        leads = [self._targets(node, arc) for arc in arcs]
        region = self._one_region(node, event, arcs, leads)
        if region is not None:
            self._move(
                node, region, event, [self._by_id(arc, targets) for arc, targets in zip(arcs, leads, strict=True)]
            )
            return
        found: list[Arc] = []
        places: list[str] = []
        settled: list[int] = []
        for number, (arc, targets) in enumerate(zip(arcs, leads, strict=True)):
            place = self._place(node, event, number, len(arcs))
            written = self._alone(node, arc, targets) or self._at_rest(node, arc, targets, place) or [arc]
            found += written
            places += [place] * len(written)
            if len(written) > 1:
                settled.append(len(found) - 1)
        if found != arcs:
            self._put(node, event, found, places)
            self.findings.settled.update(self._path(node, event, number, len(found)) for number in settled)

    def _alone(self, node: TreeNode, arc: Arc, targets: Sequence[TreeNode]) -> list[Arc]:
        """A region that is left and entered without the others. If it does nothing then, it need not be."""
        around = node.parent
        if around is None or kind_of(around) != "parallel" or not arc.get("reenter") or does_something(node):
            return []
        if not targets or any(node is not target and node not in target.ancestors for target in targets):
            return []
        return [{key: value for key, value in arc.items() if key != "reenter"}]

    def _at_rest(self, node: TreeNode, arc: Arc, targets: Sequence[TreeNode], place: str) -> list[Arc]:
        """An arc to a state that may be active: it is not left and entered then."""
        if len(targets) != 1 or arc.get("reenter") or kind_of(node) != "compound":
            return []
        target = targets[0]
        if target.parent is not node or target.children or kind_of(target) == "history" or not does_something(target):
            return []
        reference = f"#{target.id}"
        guard = arc.get("guard")
        held = self.names.in_state(reference) if guard is None else self.names.both(guard, reference)
        self.findings.note(place, f"is two here, so that {target.path!r} is not left and entered while it is active")
        return [{**{key: value for key, value in arc.items() if key != "target"}, "guard": held}, arc]

    def _one_region(
        self, node: TreeNode, event: str, arcs: Sequence[Arc], leads: Sequence[Sequence[TreeNode]]
    ) -> TreeNode | None:
        """The region of a parallel state that all of its arcs for an event lead into, if no other one takes it."""
        regions = self.regions.get(node.index)
        if regions is None or is_wildcard(event) or any(arc.get("reenter") for arc in arcs):
            return None
        targets = [target for found in leads for target in found]
        into = {region.index: region for target in targets if (region := regions.of(target)) is not None}
        if len(into) != 1 or any(kind_of(target) == "history" or regions.of(target) is None for target in targets):
            return None
        region = next(iter(into.values()))
        if kind_of(region) == "final" or regions.taken_elsewhere(event, region):
            return None
        return None if any(name in region.config.on for name in wildcards_for(event)) else region

    def _move(self, node: TreeNode, region: TreeNode, event: str, arcs: list[Arc]) -> None:
        state, inner = self._state(node), self._state(region)
        own: list[Arc] = inner.setdefault("on", {}).get(event, [])
        places = [self._place(region, event, number, len(own)) for number in range(len(own))]
        places += [self._place(node, event, number, len(arcs)) for number in range(len(arcs))]
        self._put(region, event, [*own, *arcs], places)
        del state["on"][event]
        place = self._place(node, event, 0, len(arcs)).removesuffix("[0]")
        self.findings.note(place, f"stands in the region {region.path!r}, so that the others stay as they are")

    def _put(self, node: TreeNode, event: str, arcs: list[Arc], places: Sequence[str]) -> None:
        self._state(node).setdefault("on", {})[event] = arcs
        for number, place in enumerate(places):
            self.findings.places[self._path(node, event, number, len(arcs))] = place
        self.changed = True

    def _state(self, node: TreeNode) -> dict[str, Any]:
        if node.parent is None:
            return self.machine
        found: dict[str, Any] = self._state(node.parent)["states"][node.key]
        return found

    def _targets(self, node: TreeNode, arc: Mapping[str, Any]) -> list[TreeNode]:
        targets: Any = arc.get("target", ())
        named: list[str] = [targets] if isinstance(targets, str) else targets
        return [found for target in named if (found := self.tree.resolve(node, target)) is not None]

    def _by_id(self, arc: Arc, targets: Sequence[TreeNode]) -> Arc:
        if not targets:
            return arc
        names = [f"#{target.id}" for target in targets]
        return {**arc, "target": names[0] if len(names) == 1 else names}

    def _path(self, node: TreeNode, event: str, number: int, many: int) -> str:
        at = f"{node.where}.on{step(event)}"
        return f"{at}[{number}]" if many > 1 else at

    def _place(self, node: TreeNode, event: str, number: int, many: int) -> str:
        """Where an arc stood in the document."""
        at = self._path(node, event, number, many)
        return self.findings.places.get(at, at)
