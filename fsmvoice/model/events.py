"""Which events a config has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fsmvoice.model.config import FsmConfig
from fsmvoice.model.parse import parse_config
from fsmvoice.model.tree import Tree


def collect_event_types(config: FsmConfig | Mapping[str, Any] | str | bytes) -> dict[str, list[str]]:
    """For each event, the paths of the states that take it, in declaration order; the whole machine is ''.

    A state that only forbids an event does not take it.

    Raises:
        DefinitionError: if `config` is not a valid one.
    """
    events: dict[str, list[str]] = {}
    for node in Tree(parse_config(config)).nodes:
        for event, arcs in node.config.on.items():
            if any(not arc.forbids for arc in arcs):
                events.setdefault(event, []).append(node.path)
    return events
