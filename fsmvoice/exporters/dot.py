"""`to_dot`: a machine as a Graphviz digraph, with a cluster for every state that has child states."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from fsmvoice.exporters.dot_ids import ElementIds
from fsmvoice.exporters.dot_words import FAINT, arc_label, escape, state_label
from fsmvoice.exporters.drawn import DrawnArc, arcs_in, indented, label_words, lit, remarks
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.parse import parse_config
from fsmvoice.model.tree import Tree, TreeNode

FONT = "Helvetica"
"""The only sans-serif font whose metrics Viz.js knows. In the SVG it becomes `Helvetica,sans-Serif`."""
_HEAD = f"""\
    graph [compound=true, bgcolor="#ffffff", pad=0.15, nodesep=0.35, ranksep=0.4, fontname="{FONT}", fontsize=12, \
fontcolor="#1a202c"]
    node [shape=box, style="rounded,filled", fillcolor="#f4f6f8", color="#8a94a6", fontname="{FONT}", fontsize=12, \
fontcolor="#1a202c", height=0.4, margin="0.16,0.08"]
    edge [color="{FAINT}", fontname="{FONT}", fontsize=10, fontcolor="#1a202c", arrowsize=0.7]"""
_LIT = 'fillcolor="#ffe9a8", color="#b7791f", penwidth=2'
_LIT_FRAME = 'style="rounded,filled", fillcolor="#fff7df", color="#b7791f", penwidth=2'


def to_dot(config: FsmConfig, *, active: Collection[str] = ()) -> str:
    """Draw a machine as Graphviz DOT.

    Every state and arrow has an `id` and a `class`, which are kept in an SVG made from it: `dot_ids` returns the ids,
    `SVG_STYLE` styles the classes. A dot inside a state stands for the whole state: an arrow from it is taken in any
    of the states inside.

    Args:
        active: states to highlight, by dotted path, `#id`, or unambiguous name. Only the innermost are highlighted.

    Raises:
        DefinitionError: if the config is invalid.
        UnknownName: if the machine has no such state.
    """
    tree = Tree(parse_config(config))
    return _Drawing(tree, lit(tree, active)).text()


class _Drawing:
    def __init__(self, tree: Tree, active: list[TreeNode]) -> None:
        self.tree = tree
        self.active = {node.index for node in active}
        self.ids = ElementIds(tree)
        self.stays = {node.index: remarks(node.config) for node in tree.nodes}
        self.dots: set[int] = set()
        """The states that need a dot that stands for the whole state."""
        self.arrows: dict[int, list[str]] = {}
        """The arrows by the innermost state around both ends, whose frame then makes room for their labels."""
        arcs = list(arcs_in(tree))
        self.order = _order(tree, arcs)
        for arc in arcs:
            if arc.arc.target is None:
                self.stays[arc.source.index].append(arc.remark)
            self._arrows(arc)
        root = tree.root
        self.framed = bool(self.stays[0]) or 0 in self.dots or root.config.kind == "parallel" or 0 in self.active

    def text(self) -> str:
        root = self.tree.root
        body = self._frame(root) if self.framed else self._inside(root)
        lines = ['digraph "machine" {', _HEAD, *indented(body), "}"]
        return "\n".join(lines) + "\n"

    def _frame(self, node: TreeNode) -> list[str]:
        """A state that has child states, with all its descendants."""
        element, parent = self.ids.of_state(node), node.parent
        region = parent is not None and parent.config.kind == "parallel"
        style = 'style="rounded,dashed"' if region else 'style="rounded"'
        look = _LIT_FRAME if node.index in self.active else f'{style}, color="#8a94a6", penwidth=1'
        classes = f"state {node.config.kind}{' region' if region else ''}{self._lit_class(node)}"
        label = state_label(node.key, self.stays[node.index], framed=True)
        opening = [
            f'subgraph "cluster_{element}" {{',
            f'    id="{element}"; class="{classes}"; label={label}; labeljust=l; margin=12; bgcolor="transparent"',
            f"    graph [{look}]",
        ]
        return [*opening, *indented(self._inside(node)), "}"]

    def _inside(self, node: TreeNode) -> list[str]:
        lines = [*self._start(node)]
        if node.index in self.dots:
            lines.append(f'"{self._dot(node)}" [class="whole", {_SPOT}, fillcolor="#ffffff", penwidth=1.5]')
        for child in sorted(node.children.values(), key=lambda child: self.order[child.index]):
            lines += self._frame(child) if child.children else [self._box(child)]
        return lines + self.arrows.get(node.index, [])

    def _start(self, node: TreeNode) -> Iterator[str]:
        initial = node.config.initial
        if initial is None or node.config.kind == "parallel":
            return
        yield f'"{self._begin(node)}" [class="initial", {_SPOT}, fillcolor="{FAINT}"]'
        words = label_words("", None, initial.actions)
        for target in initial.target:
            start = self.tree.initial_of(node, target)
            if start is not None:
                yield self._arrow(
                    node, start, f'class="arc initial", weight=4, label={arc_label(words)}', self._begin(node)
                )

    def _box(self, node: TreeNode) -> str:
        """A state without child states."""
        element, kind, parent = self.ids.of_state(node), node.config.kind, node.parent
        look = f'class="state {kind}{self._lit_class(node)}"'
        label = state_label(node.key, self.stays[node.index])
        if kind == "history":
            sign = "H*" if node.config.history == "deep" else "H"
            label = f'<<b>{sign}</b> <font point-size="10">{escape(node.key)}</font>>'
            look += ', shape=box, style="rounded,filled,dashed", height=0.3, margin="0.1,0.04"'
        elif kind == "final":
            look += ", peripheries=2"
        elif parent is not None and parent.config.kind == "parallel":
            look += ', style="rounded,filled,dashed"'
        if node.index in self.active:
            look += f", {_LIT}"
        return f'"{element}" [id="{element}", {look}, label={label}]'

    def _lit_class(self, node: TreeNode) -> str:
        return " active" if node.index in self.active else ""

    def _arrows(self, arc: DrawnArc) -> None:
        source, label = arc.source, arc_label(arc.words)
        kind = "arc default" if source.config.kind == "history" else "arc"
        for element, target in self.ids.of_arc(arc) if arc.arc.target is not None else ():
            look = f'id="{element}", class="{kind}", label={label}'
            inside = source.children and (target is source or source in target.ancestors)
            if inside:
                self.dots.add(source.index)
            arrow = self._arrow(source, target, look, self._dot(source) if inside else None)
            self.arrows.setdefault(_around(source, target).index, []).append(arrow)

    def _arrow(self, source: TreeNode, target: TreeNode, look: str, tail: str | None = None) -> str:
        """An arrow from `tail`, or else from the box or frame of `source`."""
        around = target is source or target in source.ancestors
        if around and target.children:  # Graphviz can't end an arrow at a frame that it starts inside
            compound = target.config.kind != "parallel" and target.config.initial is not None
            head = self._begin(target) if compound else self._dot(target)
            if not compound:
                self.dots.add(target.index)
            end = ""
        else:
            head, end = self._end(target, "lhead", last=False)
        if tail is not None:
            return f'"{tail}" -> "{head}" [{look}{end}]'
        across = source.parent is not target.parent or bool(source.children or target.children)
        back = self.order[target.index] < self.order[source.index] and not around and across
        if back:  # drawn reversed, so that Graphviz ranks the target above the source's frame
            head, end = self._end(target, "ltail", last=True)
            tail, begin = self._end(source, "lhead", last=False)
            return f'"{head}" -> "{tail}" [{look}{end}{begin}, dir=back]'
        tail, begin = self._end(source, "ltail", last=True)
        return f'"{tail}" -> "{head}" [{look}{begin}{end}]'

    def _end(self, node: TreeNode, cut: str, *, last: bool) -> tuple[str, str]:
        """The node at an arrow's end (for a frame, its first or last one), and the attribute that clips it there."""
        frame = f', {cut}="cluster_{self.ids.of_state(node)}"' if node.children else ""
        while node.children:
            if not last and node.config.kind == "compound" and node.config.initial is not None:
                return self._begin(node), frame
            below = [child for child in node.children.values() if child.config.kind != "history"]
            node = (below or list(node.children.values()))[-1 if last else 0]
        return self.ids.of_state(node), frame

    def _dot(self, node: TreeNode) -> str:
        return f"{self.ids.of_state(node)} whole"

    def _begin(self, node: TreeNode) -> str:
        return f"{self.ids.of_state(node)} start"


_SPOT = 'shape=circle, style=filled, width=0.14, height=0.14, fixedsize=true, label="", margin=0'


def _order(tree: Tree, arcs: list[DrawnArc]) -> dict[int, int]:
    """The states in the order that a reader meets them from the start; it decides whether arrows point down or up."""
    ways: dict[int, list[TreeNode]] = {}
    for arc in arcs:
        for target in arc.targets:
            around = _around(arc.source, target)
            below = [node for node in (arc.source, *arc.source.ancestors) if node.parent is around]
            to = [node for node in (target, *target.ancestors) if node.parent is around]
            if below and to:
                ways.setdefault(below[0].index, []).append(to[0])
    order: dict[int, int] = {}

    def visit(node: TreeNode) -> None:
        order[node.index] = len(order)
        initial = node.config.initial
        starts = [tree.initial_of(node, target) for target in initial.target] if initial else []
        seen = [above for start in starts if start for above in (start, *start.ancestors) if above.parent is node]
        seen += [] if seen else list(node.children.values())[:1]
        known = {child.index for child in seen}
        for rest in (None, *node.children.values()):
            if rest is not None and rest.index not in known:
                seen.append(rest)
                known.add(rest.index)
            for child in seen:  # grows during the loop
                if child.index in order:
                    continue
                visit(child)
                new = [way for way in ways.get(child.index, ()) if way.index not in known]
                known |= {way.index for way in new}
                seen += new

    visit(tree.root)
    return order


def _around(source: TreeNode, target: TreeNode) -> TreeNode:
    """The innermost frame that contains both ends of an arrow. One from a frame to its inside is in that frame."""
    within = {source.index, *(above.index for above in source.ancestors)}
    node: TreeNode | None = target
    while node is not None and (node.index not in within or not node.children):
        node = node.parent
    return node or target
