"""The parts of a compiled chart: nodes and arcs, with every name resolved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, cast

from fsmvoice.model.behaviour import Step, StepCode
from fsmvoice.model.config import InvokeConfig, StateConfig, TransitionConfig
from fsmvoice.model.service import ServiceCode

Kind: TypeAlias = Literal["atomic", "compound", "parallel", "final", "history"]

INTERNAL = "xstate."
"""Prefix of the event types that only the engine raises."""


@dataclass(slots=True, eq=False)
class Call:
    """A function with the `params` it is referred to with. `where` is the JSON path of that reference."""

    name: str
    call: Callable[[Step, Mapping[str, Any] | None], Any]
    params: Mapping[str, Any] | None
    is_async: bool
    where: str
    on_context: Callable[[Any], Any] | None = None
    on_machine: Callable[[Any], Any] | None = None

    @classmethod
    def in_state(cls, name: str, node: Node, where: str, also: Call | None = None) -> Call:
        """A guard that holds while `node` is active and `also`, if given, holds too."""
        index = node.index

        def holds(step: Any, params: Mapping[str, Any] | None) -> bool:  # noqa: ARG001 - the signature of `Call.call`
            return index in step.configuration.members and (also is None or bool(also.call(step, also.params)))

        return cls(name, holds, None, False, where)

    @classmethod
    def of(cls, code: StepCode, params: Mapping[str, Any] | None, where: str) -> Call:
        return cls(code.name, code.call, params, code.is_async, where, code.on_context, code.on_machine)


@dataclass(slots=True, eq=False)
class Delay:
    """A timer that runs while its node is active. It raises `event` after `ms` milliseconds, or what `call` returns."""

    event: str
    key: str
    ms: float | None
    call: Call | None


@dataclass(slots=True, eq=False)
class Invocation:
    """A service of a node. Its result is raised as the event `done`, its failure as `error`."""

    id: str
    code: ServiceCode | None
    config: InvokeConfig
    where: str

    @property
    def done(self) -> str:
        return f"xstate.done.actor.{self.id}"

    @property
    def error(self) -> str:
        return f"xstate.error.actor.{self.id}"


@dataclass(slots=True, eq=False)
class Arc:
    """A transition. `targets` is empty for an internal one, which exits and enters no state."""

    source: Node
    event: str
    targets: tuple[Node, ...]
    guard: Call | None
    calls: tuple[Call, ...]
    reenter: bool
    config: TransitionConfig
    where: str
    forbids: bool = False
    """Whether it does nothing itself, and exists to refuse its event: it hides another arc or has a reason."""

    def __repr__(self) -> str:
        target = ", ".join(str(node) for node in self.targets) or "(internal)"
        return f"<Arc {self.source} --{self.event or 'always'}--> {target}>"


@dataclass(slots=True, eq=False)
class Node:
    """A state. `index` is its number in document order, `last` that of its last descendant."""

    index: int
    key: str
    path: str
    id: str
    kind: Kind
    parent: Node | None
    config: StateConfig
    where: str
    last: int = 0
    deep: bool = False
    """Whether a history node is deep."""
    children: tuple[Node, ...] = ()
    """The child states in document order, without history nodes."""
    histories: tuple[Node, ...] = ()
    initial: tuple[Node, ...] = ()
    """The initial states of a compound state, or the default targets of a history state."""
    initial_calls: tuple[Call, ...] = ()
    entry: tuple[Call, ...] = ()
    exit: tuple[Call, ...] = ()
    on: dict[str, tuple[Arc, ...]] = field(default_factory=lambda: cast("dict[str, tuple[Arc, ...]]", {}))
    wildcards: tuple[str, ...] = ()
    """The descriptors of `on` that end in `*`, longest first."""
    always: tuple[Arc, ...] = ()
    delays: tuple[Delay, ...] = ()
    invocations: tuple[Invocation, ...] = ()

    def __str__(self) -> str:
        return self.path or self.id

    def __repr__(self) -> str:
        return f"<Node {self.index} {self}>"

    @property
    def is_leaf(self) -> bool:
        """Whether it has no child that could be active."""
        return self.kind in ("atomic", "final")

    @property
    def done_event(self) -> str:
        return f"xstate.done.state.{self.id}"

    def holds(self, other: Node) -> bool:
        """Whether `other` is a proper descendant."""
        return self.index < other.index <= self.last

    def excludes(self, other: Node) -> bool:
        """Whether the two are not in different regions of one parallel state."""
        if self is other:
            return False
        meeting = next((node for node in (self, *self.up_to(None)) if node is other or node.holds(other)), None)
        return meeting is None or meeting in (self, other) or meeting.kind != "parallel"

    def up_to(self, top: Node | None) -> list[Node]:
        """The proper ancestors below `top`, parent first. With None, all ancestors including the root."""
        found: list[Node] = []
        node = None if self is top else self.parent
        while node is not None and node is not top:
            found.append(node)
            node = node.parent
        return found

    def arcs_for(self, event: str) -> tuple[Arc, ...]:
        """The arcs that may take `event`, in the order they are tried: exact matches, then wildcards, longest first.

        As in XState, `*` matches done events too.
        """
        exact = self.on.get(event, ())
        if not self.wildcards:
            return exact
        found = list(exact)
        for descriptor in self.wildcards:
            if matches_descriptor(event, descriptor):
                found += self.on[descriptor]
        return tuple(found)


def is_wildcard(descriptor: str) -> bool:
    """Whether `descriptor` matches many events: `*`, `mouse.*`."""
    return descriptor == "*" or descriptor.endswith(".*")


def matches_descriptor(event: str, descriptor: str) -> bool:
    """Whether the wildcard `descriptor` matches `event`. `mouse.*` matches `mouse.up`, and also plain `mouse`."""
    if descriptor == "*":
        return True
    prefix = descriptor[:-2]
    return event == prefix or event.startswith(f"{prefix}.")
