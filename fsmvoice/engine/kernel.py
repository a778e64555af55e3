"""The kernel: the one place that knows what a statechart does with an event.

`macrostep` is a generator. It yields only coroutines of step code and is sent what they return, so the same code runs
under a plain loop, under asyncio, and in a replay. It changes nothing but its `OpenStep`.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Generator, Mapping
from dataclasses import dataclass
from typing import Any

from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.engine.configuration import (
    Arm,
    Configuration,
    Disarm,
    Operation,
    Plan,
    RaiseDone,
    configuration_of,
)
from fsmvoice.engine.drive import Running
from fsmvoice.engine.open_step import NOTHING, Nobody, OpenStep
from fsmvoice.engine.plan import plan_for, start_plan
from fsmvoice.engine.select import choose, choose_eventless
from fsmvoice.errors import ActionFailed, FsmVoiceError, RunawayError
from fsmvoice.model.chart import Chart, milliseconds
from fsmvoice.model.context import ContextError
from fsmvoice.model.nodes import INTERNAL, Call, Delay
from fsmvoice.model.run_state import History, RunState, Timer

MAX_MICROSTEPS = 1000

log = logging.getLogger("fsmvoice")

INIT = "xstate.init"
STOP = "xstate.stop"


@dataclass(frozen=True, slots=True)
class ArmTimer:
    """Effect: from now on `timer` runs."""

    timer: Timer


@dataclass(frozen=True, slots=True)
class CancelTimer:
    """Effect: `timer` runs no more."""

    timer: Timer


Effect = ArmTimer | CancelTimer


def step(
    chart: Chart, state: RunState, event: Mapping[str, Any] | str, *, now: float = 0.0
) -> Generator[Awaitable[Any], Any, tuple[RunState, tuple[Effect, ...]]]:
    """What `event` makes of `state`: the next run state, and the effects to act on once it is kept.

    Pure but for step code. Drive it with `drive_sync` or `drive_async`.
    """
    payload = {"type": event} if isinstance(event, str) else dict(event)
    opened = OpenStep(chart, state, str(payload.pop("type")), payload, Nobody(SimulatedClock(now)))
    yield from macrostep(opened)
    return opened.after, effects_between(state, opened.after)


def start(chart: Chart, *, now: float = 0.0, context: Any = None) -> Generator[Awaitable[Any], Any, RunState]:
    """The first run state of `chart`."""
    opened = OpenStep(chart, blank(chart, context), INIT, NOTHING, Nobody(SimulatedClock(now)))
    yield from macrostep(opened, start_plan(chart))
    return opened.after


def blank(chart: Chart, context: Any = None, seq: int = 0) -> RunState:
    """A run state before the machine is entered."""
    return RunState((), chart.start_context() if context is None else context, seq=seq)


def effects_between(before: RunState, after: RunState) -> tuple[Effect, ...]:
    """What changed for the outside world."""
    if before.timers == after.timers:
        return ()
    cancelled = [CancelTimer(timer) for timer in before.timers if timer not in after.timers]
    return (*cancelled, *(ArmTimer(timer) for timer in after.timers if timer not in before.timers))


def macrostep(step: OpenStep, plan: Plan | None = None) -> Running[None]:
    """Handle the step's event, then everything it sets off, until the machine rests; `step.after` is then the result.

    The order is XState's: the event; then `always` arcs as long as they change something; then raised events, oldest
    first, each with its `always` arcs.

    Args:
        plan: the first thing to do in place of selecting arcs for the event.

    Raises:
        ActionFailed: step code or a guard raised.
        RunawayError: it does not come to rest.
    """
    before = step.before
    history = before.history
    if plan is None:
        if before.status != "active":
            step.after = before
            return
        configuration = configuration_of(step.chart, before.leaves)
        step.members = configuration.members
        plan = _selected(step, configuration, history)
    else:
        configuration = plan.to
    happened = eventless = False
    changed = True
    while True:
        if plan is not None:
            held = step.held() if eventless and not plan.moves else None
            step.plans += (plan,)
            happened = happened or not plan.forbids
            step.looking = False
            for operation in plan.operations:
                if type(operation) is not Call:
                    _carry_out(step, operation)
                    continue
                try:
                    result = operation.call(step, operation.params)
                    if operation.is_async:
                        result = yield result
                    if result is not None:
                        step.merge(result)
                except FsmVoiceError:
                    raise
                except Exception as error:
                    raise _failed(step, operation, error) from error
            step.looking = True
            configuration, history = plan.to, plan.history
            step.members = configuration.members
            if plan.completes:
                break
            changed = not eventless or plan.moves or step.differs(held)
            if len(step.plans) > MAX_MICROSTEPS:
                raise _runaway(step)
        if configuration.eventless and changed:
            chosen = choose_eventless(step, configuration.eventless)
            if chosen:
                plan, eventless = plan_for(configuration, chosen, history), True
                continue
        if not step.raised:
            break
        step.handle(*step.raised.popleft())
        changed, eventless = True, False
        plan = _selected(step, configuration, history)
        if plan is None and not step.type.startswith(INTERNAL):
            log.debug("the raised event %r was dropped: nothing takes it in %s", step.type, configuration.value)
    step.after = _result(step, configuration, history) if happened else before


def _selected(step: OpenStep, configuration: Configuration, history: History) -> Plan | None:
    """The plan for what takes the step's event; None if nothing does."""
    chosen = choose(step, configuration.candidates(step.type))
    return plan_for(configuration, chosen, history) if chosen else None


def _result(step: OpenStep, configuration: Configuration, history: History) -> RunState:
    """The run state to commit."""
    before, draft = step.before, step.draft
    context = before.context
    if draft is not None:
        try:
            context = step.chart.context_type.check(draft)
        except ContextError as error:
            raise _misfit(step, error) from error
    timers = before.timers if step.timers is None else step.timers
    seq = before.seq + 1 if before.leaves else before.seq
    if step.plans[-1].completes:
        return RunState(configuration.leaves, context, history, timers, "done", step.chart.config.output, seq)
    # what RunState(...) does, in half the time: a state is made for every event
    return tuple.__new__(RunState, (configuration.leaves, context, history, timers, "active", None, seq))


def _carry_out(step: OpenStep, operation: Operation) -> None:
    """What a plan does besides calling step code."""
    if isinstance(operation, RaiseDone):
        output = operation.output
        step.raise_event(operation.node.done_event, NOTHING if output is None else {"output": output})
    elif isinstance(operation, Disarm):
        step.change_timers(stop=operation.event)
    elif isinstance(operation, Arm):
        wait = _wait(step, operation.delay)
        event = operation.delay.event
        step.change_timers(stop=event, start=Timer(event, event, step.owner.clock.now() + wait, wait))


def _wait(step: OpenStep, delay: Delay) -> float:
    """How long a timer is to run, in milliseconds."""
    wait = delay.ms
    if delay.call is not None:
        try:
            wait = milliseconds(delay.call.call(step, None))
        except Exception as error:
            raise _failed(step, delay.call, error) from error
    if wait is None:
        raise ActionFailed(
            f"the delay {delay.key!r} gave neither a number of milliseconds nor a timedelta",
            name=delay.key,
            event=step.type,
        )
    return max(0.0, wait)


def _misfit(step: OpenStep, error: ContextError) -> ActionFailed:
    ran = dict.fromkeys(op.name for plan in step.plans for op in plan.operations if isinstance(op, Call))
    names = ", ".join(repr(name) for name in ran)
    return ActionFailed(
        f"{names} left a context that does not fit at event {step.first!r}: {error}",
        name=next(iter(ran), ""),
        event=step.first,
        state=_standing(step.chart, step.before.leaves),
    )


def _standing(chart: Chart, leaves: tuple[int, ...]) -> str:
    return ", ".join(chart.nodes[leaf].path for leaf in leaves)


def _failed(step: OpenStep, call: Call, error: Exception) -> ActionFailed:
    state = _standing(step.chart, step.before.leaves)
    where = f"in state {state!r}" if state else "while the machine started"
    return ActionFailed(
        f"{call.name!r} raised {type(error).__name__} at event {step.type!r} {where}: {error}",
        name=call.name,
        event=step.type,
        state=state,
    )


def _runaway(step: OpenStep) -> RunawayError:
    """Name the shortest run of microsteps that repeats at the end."""
    plans = step.plans
    length = next((size for size in range(1, len(plans) // 2) if plans[-size:] == plans[-2 * size : -size]), len(plans))
    cycle = [_standing(step.chart, plan.to.leaves) for plan in plans[-length:]]
    arcs = ", ".join(dict.fromkeys(arc.where for plan in plans[-length:] for arc in plan.arcs))
    return RunawayError(
        f"the machine does not come to rest: after {MAX_MICROSTEPS} microsteps at event {step.first!r} it still goes "
        f"round {' -> '.join(repr(state) for state in [*cycle[:8], cycle[0]])} by {arcs}; "
        "give an arc on that way a guard that turns false, or raise the event elsewhere",
        cycle,
    )
