"""`Configuration`: a set of active states, with cached candidates and plans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from fsmvoice.engine.candidates import Candidates, candidates_for, eventless_candidates
from fsmvoice.model.chart import Chart
from fsmvoice.model.nodes import Arc, Call, Delay, Invocation, Node
from fsmvoice.model.run_state import History

MAX_CONFIGURATIONS = 4096
MAX_EVENTS = 256
MAX_PLANS = 512
"""Cache limits. A full cache is cleared, so that made-up event names can't exhaust the memory."""


@dataclass(slots=True, eq=False)
class Arm:
    """Start a timer."""

    delay: Delay


@dataclass(slots=True, eq=False)
class Disarm:
    """Stop a timer."""

    event: str


@dataclass(slots=True, eq=False)
class RaiseDone:
    """Raise the done event of a state."""

    node: Node
    output: Any


@dataclass(slots=True, eq=False)
class Launch:
    """Record a service to be started once the macrostep is committed."""

    invocation: Invocation


@dataclass(slots=True, eq=False)
class Halt:
    """Remove a service from those that run."""

    id: str


Operation: TypeAlias = Call | Arm | Disarm | RaiseDone | Launch | Halt


@dataclass(slots=True, eq=False)
class Plan:
    """What a microstep does once its arcs are chosen. It does not depend on the context."""

    arcs: tuple[Arc, ...]
    operations: tuple[Operation, ...]
    to: Configuration
    history: History
    entered: tuple[Node, ...]
    moves: bool
    """Whether it may change the active states or histories."""
    completes: bool
    """Whether the machine is done after it."""
    waits: bool
    """Whether any of its actions is a coroutine function."""
    inert: bool = False
    """Whether it does nothing."""
    forbids: bool = False
    """Whether it only forbids its event."""


class Configuration:
    """The active nodes of a chart in document order, with cached candidates and plans. One object per set of nodes."""

    __slots__ = (
        "asked",
        "chart",
        "eventless",
        "events",
        "known",
        "leaves",
        "members",
        "nodes",
        "notes",
        "plans",
        "settled",
        "tags",
        "value",
    )

    chart: Chart
    leaves: tuple[int, ...]
    members: frozenset[int]
    nodes: tuple[Node, ...]
    tags: frozenset[str]
    events: tuple[str, ...]
    eventless: tuple[tuple[Arc, ...], ...]

    def __init__(self, chart: Chart, leaves: tuple[int, ...]) -> None:
        members: set[int] = set()
        for leaf in leaves:
            node: Node | None = chart.nodes[leaf]
            while node is not None and node.index not in members:
                members.add(node.index)
                node = node.parent
        self.chart, self.leaves, self.members = chart, leaves, frozenset(members)
        self.nodes = tuple(chart.nodes[index] for index in sorted(members))
        self.value: str | dict[str, Any] = _value(chart.root, self.members)
        self.tags = frozenset(tag for node in self.nodes for tag in node.config.tags)
        self.events = self._declared()
        self.eventless = eventless_candidates(self.nodes)
        self.plans: dict[Any, Plan] = {}
        self.known: dict[str, Candidates] = {}
        self.asked: dict[str, Any] = {}
        """By event: its verdict if no guard decides; if a guard reads the payload, all possible payloads."""
        self.settled: Any = None
        """The verdicts of all events, if no guard decides any of them."""
        self.notes: dict[Any, Any] = {}
        """What higher layers derived from `settled`. Each uses one key, so it needs no bound."""

    def value_when_done(self) -> str | dict[str, Any]:
        """`value` of a finished machine. XState computes it from the last active child instead of the first.

        That differs only if a transition with several targets entered two children of one state, which XState allows.
        """
        value: str | dict[str, Any] = _value(self.chart.root, self.members, last=True)
        return value

    def candidates(self, event: str) -> Candidates:
        """The arcs that may take `event`, in the order they are tried."""
        found = self.known.get(event)
        if found is None:
            found = candidates_for(self.chart.root, self.members, event)
            if len(self.known) >= MAX_EVENTS:
                self.known.clear()
            self.known[event] = found
        return found

    def _declared(self) -> tuple[str, ...]:
        """The events of the active states, in the order that a class declares them, or else in document order."""
        here = dict.fromkeys(event for node in self.nodes for event in node.on)
        if self.chart.behaviour.place is not None:
            return tuple(event for event in self.chart.events if event in here)
        known = frozenset(self.chart.events)
        return tuple(event for event in here if event in known)

    def invocation(self, id: str) -> Invocation | None:
        """The service `id` of an active state, or None."""
        found = [invocation for node in self.nodes for invocation in node.invocations if invocation.id == id]
        return found[-1] if found else None

    def keep(self, key: Any, plan: Plan) -> Plan:
        """Cache `plan` under the chosen arcs and, if there is any, the history."""
        if len(self.plans) >= MAX_PLANS:
            self.plans.clear()
        self.plans[key] = plan
        return plan


def configuration_of(chart: Chart, leaves: tuple[int, ...]) -> Configuration:
    """The cached `Configuration` of a chart whose innermost active nodes are `leaves`."""
    found: Configuration | None = chart.cache.get(leaves)
    if found is None:
        if len(chart.cache) >= MAX_CONFIGURATIONS:
            chart.cache.clear()
        found = chart.cache[leaves] = Configuration(chart, leaves)
    return found


def _value(node: Node, members: frozenset[int], *, last: bool = False) -> Any:
    """XState's state value: the key of an atomic child, or an object with an entry for each active child."""
    active = [child for child in node.children if child.index in members]
    if node.kind == "compound" and active:
        first = active[-1 if last else 0]
        if first.is_leaf:
            return first.key
    return {child.key: _value(child, members, last=last) for child in active}
