"""The regions of a parallel state: what is taken in each, and whether it shows when they start again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsmvoice.model.config import TransitionConfig
from fsmvoice.model.nodes import is_wildcard
from fsmvoice.model.tree import TreeNode

MOST_PARTS = 64
"""Of the names of events. One with more is said to be taken everywhere."""


class Regions:
    """The regions of the parallel state `node`."""

    def __init__(self, node: TreeNode) -> None:
        self.node = node
        self.nodes: list[TreeNode] = [child for child in node.children.values() if kind_of(child) != "history"]
        self.busy: set[int] = set()
        self.takers: dict[str, set[int]] = {}
        for region in self.nodes:
            for inner in below(region):
                for event, _, _ in arcs_by_event(inner):
                    self.takers.setdefault(event, set()).add(region.index)
                    self.busy.add(region.index)
        self.showing: set[int] = {region.index for region in self.nodes if region.children or does_something(region)}

    def of(self, node: TreeNode) -> TreeNode | None:
        """The region that `node` is, or is in."""
        for around in (node, *node.ancestors):
            if around.parent is self.node:
                return around
        return None

    def others_show(self, targets: Sequence[TreeNode]) -> bool:
        """Whether it shows when those regions start again that no target is in."""
        held = {region.index for target in targets if (region := self.of(target)) is not None}
        return len(self.showing) > len(held & self.showing)

    def taken_elsewhere(self, event: str, region: TreeNode) -> bool:
        """Whether another region than this one may take `event`; '' stands for an `always`."""
        if is_wildcard(event):
            return _others(self.busy, region)
        names = [event] if not event else [event, *wildcards_for(event)]
        return event.count(".") > MOST_PARTS or any(_others(self.takers.get(name), region) for name in names)


def _others(regions: set[int] | None, region: TreeNode) -> bool:
    return bool(regions) and len(regions or ()) > (region.index in (regions or ()))


def wildcards_for(event: str) -> Iterator[str]:
    """The wildcards that take `event`."""
    yield "*"
    parts = event.split(".", MOST_PARTS)
    for count in range(1, len(parts) + 1):
        yield ".".join(parts[:count]) + ".*"


def kind_of(node: TreeNode) -> str:
    """The node's type, said or implied."""
    return node.config.kind


def does_something(node: TreeNode) -> bool:
    """Whether it shows when the state is left and entered again."""
    config = node.config
    starting = config.initial.actions if config.initial is not None else ()
    return bool(config.entry or config.exit or config.after or config.invoke or starting)


def below(node: TreeNode) -> Iterator[TreeNode]:
    """The state and all states in it."""
    yield node
    for child in node.children.values():
        yield from below(child)


def arcs_by_event(node: TreeNode) -> Iterator[tuple[str, TransitionConfig, str]]:
    """The arcs of a state with their events, and where these stand."""
    for event, arcs in node.config.on.items():
        for arc in arcs:
            yield event, arc, f"{node.where}.on"
    for arc in node.config.always:
        yield "", arc, f"{node.where}.always"
