"""The kernel: the one place that knows what a statechart does with an event.

`macrostep` is a generator. It yields only coroutines of step code and is sent what they return, so the same code runs
under a plain loop, under asyncio, and in a replay. It changes nothing but its `OpenStep`.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Generator, Mapping
from dataclasses import dataclass
from typing import Any

from fsmvoice.engine.configuration import (
    Arm,
    Complete,
    Configuration,
    Disarm,
    Operation,
    Plan,
    RaiseDone,
    configuration_of,
)
from fsmvoice.engine.drive import Running
from fsmvoice.engine.open_step import NOTHING, OpenStep
from fsmvoice.engine.plan import plan_for, start_plan, stop_operations
from fsmvoice.engine.select import choose, choose_eventless
from fsmvoice.errors import ActionFailed, FsmVoiceError, RunawayError
from fsmvoice.model.chart import Chart, milliseconds
from fsmvoice.model.context import ContextError
from fsmvoice.model.nodes import INTERNAL, Call, Delay
from fsmvoice.model.run_state import RunState, Timer

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
    opened = OpenStep(chart, state, str(payload.pop("type")), payload, now=now)
    after = yield from macrostep(opened)
    return after, effects_between(state, after)


def start(chart: Chart, *, now: float = 0.0, context: Any = None) -> Running[RunState]:
    """The first run state of `chart`."""
    opened = OpenStep(chart, blank(chart, context), INIT, NOTHING, now=now)
    opened.counts = 0
    return (yield from macrostep(opened, start_plan(chart)))


def blank(chart: Chart, context: Any = None, seq: int = 0) -> RunState:
    """A run state before the machine is entered."""
    return RunState((), chart.start_context() if context is None else context, seq=seq)


def effects_between(before: RunState, after: RunState) -> tuple[Effect, ...]:
    """What changed for the outside world."""
    if before.timers == after.timers:
        return ()
    cancelled = [CancelTimer(timer) for timer in before.timers if timer not in after.timers]
    return (*cancelled, *(ArmTimer(timer) for timer in after.timers if timer not in before.timers))


def macrostep(step: OpenStep, plan: Plan | None = None) -> Running[RunState]:
    """Handle the step's event, then everything it sets off, until the machine rests. Returns the run state to commit.

    The order is XState's: the event; then `always` arcs as long as they change something; then raised events, oldest
    first, each with its `always` arcs.

    Args:
        plan: the first thing to do in place of selecting arcs for the event.

    Raises:
        ActionFailed: step code or a guard raised.
        RunawayError: it does not come to rest.
    """
    before = step.before
    if plan is None:
        if before.status != "active":
            return before
        configuration = configuration_of(step.chart, before.leaves)
        step.members = configuration.members
        plan = _selected(step, configuration)
    else:
        configuration = plan.to
    happened = eventless = False
    changed = True
    while True:
        if plan is not None:
            held = step.context_copy() if eventless and not plan.moves else None
            step.plans.append(plan)
            happened = happened or not plan.forbids
            if plan.operations:
                yield from perform(step, plan.operations)
            configuration = plan.to
            step.members = configuration.members
            step.history = plan.history
            if plan.completes:
                break
            changed = not eventless or plan.moves or held != step.context_now
            if len(step.plans) > MAX_MICROSTEPS:
                raise _runaway(step)
        if configuration.eventless and changed:
            chosen = choose_eventless(step, configuration.eventless)
            if chosen:
                plan, eventless = plan_for(configuration, chosen, step.history), True
                continue
        if not step.raised:
            break
        step.handle(*step.raised.popleft())
        changed, eventless = True, False
        plan = _selected(step, configuration)
        if plan is None and not step.type.startswith(INTERNAL):
            log.debug("the raised event %r was dropped: nothing takes it in %s", step.type, configuration.value)
    return _result(step, configuration) if happened else before


def _selected(step: OpenStep, configuration: Configuration) -> Plan | None:
    candidates = configuration.candidates(step.type)
    chosen = () if candidates is None else choose(step, candidates)
    return plan_for(configuration, chosen, step.history) if chosen else None


def restart(step: OpenStep, context: Any) -> Running[RunState]:
    """Start over: run the exits of what is active (unless the machine is done), then enter it anew with `context`.

    What exit actions do to the old context goes with it.
    """
    before, chart = step.before, step.chart
    if before.status == "active" and before.leaves:
        configuration = configuration_of(chart, before.leaves)
        step.members = configuration.members
        yield from perform(step, stop_operations(configuration))
    step.begin(blank(chart, context, before.seq), INIT)
    return (yield from macrostep(step, start_plan(chart)))


def perform(step: OpenStep, operations: tuple[Operation, ...]) -> Running[None]:
    """Carry out a plan's operations in order."""
    step.looking = False
    for operation in operations:
        if type(operation) is Call:
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
        elif type(operation) is RaiseDone:
            output = operation.output
            step.raise_event(operation.node.done_event, NOTHING if output is None else {"output": output})
        elif type(operation) is Arm:
            _arm(step, operation.delay)
        elif type(operation) is Disarm:
            step.timers = tuple(timer for timer in step.timers if timer.id != operation.event)
        elif type(operation) is Complete:
            step.output, step.completed = operation.output, True
    step.looking = True


def _arm(step: OpenStep, delay: Delay) -> None:
    wait = delay.ms
    if delay.call is not None:
        try:
            wait = milliseconds(delay.call.call(step, None))
        except Exception as error:
            raise _failed(step, delay.call, error) from error
        if wait is None:
            raise ActionFailed(
                f"the delay {delay.key!r} gave no number of milliseconds and no timedelta",
                name=delay.key,
                event=step.type,
            )
    wait = max(0.0, wait or 0.0)
    timer = Timer(delay.event, delay.event, step.now + wait, wait)
    step.timers = (*(other for other in step.timers if other.id != timer.id), timer)


def _result(step: OpenStep, configuration: Configuration) -> RunState:
    """The run state to commit."""
    before = step.before
    context = before.context
    if step.has_draft:
        try:
            context = step.chart.behaviour.context.check(step.context)
        except ContextError as error:
            ran = dict.fromkeys(op.name for plan in step.plans for op in plan.operations if type(op) is Call)
            names = ", ".join(repr(name) for name in ran)
            raise ActionFailed(
                f"{names} left a context that does not fit: {error} (event {step.first!r})",
                name=next(iter(ran), ""),
                event=step.first,
                state=_standing(step.chart, before.leaves),
            ) from error
    return RunState(
        configuration.leaves,
        context,
        step.history,
        step.timers,
        "done" if step.completed else "active",
        step.output,
        before.seq + step.counts,
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
    plans: list[Plan] = step.plans
    length = next((size for size in range(1, len(plans) // 2) if plans[-size:] == plans[-2 * size : -size]), len(plans))
    cycle = [_standing(step.chart, plan.to.leaves) for plan in plans[-length:]]
    arcs = ", ".join(dict.fromkeys(arc.where for plan in plans[-length:] for arc in plan.arcs))
    return RunawayError(
        f"the machine does not come to rest: after {MAX_MICROSTEPS} microsteps at event {step.first!r} it still goes "
        f"round {' -> '.join(repr(state) for state in [*cycle[:8], cycle[0]])} by {arcs}; "
        "give an arc on that way a guard that turns false, or raise the event elsewhere",
        cycle,
    )
