"""Run states for placing a machine in a given state, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from fsmvoice.engine.configuration import configuration_of
from fsmvoice.errors import UnknownName, did_you_mean
from fsmvoice.model.chart import Chart
from fsmvoice.model.context import ContextType
from fsmvoice.model.nodes import Node
from fsmvoice.model.run_state import RunState, Timer


def run_state_at(
    chart: Chart, path: str, fields: Mapping[str, Any], *, context: Any = None, now: float | None = None
) -> RunState:
    """Where a run of `chart` stands that is in the state at `path`: below and beside it, where those states start.

    Args:
        fields: replace those of `context`, or of a new one.
        now: if given, the timers of the active states run, from this time in milliseconds.

    Raises:
        UnknownName: if the context has no such field.
        ContextError: if the context or a field's value does not fit.
    """
    node = chart.by_path[path]
    leaves = set(_started(node))
    child = node
    for parent in node.up_to(None):
        if parent.kind == "parallel":
            for region in parent.children:
                if region is not child:
                    leaves.update(_started(region))
        child = parent
    done = node.kind == "final" and node.parent is chart.root
    found = _context(chart.behaviour.context, chart.name, fields, context)
    state = RunState(tuple(sorted(leaves)), found, status="done" if done else "active")
    return state if now is None or done else state._replace(timers=_timers(chart, state, now))


def _timers(chart: Chart, state: RunState, now: float) -> tuple[Timer, ...]:
    """The timers of the active states. A delay that is a function has none: nothing runs."""
    delays = [delay for node in configuration_of(chart, state.leaves).nodes for delay in node.delays]
    return tuple(Timer(delay.event, delay.event, now + delay.ms, delay.ms) for delay in delays if delay.ms is not None)


def _started(node: Node) -> list[int]:
    if node.is_leaf:
        return [node.index]
    inside = node.children if node.kind == "parallel" else node.initial
    return [leaf for child in inside for leaf in _started(child)]


def _context(kind: ContextType, machine: str, fields: Mapping[str, Any], given: Any) -> Any:
    for name in fields:
        if kind.fields is not None and name not in kind.fields:
            hint = did_you_mean(name, kind.fields, otherwise="its fields are")
            raise UnknownName(f"the context of {machine} has no field {name!r}; {hint}")
    if given is not None:
        given = kind.copy(kind.check(given))
        if not fields:
            return given
    else:
        try:
            given = kind.initial()
        except Exception:  # fields without a default have to be in `fields`; `load` reports missing ones
            return kind.load(fields)
    return kind.load({**_values(kind, given), **fields})


def _values(kind: ContextType, context: Any) -> Mapping[str, Any]:
    if kind.fields is None:
        return cast("Mapping[str, Any]", context)
    return {name: getattr(context, name) for name in kind.fields} | (getattr(context, "__pydantic_extra__", None) or {})
