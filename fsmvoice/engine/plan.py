"""Planning a microstep: its exits, the actions of its arcs, entries, timers and done events, in order."""

from __future__ import annotations

from collections.abc import Iterable

from fsmvoice.engine.configuration import (
    Arm,
    Configuration,
    Disarm,
    Halt,
    Launch,
    Operation,
    Plan,
    RaiseDone,
    configuration_of,
)
from fsmvoice.engine.enter_exit import Entry, domain_of, exit_set, is_complete, remember, without_conflicts
from fsmvoice.model.chart import Chart
from fsmvoice.model.config import TransitionConfig
from fsmvoice.model.nodes import Arc, Call, Node
from fsmvoice.model.run_state import History


def plan_for(configuration: Configuration, chosen: tuple[Arc, ...], history: History) -> Plan:
    """The cached plan for taking the `chosen` arcs."""
    key = (chosen, history) if history else chosen
    found = configuration.plans.get(key)
    return found if found is not None else configuration.keep(key, _plan(configuration, chosen, history))


def start_plan(chart: Chart) -> Plan:
    """The plan for entering the machine."""
    found: Plan | None = chart.cache.get("start")
    if found is None:
        root = chart.root
        arc = Arc(root, "xstate.init", tuple(_start_path(root)), None, (), True, TransitionConfig(), "$")
        entry = Entry({})
        entry.add_arc(arc, None)
        operations: list[Operation] = []
        active: dict[Node, None] = {}
        completes = _enter(entry, active, operations)
        if completes:
            operations += _exits(active)
        found = chart.cache["start"] = Plan(
            arcs=(),
            operations=tuple(operations),
            to=_to(chart, active),
            history=(),
            entered=_ordered(entry.nodes),
            moves=True,
            completes=completes,
            waits=_waits(operations),
        )
    return found


def stop_plan(configuration: Configuration) -> Plan:
    """The plan for exiting every active state, before starting over."""
    operations = tuple(_exits(configuration.nodes))
    return Plan(
        arcs=(),
        operations=operations,
        to=configuration,
        history=(),
        entered=(),
        moves=False,
        completes=True,
        waits=_waits(operations),
    )


def _start_path(node: Node) -> Iterable[Node]:
    yield node
    for child in node.children if node.kind == "parallel" else node.initial if node.kind == "compound" else ():
        yield from _start_path(child)


def _plan(configuration: Configuration, chosen: tuple[Arc, ...], history: History) -> Plan:
    chart, nodes = configuration.chart, configuration.chart.nodes
    remembered = {nodes[key]: tuple(nodes[index] for index in held) for key, held in history}
    active = dict.fromkeys(configuration.nodes)
    arcs = without_conflicts(chosen, active, remembered)
    domains = {arc: domain_of(arc, remembered) for arc in arcs}
    leaving: set[Node] = set()
    for arc in arcs:
        leaving |= exit_set(arc, domains[arc], active)
    exited = sorted(leaving, key=lambda node: node.index, reverse=True)
    held = remember(exited, active, remembered)
    operations = list(_exits(leaving))
    for arc in arcs:
        operations += arc.calls
    entry = Entry(remembered if held is None else held)
    for arc in arcs:
        entry.add_arc(arc, domains[arc])
    for node in exited:
        del active[node]
    completes = _enter(entry, active, operations)
    if completes:
        operations += _exits(active)
    after = history
    if held is not None:
        after = tuple(sorted((key.index, tuple(node.index for node in kept)) for key, kept in held.items()))
    to = _to(chart, active)
    moves = held is not None or to is not configuration
    return Plan(
        arcs=tuple(arcs),
        operations=tuple(operations),
        to=to,
        history=after,
        entered=_ordered(entry.nodes),
        moves=moves,
        completes=completes,
        waits=_waits(operations),
        inert=not operations and not moves,
        forbids=all(arc.forbids for arc in arcs),
    )


def _exits(nodes: Iterable[Node]) -> Iterable[Operation]:
    for node in sorted(nodes, key=lambda node: node.index, reverse=True):
        yield from node.exit
        for delay in node.delays:
            yield Disarm(delay.event)
        for invocation in node.invocations:
            yield Halt(invocation.id)


def _enter(entry: Entry, active: dict[Node, None], operations: list[Operation]) -> bool:
    """Append the operations of entering; return whether the machine is then done."""
    completes = False
    completed: set[Node] = set()
    for node in _ordered(entry.nodes):
        active[node] = None
        operations += node.entry
        operations += [Arm(delay) for delay in node.delays]
        operations += [Launch(invocation) for invocation in node.invocations]
        if node in entry.by_default:
            operations += node.initial_calls
        if node.kind == "final":
            completes |= _finish(node, active, completed, operations)
    return completes


def _finish(node: Node, active: dict[Node, None], completed: set[Node], operations: list[Operation]) -> bool:
    """Append the done events that entering a final state raises; return whether the machine itself is then done."""
    parent = node.parent
    if parent is None:
        return False
    if parent.kind == "compound":
        operations.append(RaiseDone(parent, node.config.output))
    above = parent if parent.kind == "parallel" else parent.parent
    while above is not None and above.kind == "parallel" and above not in completed and is_complete(above, active):
        completed.add(above)
        operations.append(RaiseDone(above, None))
        above = above.parent
    return above is None


def _waits(operations: Iterable[Operation]) -> bool:
    return any(isinstance(operation, Call) and operation.is_async for operation in operations)


def _ordered(nodes: Iterable[Node]) -> tuple[Node, ...]:
    return tuple(sorted(nodes, key=lambda node: node.index))


def _to(chart: Chart, active: Iterable[Node]) -> Configuration:
    nodes = _ordered(active)
    inner = {node.parent for node in nodes}
    return configuration_of(chart, tuple(node.index for node in nodes if node not in inner))
