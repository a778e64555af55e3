"""What a machine of version 4 does otherwise there than here, although it is read as version 4 meant it."""

from __future__ import annotations

from collections.abc import Iterator

from fsmvoice.errors import Problem
from fsmvoice.importers.xstate_findings import Findings
from fsmvoice.importers.xstate_names import raise_event
from fsmvoice.importers.xstate_regions import Regions, arcs_by_event, below, does_something, kind_of
from fsmvoice.model.config import FsmConfig, TransitionConfig
from fsmvoice.model.nodes import is_wildcard
from fsmvoice.model.tree import Tree, TreeNode, arcs_of


def note_differences(config: FsmConfig, findings: Findings) -> None:
    """Say where version 4 of XState goes another way: its algorithm is its own, that of version 5 is SCXML's.

    What is told may differ; what is not told does the same.
    """
    _Differences(Tree(config), findings).note()


class _Differences:
    def __init__(self, tree: Tree, findings: Findings) -> None:
        self.tree, self.findings = tree, findings
        self.said: set[str] = set()
        self.regions = {node.index: Regions(node) for node in tree.nodes if kind_of(node) == "parallel"}

    def note(self) -> None:
        for node in self.tree.nodes:
            self._events(node)
            for where, arc in arcs_of(node.config, node.where):
                targets = [found for target in arc.target or () if (found := self.tree.resolve(node, target))]
                if targets:
                    self._arc(node, arc, targets, where)
        for regions in self.regions.values():
            self._regions_apart(regions)
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
        if said not in self.said:
            self.said.add(said)
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
                regions = self.regions.get(around.index)
                if around is target or regions is None:
                    continue
                if _holds_or_is(domain, around) and _may_be_active(around, source) and regions.others_show(targets):
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

    def _regions_apart(self, regions: Regions) -> None:
        """Arcs of two regions for one event, of which one leaves its region."""
        for region in regions.nodes:
            for inner in below(region):
                for event, arc, where in arcs_by_event(inner):
                    targets = [found for target in arc.target or () if (found := self.tree.resolve(inner, target))]
                    stays = all(target is region or _holds(region, target) for target in targets)
                    if not stays and regions.taken_elsewhere(event, region):
                        self._say(where, "the first of the regions' arcs is taken; version 4 takes all for one event")


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
