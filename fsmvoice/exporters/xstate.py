"""`to_xstate`: a machine as a config for XState's `createMachine`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fsmvoice.errors import DefinitionError, Problem
from fsmvoice.model.config import FsmConfig
from fsmvoice.model.parse import parse_config
from fsmvoice.model.shapes import is_list, is_object
from fsmvoice.model.tree import Tree, TreeNode


def to_xstate(config: FsmConfig) -> dict[str, Any]:
    """Write a machine for XState 5, to be run by `createMachine(json).provide({actions, guards, actors, delays})`.

    Functions are named, as in the config, and provided in JavaScript. A target that XState would resolve differently,
    for example a key that contains a dot, is written as an id with escaped dots.

    Raises:
        DefinitionError: if the config is invalid, or if XState can't express it because the initial state of a state
            is not one of its children.
    """
    export = _Export(Tree(parse_config(config)))
    document = export.state(export.tree.root, config.to_dict())
    if export.problems:
        raise DefinitionError(f"machine {config.id!r}" if config.id else "the config", export.problems)
    return document


_AWKWARD = re.compile(r"[\\.]|^$")
"""Keys that can't be part of a path: XState splits paths at dots, and treats a backslash as an escape."""


class _Export:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.problems: list[Problem] = []

    def _as_it_is(self, node: TreeNode, target: str, found: TreeNode) -> bool:
        """Whether XState resolves `target` as we do. It splits at every dot, and tries only siblings."""
        own = node.parent is None or not _AWKWARD.search(node.key)
        if target == ".":
            return own
        if target.startswith("#"):
            head, *keys = target[1:].split(".")
            start = self.tree.by_id.get(head)
        elif target.startswith("."):
            start, keys = node if own else None, target[1:].split(".")
        else:
            start, keys = node.parent, target.split(".")
        for key in keys:
            start = start.children.get(key) if start is not None and key else None
        return start is found and "\\" not in target

    def _reference(self, node: TreeNode, target: str) -> str:
        found = self.tree.resolve(node, target)
        if found is None or self._as_it_is(node, target, found):
            return target
        return "#" + re.sub(r"([\\.])", r"\\\1", found.id)

    def state(self, node: TreeNode, data: Mapping[str, Any]) -> dict[str, Any]:
        """A state and its descendants in XState's form."""
        state: dict[str, Any] = {**data}
        if state.pop("final", False):
            state["type"] = "final"
        if node.config.initial is not None:
            state["initial"] = self._initial(node, data["initial"])
        if "target" in state:
            state["target"] = self._references(node, state["target"])
        for key in ("on", "after"):
            if key in state:
                state[key] = {name: self._arcs(node, arcs) for name, arcs in state[key].items()}
        for key in ("always", "onDone"):
            if key in state:
                state[key] = self._arcs(node, state[key])
        if "invoke" in state:
            services = state["invoke"] if is_list(state["invoke"]) else [state["invoke"]]
            written = [self._service(node, service) for service in services]
            state["invoke"] = written[0] if len(written) == 1 else written
        if "states" in state:
            state["states"] = {key: self.state(child, data["states"][key]) for key, child in node.children.items()}
        return state

    def _initial(self, node: TreeNode, written: Any) -> Any:
        initial = node.config.initial
        targets = initial.target if initial is not None else ()
        found = [self.tree.initial_of(node, target) for target in targets]
        if len(found) != 1 or found[0] is None or found[0].parent is not node:
            if node.config.kind != "compound":
                return written
            hint = "give each state in between its own initial"
            where = f"{node.where}.initial"
            self.problems.append(Problem(where, "in XState, initial has to be a child of the state", hint))
            return written
        return {**written, "target": found[0].key} if is_object(written) else found[0].key

    def _service(self, node: TreeNode, service: Mapping[str, Any]) -> dict[str, Any]:
        written = {**service}
        for key in ("onDone", "onError"):
            if key in written:
                written[key] = self._arcs(node, written[key])
        return written

    def _arcs(self, node: TreeNode, arcs: Any) -> Any:
        if is_list(arcs):
            return [self._arcs(node, arc) for arc in arcs]
        if isinstance(arcs, str):
            return self._reference(node, arcs)
        if "target" in arcs:
            return {**arcs, "target": self._references(node, arcs["target"])}
        return arcs

    def _references(self, node: TreeNode, targets: Any) -> Any:
        if isinstance(targets, str):
            return self._reference(node, targets)
        return [self._reference(node, target) for target in targets]
