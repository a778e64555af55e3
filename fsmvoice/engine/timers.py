"""Finding the timer of a run state that is due."""

from __future__ import annotations

from fsmvoice.model.run_state import RunState, Timer


def next_due(state: RunState, now: float) -> tuple[Timer, RunState] | None:
    """The first due timer, and `state` without it, in which to step its event. None if no timer is due.

    Of timers due at the same time, the one started first comes first.
    """
    if not state.timers:
        return None
    first = min(state.timers, key=_due)
    if first.due > now:
        return None
    return first, state._replace(timers=tuple(timer for timer in state.timers if timer is not first))


def _due(timer: Timer) -> float:
    return timer.due
