"""`to_mermaid`: a machine as Mermaid `stateDiagram-v2` text, which GitHub, GitLab and most editors draw."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from fsmvoice.exporters.drawn import DrawnArc, arcs_in, indented, label_words, lit, remarks
from fsmvoice.exporters.mermaid_words import Ids, edge_label, escape
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.parse import parse_config
from fsmvoice.model.tree import Tree, TreeNode

_ACTIVE = "classDef active fill:#ffe9a8,stroke:#b7791f,color:#1a202c,stroke-width:2px"


def to_mermaid(config: FsmConfig, *, active: Collection[str] = ()) -> str:
    """Draw a machine as Mermaid text.

    What Mermaid draws wrongly or not at all is written in an equivalent form: an arrow to a compound state that enters
    itself, or is inside a parallel one, ends at its initial state; targetless transitions of a compound or parallel
    state are a note on it.

    Args:
        active: states to highlight, by dotted path, `#id`, or unambiguous name. Only the innermost are highlighted.

    Raises:
        DefinitionError: if the config is invalid.
        UnknownName: if the machine has no such state.
    """
    tree = Tree(parse_config(config))
    return _Diagram(tree).draw(lit(tree, active))


class _Diagram:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.arrows: dict[int, list[str]] = {}
        self.beside: dict[int, list[str]] = {}
        """The arrows from a region to its inside. Mermaid 12 can lay them out only if they follow the region."""
        self.stays: dict[int, list[str]] = {node.index: remarks(node.config) for node in tree.nodes}
        self.ends_at_root = False
        self.ids = Ids(tree)
        for arc in arcs_in(tree):
            self._arc(arc)

    def draw(self, active: list[TreeNode]) -> str:
        root = self.tree.root
        framed = root.config.kind == "parallel" or self.ends_at_root or bool(self.stays[0])
        lines = ["stateDiagram-v2"]
        if framed:
            lines += [f"    [*] --> {self.ids[root]}", *indented(self._block(root))]
        else:
            lines += indented(self._inside(root))
        lines += indented(self.arrows.get(-1, []))
        if active:
            names = ",".join(self.ids[node] for node in active)
            lines += indented([_ACTIVE, f"class {names} active"])
        return "\n".join(lines) + "\n"

    def _block(self, node: TreeNode) -> list[str]:
        """A state with its descendants."""
        name, kind = self.ids[node], node.config.kind
        title = node.key + {"shallow": " (H)", "deep": " (H*)"}.get(node.config.history or "", "")
        if kind == "history" and node.config.history is None:
            title += " (H)"
        if kind not in ("compound", "parallel"):
            plain = title == name and not self.stays[node.index]
            lines = [name if plain else f'state "{escape(title)}" as {name}']
            return lines + [f"{name} : {escape(text)}" for text in self.stays[node.index]]
        opening = f"state {name} {{" if title == name else f'state "{escape(title)}" as {name} {{'
        lines = [opening, *indented(self._inside(node)), "}"]
        if self.stays[node.index]:
            lines += [
                f"note right of {name}",
                *indented([escape(text) for text in self.stays[node.index]]),
                "end note",
            ]
        return lines

    def _inside(self, node: TreeNode) -> list[str]:
        if node.config.kind == "parallel":
            regions = [
                self._block(child) + self.beside.get(child.index, [])
                for child in node.children.values()
                if child.config.kind != "history"
            ]
            lines = [line for region in regions for line in (*region, "--")][:-1]
            for child in node.children.values():
                if child.config.kind == "history":
                    lines[:0] = self._block(child)
            return lines
        lines = [*self._start(node)]
        for child in node.children.values():
            lines += self._block(child)
        lines += [f"{self.ids[child]} --> [*]" for child in node.children.values() if child.config.kind == "final"]
        return lines + self.arrows.get(node.index, [])

    def _start(self, node: TreeNode) -> Iterator[str]:
        initial = node.config.initial
        for target in initial.target if initial else ():
            start = self.tree.initial_of(node, target)
            if start is not None:
                label = edge_label(label_words("", None, initial.actions if initial else ()))
                yield f"[*] --> {self.ids[_below(node, start)]}{label}"

    def _arc(self, arc: DrawnArc) -> None:
        if arc.arc.target is None:
            self.stays[arc.source.index].append(arc.remark)
        for target in arc.targets:
            self._arrow(arc.source, target, arc)

    def _arrow(self, source: TreeNode, target: TreeNode, arc: DrawnArc) -> None:
        if target.config.kind in ("compound", "parallel") and (target is source or _in_parallel(target)):
            inner = self._first_inside(target)
            if inner is None:
                self.stays[source.index].append(f"{arc.remark}, to {target.key}")
                return
            target = inner
        self.ends_at_root |= source.parent is None or target.parent is None
        line = f"{self.ids[source]} --> {self.ids[target]}{edge_label(arc.words)}"
        if source in target.ancestors and source.parent is not None and source.parent.config.kind == "parallel":
            self.beside.setdefault(source.index, []).append(line)
        else:
            self.arrows.setdefault(_scope(source, target), []).append(line)

    def _first_inside(self, node: TreeNode) -> TreeNode | None:
        """The leaf that entering `node` enters; None if there are several, because of a parallel state."""
        while node.config.kind == "compound":
            initial = node.config.initial
            start = self.tree.initial_of(node, initial.target[0]) if initial and len(initial.target) == 1 else None
            if start is None:
                return None
            node = start
        return None if node.config.kind == "parallel" else node


def _scope(source: TreeNode, target: TreeNode) -> int:
    """The innermost state around both ends, in whose block the arrow is written; -1 for outside of all blocks.

    An arrow that crosses a region's border is written outside of all blocks: in the parallel state's block its ends
    would move into the region that mentions them last, and in an outer block Mermaid 11 fails on it.
    """
    around = {node.index for node in target.ancestors}
    common = next((node for node in source.ancestors if node.index in around), None)
    if common is None or common.config.kind == "parallel":
        return -1
    return -1 if _borders(source, common) or _borders(target, common) else common.index


def _borders(node: TreeNode, common: TreeNode) -> bool:
    """Whether there is a parallel state between `node` and its ancestor `common`."""
    for above in node.ancestors:
        if above is common:
            return False
        if above.config.kind == "parallel":
            return True
    return False


def _in_parallel(node: TreeNode) -> bool:
    return any(above.config.kind == "parallel" for above in node.ancestors)


def _below(node: TreeNode, inner: TreeNode) -> TreeNode:
    """The child of `node` that is or contains `inner`."""
    while inner.parent is not node and inner.parent is not None:
        inner = inner.parent
    return inner
