"""The state tree of a class: paths, initial states, and the resolution of references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from fsmvoice.errors import Problem, did_you_mean
from fsmvoice.machine.guards import Forbidden
from fsmvoice.machine.hooks import hooks_of
from fsmvoice.machine.members import merged, states_in, unfit
from fsmvoice.machine.place import Place
from fsmvoice.machine.states import AnyState, Compound, History, Parallel, State, StateInfo, info_of, is_unfit
from fsmvoice.machine.transitions import is_transition


@dataclass(slots=True, eq=False)
class StateNode:
    """A state. `data` becomes its part of the config."""

    key: str
    path: str
    parent: StateNode | None
    declared: State | type[Compound] | None
    children: dict[str, StateNode] = field(default_factory=dict[str, "StateNode"])
    data: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def info(self) -> StateInfo | None:
        return None if self.declared is None else info_of(self.declared)

    @property
    def place(self) -> Place | None:
        return None if self.info is None else self.info.place

    @property
    def kind(self) -> str:
        """XState's type of the state."""
        if isinstance(self.declared, History):
            return "history"
        if isinstance(self.declared, State):
            return "final" if self.declared.info.final else "atomic"
        return "parallel" if self.declared is not None and issubclass(self.declared, Parallel) else "compound"

    @property
    def ancestors(self) -> Iterator[StateNode]:
        """From the parent up to the root."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def walk(self) -> Iterator[StateNode]:
        """The state and its descendants, in document order."""
        yield self
        for child in self.children.values():
            yield from child.walk()


class StateTree:
    """All states of a machine. `problems` collects the problems with them and with references to them."""

    root: StateNode
    by_path: dict[str, StateNode]

    def __init__(
        self,
        machine: str,
        states: Iterator[tuple[str, State | type[Compound]]],
        refused: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        self.machine = machine
        self._refused = dict(refused)
        self.problems: list[Problem] = []
        self.root = StateNode("", "", None, None)
        self._by_object: dict[int, StateNode] = {}
        for name, state in states:
            self._add(self.root, name, state)
        self.by_path = {node.path: node for node in self.root.walk()}
        self._by_leaf: dict[str, list[StateNode]] = {}
        for node in self.states:
            self._by_leaf.setdefault(node.key, []).append(node)
        for node in self.root.walk():
            if not self._refused or node is not self.root:  # an invalid declaration may have been the initial state
                self._check_start(node)

    @property
    def states(self) -> list[StateNode]:
        """Every state in document order, without the root."""
        return list(self.root.walk())[1:]

    def _add(self, parent: StateNode, name: str, state: State | type[Compound]) -> None:
        info = info_of(state)
        key = info.name or name
        path = f"{parent.path}.{key}" if parent.path else key
        if id(state) in self._by_object:
            used = self._by_object[id(state)].path
            self._problem(info.place, f"one state object is assigned to both {used!r} and {path!r}", "make two")
            return
        if "." in key or key.startswith("#"):
            self._problem(info.place, f"a state's name can't be {key!r}", "leave out dots and a leading '#'")
            return
        if key in parent.children:
            self._problem(info.place, f"two states are called {path!r}", "rename one")
            return
        info.path = info.path or path
        node = parent.children[key] = StateNode(key, path, parent, state)
        self._by_object[id(state)] = node
        if isinstance(state, type):
            self.problems += info.problems
            namespace = merged(state, Compound)
            self._refused |= {inner: value for inner, value in namespace.items() if is_unfit(value, state)}
            for inner, value in namespace.items():
                self._check_inside(node, inner, value)
            for inner, child in states_in(namespace):
                self._add(node, inner, child)

    def _check_inside(self, node: StateNode, name: str, value: Any) -> None:
        if self._refused.get(name) is value and isinstance(value, type):
            self.problems.append(unfit(name, value, str(node.place or "")))
        if isinstance(value, Forbidden):
            self._problem(
                value.place,
                f"the forbid of {value.event!r} is inside the state {node.path!r}",
                "move it to the machine",
            )
        if is_transition(value) or hooks_of(value):
            what = f"event {name!r}" if is_transition(value) else f"hook {name!r}"
            arcs: Any = value.arcs if is_transition(value) else hooks_of(value)
            self._problem(
                arcs[0].place,
                f"the {what} is inside the state {node.path!r}",
                "move it to the machine, where `self` is the machine",
            )

    def _check_start(self, node: StateNode) -> None:
        children = [child for child in node.children.values() if child.kind != "history"]
        starts = [child for child in node.children.values() if child.info is not None and child.info.initial]
        where, what = node.place, f"the state {node.path!r}" if node.parent else self.machine
        if node.kind == "parallel":
            for child in starts:
                self._problem(
                    child.place,
                    f"{child.path!r} is initial, but all states of a Parallel are active at once",
                    "leave out initial=True",
                )
        elif node.kind == "compound" and children and not starts:
            self._problem(
                children[0].place,
                f"{what} has no initial state",
                f"for example {children[0].key} = State(initial=True)"
                if isinstance(children[0].declared, State)
                else f"for example class {children[0].key}(Compound, initial=True)",
            )
        elif len(starts) > 1:
            named = " and ".join(repr(child.path) for child in starts)
            self._problem(starts[1].place, f"{what} has {len(starts)} initial states, {named}", "keep one")
        if node.parent is not None and node.kind in ("compound", "parallel") and not children:
            self._problem(where, f"{what} has no states of its own", "give it some, or make it a State")

    def find(self, ref: object) -> StateNode | Problem:
        """The state that a reference names, or the problem with the reference."""
        if isinstance(ref, str):
            return self._named(ref)
        if isinstance(ref, State) or (isinstance(ref, type) and issubclass(ref, Compound)):
            # The object itself, or else its path, where a subclass may have put another object.
            path = info_of(ref).path
            found = self._by_object.get(id(ref)) or (self.by_path.get(path) if path else None)
            if found is not None:
                return found
            if not path:
                return Problem("", "is a State that no class attribute holds", "assign it to a name in the class")
            return Problem("", f"{path!r} is not a state of {self.machine}", self._hint(path))
        if isinstance(ref, AnyState):
            return Problem("", "ANY is for source only", "name the state it leads to")
        if isinstance(ref, type):
            return Problem("", f"the class {ref.__name__!r} is not a state", "derive it from Compound (or Parallel)")
        return Problem("", f"{ref!r} is not a state", "give a state, an inner class, or a name")

    def _named(self, name: str) -> StateNode | Problem:
        if name and name in self.by_path:
            return self.by_path[name]
        same = self._by_leaf.get(name, [])
        if len(same) == 1:
            return same[0]
        if same:
            paths = " or ".join(repr(node.path) for node in same)
            return Problem("", f"{name!r} could be {paths}", "write the whole path")
        hint = "ANY, as a source, is every state" if name == "*" else self._hint(name)
        return Problem("", f"unknown state {name!r}", hint)

    def _hint(self, name: str) -> str:
        known = [node.path for node in self.states]
        return did_you_mean(name, [*known, *(node.key for node in self.states)] if "." not in name else known)

    def resolve(self, ref: object, place: Place, role: str) -> StateNode | None:
        """The state that a reference names. If there is none, None, and a problem is reported."""
        found = self.find(ref)
        if isinstance(found, StateNode):
            return found
        if (isinstance(ref, str) and ref.rpartition(".")[2] in self._refused) or any(
            ref is value for value in self._refused.values()
        ):
            return None
        self._problem(place, f"{role}: {found.message}", found.hint)
        return None

    def _problem(self, place: Place | None, message: str, hint: str = "") -> None:
        self.problems.append(Problem(str(place or ""), message, hint))


def target_from(source: StateNode, target: StateNode, machine_id: str) -> str:
    """`target` as written in an arc of `source`: a sibling's key, `.child` of the root, or `#id.path`."""
    if target.parent is source.parent and source.parent is not None:
        return target.key
    if source.parent is None and target.parent is source:
        return f".{target.key}"
    return f"#{machine_id}.{target.path}"
