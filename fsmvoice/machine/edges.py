"""`Edge`: an arc of a class with resolved references, for checks and warnings."""

from __future__ import annotations

from typing import NamedTuple

from fsmvoice.machine.place import Place
from fsmvoice.machine.state_tree import StateNode


class Edge(NamedTuple):
    """An arc from one state. `event` is '' for an eventless arc; `target` is None for a targetless one."""

    source: StateNode
    event: str
    target: StateNode | None
    guarded: bool
    place: Place
    forbids: bool = False
