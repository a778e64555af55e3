"""What a machine of version 4 does otherwise there than here, although it is read as version 4 meant it."""

from __future__ import annotations

from collections.abc import Iterator

from fsmvoice.errors import Problem
from fsmvoice.importers.xstate_findings import Findings
from fsmvoice.importers.xstate_names import raise_event
from fsmvoice.model.config import FsmConfig, TransitionConfig
from fsmvoice.model.nodes import is_wildcard, matches_descriptor
from fsmvoice.model.tree import Tree, TreeNode, arcs_of


def note_differences(config: FsmConfig, findings: Findings) -> None:
    """Say where version 4 of XState goes another way: its algorithm is its own, that of version 5 is SCXML's.

    What is told may differ; what is not told does the same.
    """
    _Differences(Tree(config), findings).note()


class _Differences:
    def __init__(self, tree: Tree, findings: Findings) -> None:
        self.tree, self.findings = tree, findings

    def note(self) -> None:
        for node in self.tree.nodes:
            self._events(node)
            for where, arc in arcs_of(node.config, node.where):
                targets = [found for target in arc.target or () if (found := self.tree.resolve(node, target))]
                if targets:
                    self._arc(node, arc, targets, where)
            if kind_of(node) == "parallel":
                self._regions_apart(node)
        raising = sum(self._raises(node) for node in self.tree.nodes)
        ends = sum(kind_of(node) == "final" and node.parent is not self.tree.root for node in self.tree.nodes)
        if raising and raising + ends > 1:
            self._say("$", "raised events are handled in their order; version 4 takes first what handling one raised")

    def _raises(self, node: TreeNode) -> int:
        """How many actions of `node` raise an event."""
        raised = {name for name, function in self.findings.actions.items() if function is raise_event}
        config = node.config
        called = [*config.entry, *config.exit, *(config.initial.actions if config.initial is not None else ())]
        called += [named for _, arc in arcs_of(config, node.where) for named in arc.actions]
        return sum(named.type in raised for named in called)

    def _say(self, where: str, text: str) -> None:
        place = self.findings.moved(Problem(where, "")).where
        said = f"{place}: {text}"
        if said not in self.findings.notes:
            self.findings.notes.append(said)

    def _events(self, node: TreeNode) -> None:
        """Names of events that mean something else there."""
        on = node.config.on
        for event in on:
            if is_wildcard(event) and event != "*":
                self._say(f"{node.where}.on", f"{event!r} stands for all that begin so; in version 4 only for itself")
        if "*" in on and node.config.after:
            self._say(f"{node.where}.on", "'*' takes what no other does; in version 4 this state's timers, too")
        if "*" in on and any(kind_of(inner) == "final" and inner.parent is not self.tree.root for inner in below(node)):
            self._say(f"{node.where}.on", "'*' takes what no other does; in version 4 final states send an event more")
        parent = node.parent
        if kind_of(node) == "final" and parent is not None and kind_of(parent) == "parallel":
            self._say(node.where, "its parent is done with all regions; in version 4 with this one")
        if kind_of(node) == "parallel" and any(kind_of(child) == "parallel" for child in node.children.values()):
            self._say(node.where, "is done with its regions; version 4 never says so of parallel states in each other")

    def _arc(self, source: TreeNode, arc: TransitionConfig, targets: list[TreeNode], where: str) -> None:
        for target in targets:
            if kind_of(target) == "history":
                self._history(source, target, where)
        domain = _domain(source, arc, targets)
        for target in targets:
            for around in (target, *target.ancestors):
                if around is target or kind_of(around) != "parallel":
                    continue
                if _holds_or_is(domain, around) and _may_be_active(around, source) and _others_show(around, targets):
                    text = "the other regions of {} start again; version 4 leaves them as they are"
                    self._say(where, text.format(_named(around)))
        if domain is source and not arc.reenter and where not in self.findings.settled:
            for target in targets:
                if target is not source and any(does_something(node) for node in _entered(self.tree, source, target)):
                    self._say(where, "leaves and enters what is active already; version 4 does not")
                    break

    def _history(self, source: TreeNode, history: TreeNode, where: str) -> None:
        parent = history.parent
        if parent is None:
            return
        if history.config.target is not None:
            text = "holds for as long as the history is empty; in version 4 only at the first event"
            self._say(f"{history.where}.target", text)
        if source is parent or _holds(parent, source) or _may_be_active(parent, source):
            self._say(where, f"leads to what {_named(parent)} was when it was left; in version 4 to what it is")

    def _regions_apart(self, node: TreeNode) -> None:
        """Arcs of two regions for one event, of which one leaves its region."""
        regions = [child for child in node.children.values() if kind_of(child) != "history"]
        taken = [
            [(event, inner, arc, where) for inner in below(region) for event, arc, where in _by_event(inner)]
            for region in regions
        ]
        for number, region in enumerate(regions):
            rest = [event for other, arcs in enumerate(taken) if other != number for event, *_ in arcs]
            for event, inner, arc, where in taken[number]:
                targets = [found for target in arc.target or () if (found := self.tree.resolve(inner, target))]
                if all(target is region or _holds(region, target) for target in targets):
                    continue
                if any(overlap(event, other) for other in rest):
                    self._say(where, "the first of the regions' arcs is taken; version 4 takes all for one event")


def kind_of(node: TreeNode) -> str:
    """The node's type, said or implied."""
    return node.config.kind


def _named(node: TreeNode) -> str:
    return repr(node.path) if node.path else "the machine"


def _holds(node: TreeNode, other: TreeNode) -> bool:
    return any(above is node for above in other.ancestors)


def _holds_or_is(node: TreeNode, other: TreeNode) -> bool:
    return node is other or _holds(node, other)


def _domain(source: TreeNode, arc: TransitionConfig, targets: list[TreeNode]) -> TreeNode:
    if not arc.reenter and all(_holds_or_is(source, target) for target in targets):
        return source
    for above in source.ancestors:
        if all(_holds(above, target) for target in targets):
            return above
    return source if source.parent is None else list(source.ancestors)[-1]


def _may_be_active(node: TreeNode, source: TreeNode) -> bool:
    """Whether `node` can be active while `source` is."""
    if node is source or _holds(node, source) or _holds(source, node):
        return True
    meeting = next(above for above in source.ancestors if _holds(above, node))
    return kind_of(meeting) == "parallel"


def _others_show(parallel: TreeNode, targets: list[TreeNode]) -> bool:
    """Whether it shows when regions without a target are left and entered."""
    return any(
        bool(region.children) or does_something(region)
        for region in parallel.children.values()
        if kind_of(region) != "history" and not any(_holds_or_is(region, target) for target in targets)
    )


def does_something(node: TreeNode) -> bool:
    """Whether it shows when the state is left and entered again."""
    config = node.config
    return bool(
        config.entry or config.exit or config.after or config.invoke or (config.initial and config.initial.actions)
    )


def _entered(tree: Tree, source: TreeNode, target: TreeNode) -> Iterator[TreeNode]:
    """The states between, and what the target starts in."""
    node: TreeNode | None = target
    while node is not None and node is not source:
        yield node
        node = node.parent
    waiting = [target]
    while waiting:
        node = waiting.pop()
        inner = list(node.children.values()) if kind_of(node) == "parallel" else []
        if kind_of(node) == "compound" and node.config.initial is not None:
            inner = [found for name in node.config.initial.target if (found := tree.initial_of(node, name))]
        yield from inner
        waiting += inner


def below(node: TreeNode) -> Iterator[TreeNode]:
    """The state and all states in it."""
    yield node
    for child in node.children.values():
        yield from below(child)


def _by_event(node: TreeNode) -> Iterator[tuple[str, TransitionConfig, str]]:
    for event, arcs in node.config.on.items():
        for arc in arcs:
            yield event, arc, f"{node.where}.on"
    for arc in node.config.always:
        yield "", arc, f"{node.where}.always"


def overlap(one: str, other: str) -> bool:
    """Whether one event can be meant by both."""
    if not one or not other:
        return one == other
    return one == other or _takes(one, other) or _takes(other, one)


def _takes(descriptor: str, event: str) -> bool:
    return is_wildcard(descriptor) and matches_descriptor(event.removesuffix(".*"), descriptor)
