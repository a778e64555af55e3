"""A machine as Mermaid `stateDiagram-v2` text, which GitHub, GitLab and most editors draw."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from fsmvoice.errors import did_you_mean
from fsmvoice.exporters.mermaid_words import Ids, edge_label, escape, remarks, wait
from fsmvoice.model.config import FsmConfig, TransitionConfig
from fsmvoice.model.parse import parse_config
from fsmvoice.model.tree import Tree, TreeNode

_ACTIVE = "classDef active fill:#ffe9a8,stroke:#b7791f,color:#1a202c,stroke-width:2px"


def to_mermaid(config: FsmConfig, *, active: Collection[str] = ()) -> str:
    """Draw a machine. `active` lights states up, by id or dotted path: the innermost of them.

    Shapes that Mermaid draws wrongly or not at all are written another way that means the same: a compound state that
    enters itself, or is entered inside a parallel one, gets the arrow at the state where it starts; what stays inside
    a compound or parallel state is a note on it.

    Raises:
        DefinitionError: if the config does not hold together.
        ValueError: if an active state is not one of the machine's.
    """
    tree = Tree(parse_config(config))
    return _Diagram(tree).draw([_state(tree, ref) for ref in active])


def _state(tree: Tree, ref: str) -> TreeNode:
    node = tree.by_id.get(ref.removeprefix("#")) or tree.by_path.get(ref)
    if node is None:
        raise ValueError(f"there is no state {ref!r} to light up; {did_you_mean(ref, tree.by_path)}")
    return node


class _Diagram:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.arrows: dict[int, list[str]] = {}
        self.stays: dict[int, list[str]] = {node.index: remarks(node.config) for node in tree.nodes}
        self.ends_at_root = False
        self.ids = Ids(tree)
        for node in tree.nodes:
            for label, arc in _labelled_arcs(node):
                self._arc(node, label, arc)

    def draw(self, active: list[TreeNode]) -> str:
        root = self.tree.root
        framed = root.config.kind == "parallel" or self.ends_at_root or bool(self.stays[0])
        lines = ["stateDiagram-v2"]
        if framed:
            lines += [f"    [*] --> {self.ids[root]}", *_indented(self._block(root))]
        else:
            lines += _indented(self._inside(root))
        lines += _indented(self.arrows.get(-1, []))
        around = {above.index for node in active for above in node.ancestors}
        lit = [self.ids[node] for node in active if node.index not in around]
        if lit:
            lines += _indented([_ACTIVE, f"class {','.join(lit)} active"])
        return "\n".join(lines) + "\n"

    def _block(self, node: TreeNode) -> list[str]:
        """A state with all below it."""
        name, kind = self.ids[node], node.config.kind
        title = node.key + {"shallow": " (H)", "deep": " (H*)"}.get(node.config.history or "", "")
        if kind == "history" and node.config.history is None:
            title += " (H)"
        if kind not in ("compound", "parallel"):
            plain = title == name and not self.stays[node.index]
            lines = [name if plain else f'state "{escape(title)}" as {name}']
            return lines + [f"{name} : {escape(text)}" for text in self.stays[node.index]]
        opening = f"state {name} {{" if title == name else f'state "{escape(title)}" as {name} {{'
        lines = [opening, *_indented(self._inside(node)), "}"]
        if self.stays[node.index]:
            lines += [
                f"note right of {name}",
                *_indented([escape(text) for text in self.stays[node.index]]),
                "end note",
            ]
        return lines

    def _inside(self, node: TreeNode) -> list[str]:
        if node.config.kind == "parallel":
            regions = [self._block(child) for child in node.children.values() if child.config.kind != "history"]
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
                label = edge_label("", None, initial.actions if initial else ())
                yield f"[*] --> {self.ids[_below(node, start)]}{label}"

    def _arc(self, source: TreeNode, event: str, arc: TransitionConfig) -> None:
        label = edge_label(event, arc.guard, arc.actions)
        if arc.target is None:
            text = f"{event} is forbidden" if arc.forbids else edge_label(event, arc.guard, arc.actions, plain=True)
            self.stays[source.index].append(text + (f" [{arc.guard.type}]" if arc.forbids and arc.guard else ""))
            return
        for target in arc.target:
            node = self.tree.resolve(source, target)
            if node is not None:
                self._arrow(source, node, label, edge_label(event, arc.guard, arc.actions, plain=True))

    def _arrow(self, source: TreeNode, target: TreeNode, label: str, text: str) -> None:
        if target.config.kind in ("compound", "parallel") and (target is source or _in_parallel(target)):
            inner = self._first_inside(target)
            if inner is None:
                self.stays[source.index].append(f"{text}, to {target.key}")
                return
            target = inner
        self.ends_at_root |= source.parent is None or target.parent is None
        line = f"{self.ids[source]} --> {self.ids[target]}{label}"
        self.arrows.setdefault(_scope(source, target), []).append(line)

    def _first_inside(self, node: TreeNode) -> TreeNode | None:
        """The leaf that entering a compound state enters; None where there are several, in a parallel one."""
        while node.config.kind == "compound":
            initial = node.config.initial
            start = self.tree.initial_of(node, initial.target[0]) if initial and len(initial.target) == 1 else None
            if start is None:
                return None
            node = start
        return None if node.config.kind == "parallel" else node


def _labelled_arcs(node: TreeNode) -> Iterator[tuple[str, TransitionConfig]]:
    config = node.config
    yield from ((event, arc) for event, arcs in config.on.items() for arc in arcs)
    yield from (("always", arc) for arc in config.always)
    yield from ((wait(delay), arc) for delay, arcs in config.after.items() for arc in arcs)
    yield from (("done", arc) for arc in config.on_done)
    for service in config.invoke:
        yield from ((f"{service.src} done", arc) for arc in service.on_done)
        yield from ((f"{service.src} failed", arc) for arc in service.on_error)
    if config.kind == "history":
        for target in config.target or ():
            yield "", TransitionConfig(target=(target,))


def _scope(source: TreeNode, target: TreeNode) -> int:
    """The innermost state around both ends, in whose block an arrow may stand; -1 is outside of them all.

    An arrow over a region's border stands outside of them all: in the block of the parallel state its ends would move
    into the region that mentions them last, and Mermaid 11 fails on it in a block around that one.
    """
    around = {node.index for node in target.ancestors}
    common = next((node for node in source.ancestors if node.index in around), None)
    if common is None or common.config.kind == "parallel":
        return -1
    return -1 if _borders(source, common) or _borders(target, common) else common.index


def _borders(node: TreeNode, common: TreeNode) -> bool:
    """Whether a parallel state lies between `node` and the state around it, `common`."""
    for above in node.ancestors:
        if above is common:
            return False
        if above.config.kind == "parallel":
            return True
    return False


def _in_parallel(node: TreeNode) -> bool:
    return any(above.config.kind == "parallel" for above in node.ancestors)


def _below(node: TreeNode, inner: TreeNode) -> TreeNode:
    """The child of `node` on the way to `inner`."""
    while inner.parent is not node and inner.parent is not None:
        inner = inner.parent
    return inner


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]
