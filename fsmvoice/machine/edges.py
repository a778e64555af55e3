"""The arcs of a class after their references were resolved: what the checks and the warnings look at."""

from __future__ import annotations

from typing import NamedTuple

from fsmvoice.machine.place import Place
from fsmvoice.machine.state_tree import StateNode


class Edge(NamedTuple):
    """One arc from one state. `event` is '' where it needs none; without `target` it stays."""

    source: StateNode
    event: str
    target: StateNode | None
    guarded: bool
    place: Place
    forbids: bool = False
