"""The events of a config, and the states that handle them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fsmvoice.model.config import FsmConfig, TransitionConfig
from fsmvoice.model.nodes import is_wildcard
from fsmvoice.model.parse import parse_config
from fsmvoice.model.tree import Tree, TreeNode


def collect_event_types(config: FsmConfig | Mapping[str, Any] | str | bytes) -> dict[str, list[str]]:
    """For each event, the paths of the states that handle it, in declaration order. The root's path is ''.

    A state that only forbids an event is not listed, and wildcards are not events.

    Raises:
        DefinitionError: if `config` is invalid.
    """
    events: dict[str, list[str]] = {}
    for node in Tree(parse_config(config)).nodes:
        for event, arcs in node.config.on.items():
            if not is_wildcard(event) and any(not _forbids(node, event, arc) for arc in arcs):
                events.setdefault(event, []).append(node.path)
    return events


def _forbids(node: TreeNode, event: str, arc: TransitionConfig) -> bool:
    """Whether `arc` exists to forbid the event: it does nothing, and has a reason or hides an outer state's arc."""
    return arc.forbids and ("reason" in (arc.meta or {}) or any(event in outer.config.on for outer in node.ancestors))
