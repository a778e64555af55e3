"""Which arcs take an event now: candidates are asked in order, and their guards decide."""

from __future__ import annotations

from fsmvoice.engine.candidates import Candidates
from fsmvoice.engine.open_step import OpenStep
from fsmvoice.errors import ActionFailed, FsmVoiceError
from fsmvoice.model.nodes import Arc


def choose(step: OpenStep, candidates: Candidates) -> tuple[Arc, ...]:
    """The arcs that take the event now. Those whose guards say no are noted in `step.rejected`.

    Raises:
        ActionFailed: if a guard raises: it decides, so it may neither be "no" nor "yes".
    """
    if candidates.regions:
        taken = tuple(arc for region in candidates.regions for arc in choose(step, region))
        if taken:
            return taken
    arc: Arc | None = None
    try:
        for arc in candidates.arcs:
            guard = arc.guard
            if guard is None or guard.call(step, guard.params):
                return (arc,)
            step.rejected += (arc,)
    except FsmVoiceError:
        step.rejected += () if arc is None else (arc,)
        raise
    except Exception as error:
        step.rejected += () if arc is None else (arc,)
        raise _failed(step, arc, error) from error
    return ()


def choose_eventless(step: OpenStep, chains: tuple[tuple[Arc, ...], ...]) -> tuple[Arc, ...]:
    """The `always` arcs that are enabled now, one for each leaf at most, each once."""
    taken: dict[Arc, None] = {}
    arc: Arc | None = None
    try:
        for chain in chains:
            for arc in chain:
                guard = arc.guard
                if guard is None or guard.call(step, guard.params):
                    taken[arc] = None
                    break
    except FsmVoiceError:
        raise
    except Exception as error:
        raise _failed(step, arc, error) from error
    return tuple(taken)


def _failed(step: OpenStep, arc: Arc | None, error: Exception) -> ActionFailed:
    name = arc.guard.name if arc is not None and arc.guard is not None else ""
    event = f"the event {step.type!r}" if arc is not None and arc.event else f"an always after {step.type!r}"
    return ActionFailed(
        f"the guard {name!r} raised {type(error).__name__} while it decided {event} "
        f"in state {str(arc.source if arc else '')!r}: {error}",
        name=name,
        event=step.type,
        state=arc.source.path if arc else None,
    )
