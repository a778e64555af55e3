"""Copies of a machine: its own attributes, and where it stands."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from fsmvoice.machine.running import M, Running, actor_of

_RUN = "__fsmvoice_run__"


def twin_of(machine: M, memo: dict[int, Any] | None = None) -> M:
    """A machine that stands where `machine` does. Nothing runs; `__init__` is not called.

    Args:
        memo: of a deep copy, which copies the values of its attributes too.
    """
    kind = type(machine)
    twin = kind.__new__(kind)
    actor, run, theirs = actor_of(machine), machine.__fsmvoice_run__, twin.__fsmvoice_run__
    context = actor.chart.copy_context
    theirs.stand = actor.run_state._replace(context=context(actor.run_state.context))
    theirs.clock = actor.clock
    theirs.context = None if run.context is None else context(run.context)
    own = _own(machine)
    if memo is not None:
        memo[id(machine)] = twin
        own = copy.deepcopy(own, memo)
    for name, value in own.items():
        object.__setattr__(twin, name, value)
    return twin


def pickled(machine: Running[Any]) -> dict[str, Any]:
    """What a pickle holds beside the snapshot: the machine's own attributes, and what starting over begins with."""
    start = machine.__fsmvoice_run__.context
    kind = machine.__fsmvoice_chart__().behaviour.context
    return {"attributes": _own(machine), "start": None if start is None else kind.dump(start, private=True)}


def unpickle(machine: Running[Any], state: Mapping[str, Any]) -> None:
    """Put back what `pickled` gave."""
    for name, value in state["attributes"].items():
        object.__setattr__(machine, name, value)
    if state["start"] is not None:
        machine.__fsmvoice_run__.context = machine.__fsmvoice_chart__().behaviour.context.load(state["start"])


def _own(machine: Running[Any]) -> dict[str, Any]:
    """The attributes of a machine, those in slots too."""
    found: Any = object.__getstate__(machine)
    parts: list[dict[str, Any] | None] = [*found] if isinstance(found, tuple) else [found]
    return {name: value for part in parts for name, value in (part or {}).items() if name != _RUN}
