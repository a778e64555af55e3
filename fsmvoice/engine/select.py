"""Which arcs take an event now: candidates are asked in order, and their guards decide."""

from __future__ import annotations

import inspect
from asyncio import CancelledError

from fsmvoice.engine.candidates import Candidates
from fsmvoice.engine.open_step import OpenStep
from fsmvoice.errors import ActionFailed, ReentrancyError, Refuse, message_of
from fsmvoice.model.nodes import Arc

PASSING = (Refuse, ReentrancyError)
"""What step code may raise that leaves as it is. Anything else is its failure, whatever other machine it came from."""


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
            if guard is None:
                return (arc,)
            on_context = guard.on_context
            if on_context is None:
                on_machine = guard.on_machine
                answer = guard.call(step, guard.params) if on_machine is None else on_machine(step.machine)
            else:
                draft = step.draft
                answer = on_context(step.base if draft is None else draft)
            if answer is True or (answer is not False and _holds(answer)):
                return (arc,)
            step.rejected += (arc,)
    except PASSING:
        step.rejected += () if arc is None else (arc,)
        raise
    except (Exception, CancelledError) as error:
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
                answer = guard is None or guard.call(step, guard.params)
                if answer is True or (answer is not False and _holds(answer)):
                    taken[arc] = None
                    break
    except PASSING:
        raise
    except (Exception, CancelledError) as error:
        raise _failed(step, arc, error) from error
    return tuple(taken)


def _holds(answer: object) -> bool:
    """Whether an answer that is not a truth value counts as one. A coroutine would, whatever it had come to."""
    if inspect.isawaitable(answer) or inspect.isgenerator(answer) or inspect.isasyncgen(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        raise TypeError(
            f"it returned a {type(answer).__name__}, which says neither yes nor no; a guard decides at once"
        )
    return bool(answer)


def _failed(step: OpenStep, arc: Arc | None, error: BaseException) -> ActionFailed:
    name = arc.guard.name if arc is not None and arc.guard is not None else ""
    event = f"the event {step.type!r}" if arc is not None and arc.event else f"an always after {step.type!r}"
    return ActionFailed(
        f"the guard {name!r} raised {type(error).__name__} while it decided {event} "
        f"in state {str(arc.source if arc else '')!r}: {message_of(error)}",
        name=name,
        event=step.type,
        state=arc.source.path if arc else None,
    )
