"""A machine placed in a state, for tests: nothing runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fsmvoice.errors import UnknownName, did_you_mean
from fsmvoice.model.chart import Chart
from fsmvoice.model.context import ContextType
from fsmvoice.model.nodes import Node
from fsmvoice.model.run_state import RunState


def run_state_at(chart: Chart, path: str, fields: Mapping[str, Any]) -> RunState:
    """Where a run of `chart` stands that is in the state at `path`: below and beside it, where those states start.

    Raises:
        UnknownName: if the context has no such field.
        ContextError: if a field's value does not fit it.
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
    context = _context(chart.behaviour.context, chart.name, fields)
    return RunState(tuple(sorted(leaves)), context, status="done" if done else "active")


def _started(node: Node) -> list[int]:
    if node.is_leaf:
        return [node.index]
    inside = node.children if node.kind == "parallel" else node.initial
    return [leaf for child in inside for leaf in _started(child)]


def _context(context: ContextType, machine: str, fields: Mapping[str, Any]) -> Any:
    for name in fields:
        if context.fields is not None and name not in context.fields:
            hint = did_you_mean(name, context.fields, otherwise="its fields are")
            raise UnknownName(f"the context of {machine} has no field {name!r}; {hint}")
    try:
        start = context.dump(context.initial(), private=True)
    except Exception:  # fields without a default have to be among `fields`; load says which is missing
        start = {}
    return context.load({**start, **fields})
