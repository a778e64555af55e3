"""The state tree of a config: paths, ids, document order, and the resolution of targets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fsmvoice.errors import Problem, did_you_mean
from fsmvoice.model.config import FsmConfig, StateConfig, TransitionConfig
from fsmvoice.model.forms import step
from fsmvoice.model.own_data import check_data, has_data

MAX_DEPTH = 64


@dataclass(slots=True, eq=False)
class TreeNode:
    """A state in the tree. `path` is dotted, and '' for the root; `id` is XState's; `where` is its JSON path."""

    index: int
    key: str
    path: str
    id: str
    parent: TreeNode | None
    config: StateConfig
    children: dict[str, TreeNode] = field(default_factory=dict[str, "TreeNode"])

    @property
    def where(self) -> str:
        """Its JSON path."""
        return "$" if self.parent is None else f"{self.parent.where}.states{step(self.key)}"

    @property
    def ancestors(self) -> Iterator[TreeNode]:
        """From the parent up to the root."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


class Tree:
    """All states of a config in document order."""

    root_key: str
    root: TreeNode

    def __init__(self, config: FsmConfig) -> None:
        self.config = config
        self.nodes: list[TreeNode] = []
        self.by_id: dict[str, TreeNode] = {}
        self.by_path: dict[str, TreeNode] = {}
        self.problems: list[Problem] = []
        self.root_key = config.id or "(machine)"
        self.root = self._add(config, None, self.root_key)

    def _add(self, config: StateConfig, parent: TreeNode | None, key: str, depth: int = 0) -> TreeNode:
        path = "" if parent is None else f"{parent.path}.{key}" if parent.path else key
        default = key if parent is None else f"{self.root_key}.{path}"
        node = TreeNode(len(self.nodes), key, path, config.id or default, parent, config)
        self.nodes.append(node)
        if node.id in self.by_id:
            self.problems.append(
                Problem(node.where, f"the id {node.id!r} is used twice", f"{self.by_id[node.id].where} has it too")
            )
        self.by_id.setdefault(node.id, node)
        self.by_path.setdefault(path, node)
        if depth >= MAX_DEPTH:
            self.problems.append(Problem(node.where, f"states are nested deeper than {MAX_DEPTH}"))
            return node
        for name, child in config.states.items():
            node.children[name] = self._add(child, node, name, depth + 1)
        return node

    def resolve(self, source: TreeNode, target: str) -> TreeNode | None:
        """The state that `target` names from `source`, or None.

        `#id` exactly, then `#id.path`; `.` itself; `.child`; a sibling; a dotted path from a sibling (XState's order).
        """
        if target == ".":
            return source
        if target.startswith("#"):
            return self._by_reference(target[1:])
        if target.startswith("."):
            return _descend(source, target[1:])
        return None if source.parent is None else _descend(source.parent, target)

    def initial_of(self, node: TreeNode, target: str) -> TreeNode | None:
        """The state inside `node` that an `initial` target names, or None."""
        if target.startswith("#"):
            return self._by_reference(target[1:])
        return _descend(node, target.removeprefix("."))

    def _by_reference(self, reference: str) -> TreeNode | None:
        if reference in self.by_id:
            return self.by_id[reference]
        parts = reference.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            node = self.by_id.get(".".join(parts[:cut]))
            if node is not None:
                return _descend(node, ".".join(parts[cut:]))
        return None

    def hint(self, source: TreeNode, target: str) -> str:
        """A hint at what `target` was meant to be, in a form that resolves from `source`."""
        if target.startswith("#"):
            return did_you_mean(target, [f"#{node_id}" for node_id in self.by_id])
        if source.parent is None and not target.startswith("."):
            if _descend(source, target) is not None:
                return f"from the root, write '.{target}'"
            return did_you_mean(f".{target}", [f".{key}" for key in source.children])
        siblings = source.children if target.startswith(".") or source.parent is None else source.parent.children
        dot = "." if target.startswith(".") else ""
        known = [f"{dot}{key}" for key in siblings]
        elsewhere = self.by_path.get(target.removeprefix("."))
        if elsewhere is None:
            same = [node for node in self.nodes if node.key == target.removeprefix(".") and node.parent is not None]
            elsewhere = same[0] if len(same) == 1 else None
        if elsewhere is not None and elsewhere.parent is not None:
            return f"{elsewhere.path!r} is not a sibling; write '#{elsewhere.id}'"
        return did_you_mean(target, known)


def _descend(node: TreeNode, path: str) -> TreeNode | None:
    """The descendant at a dotted path; keys may themselves contain dots."""
    if path in node.children:
        return node.children[path]
    head, dot, rest = path.partition(".")
    while dot:
        if head in node.children:
            found = _descend(node.children[head], rest)
            if found is not None:
                return found
        more, dot, rest = rest.partition(".")
        head = f"{head}.{more}"
    return None


def check(tree: Tree) -> list[Problem]:
    """All structural problems: initial states, targets, ids and kinds."""
    problems = list(tree.problems)
    if not tree.config.states:
        problems.append(Problem("$.states", "a machine needs states", 'for example {"idle": {}}'))
    for node in tree.nodes:
        problems += _check_kind(tree, node)
        if any(tree.resolve(node, target) is None for arc in arcs_in(node.config) for target in arc.target or ()):
            problems += _lost(tree, node)
    return problems


def _lost(tree: Tree, node: TreeNode) -> Iterator[Problem]:
    """The targets of the arcs of `node` that lead nowhere."""
    for where, arc in arcs_of(node.config, node.where):
        for number, target in enumerate(arc.target or ()):
            if tree.resolve(node, target) is None:
                spot = f"{where}.target" + (f"[{number}]" if len(arc.target or ()) > 1 else "")
                yield Problem(spot, f"unknown target {target!r}", tree.hint(node, target))


def _check_kind(tree: Tree, node: TreeNode) -> list[Problem]:
    config, kind = node.config, node.config.kind
    problems: list[Problem] = []
    if kind in ("final", "history") and config.states:
        problems.append(Problem(node.where, f"a {kind} state has no states of its own"))
    if kind == "history":
        if node.parent is None:
            problems.append(Problem(node.where, "the machine itself can't be a history state"))
        else:
            problems += [
                Problem(f"{node.where}.target", f"unknown target {target!r}", tree.hint(node, target))
                for target in config.target or ()
                if tree.resolve(node, target) is None
            ]
    elif config.target is not None:
        problems.append(
            Problem(f"{node.where}.target", "only a history state has a target", 'transitions stand in "on"')
        )
    if kind in ("compound", "parallel") and not config.states and node.parent is not None:
        problems.append(Problem(node.where, f"a {kind} state needs states"))
    if kind == "compound" and config.states:
        if config.initial is None:
            first = next(iter(config.states))
            problems.append(Problem(node.where, "initial is missing", f'it could be "initial": "{first}"'))
        else:
            for target in config.initial.target:
                if tree.initial_of(node, target) is None:
                    hint = did_you_mean(target, node.children)
                    problems.append(Problem(f"{node.where}.initial", f"unknown state {target!r}", hint))
    problems += [
        Problem(f"{node.where}.after{step(delay)}", f"{delay} milliseconds is negative", "a delay is 0 or more")
        for delay in config.after
        if _is_negative(delay)
    ]
    if has_data(config, node.key):
        problems += check_data(config, node.key, node.where)
    return problems


def _is_negative(delay: str) -> bool:
    try:
        return float(delay) < 0
    except ValueError:  # a name
        return False


def arcs_in(config: StateConfig) -> list[TransitionConfig]:
    """Every arc that a state declares, without its place, which takes longer to write than the arc to find."""
    found = [arc for arcs in config.on.values() for arc in arcs]
    if config.always or config.after or config.on_done or config.invoke:
        found += config.always
        found += [arc for arcs in config.after.values() for arc in arcs]
        found += config.on_done
        found += [arc for service in config.invoke for arc in (*service.on_done, *service.on_error)]
    return found


def arcs_of(config: StateConfig, where: str) -> Iterator[tuple[str, TransitionConfig]]:
    """Every arc that a state declares, with its JSON path, in document order."""
    for event, arcs in config.on.items():
        yield from _numbered(f"{where}.on{step(event)}", arcs)
    if config.always:
        yield from _numbered(f"{where}.always", config.always)
    for delay, arcs in config.after.items():
        yield from _numbered(f"{where}.after{step(delay)}", arcs)
    if config.on_done:
        yield from _numbered(f"{where}.onDone", config.on_done)
    for number, service in enumerate(config.invoke):
        at = f"{where}.invoke" + (f"[{number}]" if len(config.invoke) > 1 else "")
        yield from _numbered(f"{at}.onDone", service.on_done)
        yield from _numbered(f"{at}.onError", service.on_error)


def _numbered(where: str, arcs: tuple[TransitionConfig, ...]) -> list[tuple[str, TransitionConfig]]:
    if len(arcs) == 1:
        return [(where, arcs[0])]
    return [(f"{where}[{number}]", arc) for number, arc in enumerate(arcs)]
