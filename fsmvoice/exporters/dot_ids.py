"""`dot_ids`: the element ids of states and arcs in a DOT picture, for highlighting them without a new layout."""

from __future__ import annotations

import re
from typing import TypedDict

from fsmvoice.exporters.drawn import DrawnArc, arcs_in
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.parse import parse_config
from fsmvoice.model.tree import Tree, TreeNode


class ArcElement(TypedDict):
    """An arrow in the picture. `event` is '' for arcs not in `on`. A targetless arc has the element of its state."""

    element: str
    source: str
    event: str
    target: str


class DotIds(TypedDict):
    """The element of each state, by dotted path ('' for the machine itself), and those of all arcs."""

    states: dict[str, str]
    arcs: list[ArcElement]


def dot_ids(config: FsmConfig) -> DotIds:
    """Map states and arcs to the elements of the SVG made from `to_dot(config)`. The result is JSON-ready.

    To highlight a state, give its element the class `active`; to flash an arc, the class `taken`. `SVG_STYLE` styles
    both. States are named as by `Chart.name_of`: by dotted path, or by `#id` if that is ambiguous.

    Raises:
        DefinitionError: if the config is invalid.
    """
    tree = Tree(parse_config(config))
    ids = ElementIds(tree)
    arcs: list[ArcElement] = [
        {"element": element, "source": name_of(tree, arc.source), "event": arc.event, "target": name_of(tree, target)}
        for arc in arcs_in(tree)
        for element, target in ids.of_arc(arc)
    ]
    return {"states": {name_of(tree, node): ids.of_state(node) for node in tree.nodes}, "arcs": arcs}


def name_of(tree: Tree, node: TreeNode) -> str:
    """The dotted path of a state, or `#id` if that is ambiguous."""
    return node.path if tree.by_path[node.path] is node else f"#{node.id}"


class ElementIds:
    """Element ids such as `machine`, `state-on-light` and `arc-3`: ASCII, and unique within a picture."""

    def __init__(self, tree: Tree) -> None:
        self._states: dict[int, str] = {}
        taken = {"machine"}
        for node in sorted(tree.nodes, key=lambda node: not _PLAIN.fullmatch(node.path)):  # plain names stay plain
            name = slug = "state-" + re.sub(r"[^A-Za-z0-9_]+", "-", node.path).strip("-")
            number = node.index
            while name in taken:
                name, number = f"{slug.rstrip('-')}-{number}", number + len(tree.nodes)
            taken.add(name)
            self._states[node.index] = name
        self._states[0] = "machine"

    def of_state(self, node: TreeNode) -> str:
        return self._states[node.index]

    def of_arc(self, arc: DrawnArc) -> list[tuple[str, TreeNode]]:
        """The element and the target of each arrow of an arc."""
        if arc.arc.target is None:
            return [(self.of_state(arc.source), arc.source)]
        several = len(arc.targets) > 1
        return [
            (f"arc-{arc.number}-{place}" if several else f"arc-{arc.number}", target)
            for place, target in enumerate(arc.targets)
        ]


_PLAIN = re.compile(r"\w+(\.\w+)*", re.ASCII)
