"""The kernel: the only implementation of statechart semantics.

It is a generator that yields the coroutines of user code and is sent their results, so the same code runs
synchronously, under asyncio and in a replay. Microsteps without a coroutine are taken in a plain loop. The kernel
changes nothing but its `OpenStep`.
"""

from __future__ import annotations

import logging
from asyncio import CancelledError
from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from fsmvoice.engine.clock import SimulatedClock
from fsmvoice.engine.configuration import (
    Arm,
    Disarm,
    Halt,
    Launch,
    Operation,
    Plan,
    RaiseDone,
    configuration_of,
)
from fsmvoice.engine.drive import Running
from fsmvoice.engine.open_step import NOTHING, Nobody, OpenStep
from fsmvoice.engine.plan import plan_for, start_plan
from fsmvoice.engine.select import LEAVING, PASSING, choose, choose_eventless
from fsmvoice.errors import ActionFailed, RunawayError, message_of
from fsmvoice.model.behaviour import refuse_result
from fsmvoice.model.chart import Chart, milliseconds
from fsmvoice.model.copying import IMMUTABLE
from fsmvoice.model.nodes import INTERNAL, Call, Delay
from fsmvoice.model.run_state import RunState, Service, Timer

MAX_MICROSTEPS = 1000

log: logging.Logger = logging.getLogger("fsmvoice")

_new: Callable[[type[RunState], tuple[Any, ...]], RunState] = cast("Any", tuple).__new__
"""`RunState(...)` in half the time; one is created for every event."""

INIT = "xstate.init"
STOP = "xstate.stop"


@dataclass(frozen=True, slots=True)
class ArmTimer:
    """Effect: start `timer`."""

    timer: Timer


@dataclass(frozen=True, slots=True)
class CancelTimer:
    """Effect: cancel `timer`."""

    timer: Timer


@dataclass(frozen=True, slots=True)
class StartService:
    """Effect: start `service`."""

    service: Service


@dataclass(frozen=True, slots=True)
class StopService:
    """Effect: cancel `service`, and drop a result that still arrives."""

    service: Service


Effect = ArmTimer | CancelTimer | StartService | StopService


def step(
    chart: Chart, state: RunState, event: Mapping[str, Any] | str, *, now: float = 0.0
) -> Generator[Awaitable[Any], Any, tuple[RunState, tuple[Effect, ...]]]:
    """The next run state after `event`, and the effects to carry out once it is committed.

    Pure except for user code. Run it with `drive_sync` or `drive_async`.
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
    """A run state before the initial states are entered."""
    return RunState((), chart.start_context() if context is None else context, seq=seq)


def effects_between(before: RunState, after: RunState) -> tuple[Effect, ...]:
    """The effects that lead from the timers and services of `before` to those of `after`."""
    effects: list[Effect] = []
    if before.timers != after.timers:
        effects += [CancelTimer(timer) for timer in before.timers if timer not in after.timers]
        effects += [ArmTimer(timer) for timer in after.timers if timer not in before.timers]
    if before.services != after.services:
        effects += [StopService(service) for service in before.services if service not in after.services]
        effects += [StartService(service) for service in after.services if service not in before.services]
    return tuple(effects)


def macrostep(step: OpenStep, plan: Plan | None = None) -> Running[None]:
    """Handle the step's event and everything that follows from it. The result is in `step.after`.

    The order is XState's: the event, then `always` arcs as long as they change something, then raised events, oldest
    first, each followed by its `always` arcs.

    Args:
        plan: the first microstep, instead of selecting arcs for the event.

    Raises:
        ActionFailed: an action or a guard raised.
        RunawayError: the macrostep does not terminate.
    """
    waiting = take(step, plan, select=plan is None)
    if waiting is not None:
        yield from rest(step, waiting)


def take(step: OpenStep, plan: Plan | None, *, select: bool) -> Plan | None:  # noqa: PLR0915 - the hot path; each call would cost as much as ten lines
    """Take microsteps until the macrostep is complete, or until one needs a coroutine; that one is returned.

    On completion `step.after` is the resulting state, which is `before` itself if nothing happened. Every event passes
    through here, so this is one function without inner calls; `rest` is the same loop written plainly.

    Args:
        plan: the first microstep; None if there is none left.
        select: select the first microstep for the step's event, and ignore `plan`.
    """
    before, chart = step.before, step.chart
    leaves, base, history, timers, status, output, seq, services = before  # unpacking is faster than eight attributes
    if select:
        configuration = step.configuration = chart.cache.get(leaves) or configuration_of(chart, leaves)
        step.history = history
        if status == "active":
            chosen = choose(step, configuration.known.get(step.type) or configuration.candidates(step.type))
            if chosen:
                plan = (configuration.plans.get(chosen) if not history else None) or plan_for(
                    configuration, chosen, history
                )
            elif configuration.eventless:
                plan = _next(step, restless=True)
    copy, merge = chart.copy_context, chart.merge_context
    while plan is not None:
        if plan.waits:
            return plan
        step.looking = False
        for operation in plan.operations:
            if type(operation) is not Call:
                _carry_out(step, operation)
                continue
            try:
                on_context = operation.on_context
                if on_context is None:
                    on_machine = operation.on_machine
                    if on_machine is None:
                        call = operation.call
                        result = call(step, operation.params)
                    else:
                        result = on_machine(step.machine)
                        if result is not None:
                            refuse_result(result)
                else:
                    draft = step.draft
                    if draft is None:
                        draft = step.draft = copy(base)
                    result = on_context(draft)
                if result is not None:
                    draft = step.draft
                    if draft.__class__ is dict and result.__class__ is dict:
                        step.draft = draft | result
                    else:
                        step.draft = merge(step.context if draft is None else draft, result)
            except PASSING:
                raise
            except BaseException as error:
                raise _failed(step, operation, error) from error
        plans = step.plans
        step.plans = (*plans, plan) if plans else (plan,)
        if plan.completes or (step.raised is None and not plan.to.eventless):
            break
        plan = _follow(step, plan)
    plans = step.plans
    if not plans or (plans[-1].inert and all(plan.inert for plan in plans)):
        step.after = before
        return None
    draft, last = step.draft, plans[-1]
    context = base
    if draft is not None:
        context = draft
        if draft.__class__ is not chart.unchecked:
            context = _checked(step, draft)
        else:
            for value in draft.values():
                if value.__class__ not in IMMUTABLE:
                    context = _checked(step, draft)
                    break
    if step.timers is not None:
        timers = step.timers
    if step.services is not None:
        services = step.services
    if leaves:
        seq += 1
    status, output = ("done", chart.config.output) if last.completes else ("active", None)
    step.after = _new(RunState, (last.to.leaves, context, last.history, timers, status, output, seq, services))
    return None


def rest(step: OpenStep, plan: Plan | None) -> Running[None]:
    """The remainder of a macrostep, from a microstep that needs a coroutine."""
    gate = step.owner.gate
    if gate is not None and plan is not None:
        yield gate()
    while plan is not None:
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
            except PASSING:
                raise
            except BaseException as error:
                if isinstance(error, CancelledError) and operation.is_async:
                    raise  # the driver passes on only a cancellation of the whole call
                raise _failed(step, operation, error) from error
        step.plans += (plan,)
        done = plan.completes or (step.raised is None and not plan.to.eventless)
        plan = take(step, None if done else _follow(step, plan), select=False)


def _follow(step: OpenStep, done: Plan) -> Plan | None:
    """The microstep after `done`, or None if the macrostep is complete."""
    step.looking = True
    step.configuration = done.to
    step.history = done.history
    if len(step.plans) > MAX_MICROSTEPS:
        raise _runaway(step)
    return _next(step, restless=not step.eventless or done.moves or step.differs(step.held))


def _next(step: OpenStep, *, restless: bool) -> Plan | None:
    """The next `always` arcs, unless the last ones changed nothing (XState's rule); else those of a raised event."""
    while True:
        eventless = step.configuration.eventless
        if eventless and restless:
            chosen = choose_eventless(step, eventless)
            if chosen:
                plan = plan_for(step.configuration, chosen, step.history)
                step.eventless = True
                step.held = None if plan.moves else step.copy_of_context()
                return plan
        if not step.raised:
            return None
        step.handle(*step.raised.popleft())
        step.eventless, restless = False, True
        chosen = choose(step, step.configuration.candidates(step.type))
        if chosen:
            return plan_for(step.configuration, chosen, step.history)
        if not step.type.startswith(INTERNAL):
            log.debug("the raised event %r was dropped: nothing takes it in %s", step.type, step.configuration.value)


def _carry_out(step: OpenStep, operation: Operation) -> None:
    """Carry out an operation other than a call of user code."""
    if isinstance(operation, RaiseDone):
        output = operation.output
        step.raise_event(operation.node.done_event, NOTHING if output is None else {"output": output})
    elif isinstance(operation, Disarm):
        step.change_timers(stop=operation.event)
    elif isinstance(operation, Arm):
        wait = _wait(step, operation.delay)
        event = operation.delay.event
        step.change_timers(stop=event, start=Timer(event, event, step.owner.clock.now() + wait, wait))
    elif isinstance(operation, Launch):
        step.change_services(stop=operation.invocation.id, start=True)
    elif isinstance(operation, Halt):
        step.change_services(stop=operation.id)


def _wait(step: OpenStep, delay: Delay) -> float:
    """The duration of a timer, in milliseconds."""
    wait = delay.ms
    if delay.call is not None:
        try:
            wait = milliseconds(delay.call.call(step, None))
        except LEAVING:
            raise
        except BaseException as error:
            raise _failed(step, delay.call, error) from error
    if wait is None:
        raise ActionFailed(
            f"the delay {delay.key!r} returned neither a number of milliseconds nor a timedelta",
            name=delay.key,
            event=step.type,
        )
    return max(0.0, wait)


def _checked(step: OpenStep, draft: Any) -> Any:
    try:
        return step.chart.check_context(draft)
    except LEAVING:
        raise
    except BaseException as error:  # a validator of the user's may raise anything
        raise _misfit(step, error) from error


def _misfit(step: OpenStep, error: BaseException) -> ActionFailed:
    ran = dict.fromkeys(op.name for plan in step.plans for op in plan.operations if isinstance(op, Call))
    names = ", ".join(repr(name) for name in ran)
    return ActionFailed(
        f"{names} left an invalid context at event {step.first!r}: {message_of(error)}",
        name=next(iter(ran), ""),
        event=step.first,
        state=_standing(step.chart, step.before.leaves),
    )


def _standing(chart: Chart, leaves: tuple[int, ...]) -> str:
    return ", ".join(chart.nodes[leaf].path for leaf in leaves)


def _failed(step: OpenStep, call: Call, error: BaseException) -> ActionFailed:
    state = _standing(step.chart, step.before.leaves)
    where = f"in state {state!r}" if state else "while the machine started"
    return ActionFailed(
        f"{call.name!r} raised {type(error).__name__} at event {step.type!r} {where}: {message_of(error)}",
        name=call.name,
        event=step.type,
        state=state,
    )


def _runaway(step: OpenStep) -> RunawayError:
    """The error, which names the shortest cycle that the last microsteps repeat."""
    plans = step.plans
    length = next((size for size in range(1, len(plans) // 2) if plans[-size:] == plans[-2 * size : -size]), len(plans))
    cycle = [_standing(step.chart, plan.to.leaves) for plan in plans[-length:]]
    arcs = ", ".join(dict.fromkeys(arc.where for plan in plans[-length:] for arc in plan.arcs))
    return RunawayError(
        f"the machine does not come to rest: after {MAX_MICROSTEPS} microsteps at event {step.first!r} it still cycles "
        f"through {' -> '.join(repr(state) for state in [*cycle[:8], cycle[0]])} by {arcs}; "
        "give a transition in that cycle a guard that becomes false, or raise the event elsewhere",
        cycle,
    )
