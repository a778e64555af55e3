"""Selecting the arcs that take an event: candidates are tried in order, and their guards decide."""

from __future__ import annotations

import inspect

from fsmvoice.engine.candidates import Candidates
from fsmvoice.engine.open_step import OpenStep
from fsmvoice.errors import ActionFailed, ReentrancyError, Refuse, message_of
from fsmvoice.model.nodes import Arc

LEAVING = (KeyboardInterrupt, SystemExit, GeneratorExit)
"""Exceptions that end the program or the call, whoever raises them."""
PASSING = (Refuse, ReentrancyError, *LEAVING)
"""Exceptions of user code that propagate unchanged. Any other becomes an ActionFailed, even one of another machine."""


def choose(step: OpenStep, candidates: Candidates) -> tuple[Arc, ...]:
    """The arcs that take the event now. Those whose guards do not hold are added to `step.rejected`.

    Raises:
        ActionFailed: if a guard raises. That counts neither as yes nor as no.
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
    except BaseException as error:
        step.rejected += () if arc is None else (arc,)
        raise _failed(step, arc, error) from error
    return ()


def choose_eventless(step: OpenStep, chains: tuple[tuple[Arc, ...], ...]) -> tuple[Arc, ...]:
    """The `always` arcs that are enabled now: at most one per leaf, without duplicates."""
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
    except BaseException as error:
        raise _failed(step, arc, error) from error
    return tuple(taken)


def _holds(answer: object) -> bool:
    """The truth of a guard's answer that is not a bool. Awaitables and generators, which are always true, raise."""
    if inspect.isawaitable(answer) or inspect.isgenerator(answer) or inspect.isasyncgen(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        raise TypeError(
            f"it returned a {type(answer).__name__}, which is neither true nor false; a guard decides at once"
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
