"""The ids that a DOT picture gives its states and arcs, for a page that lights them up without a new layout."""

from __future__ import annotations

import re
from typing import TypedDict

from fsmvoice.exporters.drawn import DrawnArc, arcs_in
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.parse import parse_config
from fsmvoice.model.tree import Tree, TreeNode


class ArcElement(TypedDict):
    """An arrow in the picture. `event` is '' where none of `on` takes it; one that stays has its state's element."""

    element: str
    source: str
    event: str
    target: str


class DotIds(TypedDict):
    """The element of each state, by its dotted path (the machine itself is ''), and those of all arcs."""

    states: dict[str, str]
    arcs: list[ArcElement]


def dot_ids(config: FsmConfig) -> DotIds:
    """Which element of the SVG made of `to_dot(config)` is which state or arc. It is JSON.

    The element of a state gets the class `active` to be lit, that of an arc `taken` to flash: `SVG_STYLE` says how they
    look. A state is named as a snapshot's `chart.name_of(node)` does; where keys with dots make two paths alike, `#id`.

    Raises:
        DefinitionError: if the config does not hold together.
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
    """The dotted path of a state, or `#id` if another has the same."""
    return node.path if tree.by_path[node.path] is node else f"#{node.id}"


class ElementIds:
    """`machine`, `state-on-light`, `arc-3`: ASCII, and unique in one picture."""

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
        """The element of each arrow that an arc has, with where it leads."""
        if arc.arc.target is None:
            return [(self.of_state(arc.source), arc.source)]
        several = len(arc.targets) > 1
        return [
            (f"arc-{arc.number}-{place}" if several else f"arc-{arc.number}", target)
            for place, target in enumerate(arc.targets)
        ]


_PLAIN = re.compile(r"\w+(\.\w+)*", re.ASCII)
