"""`Running`: the part of a machine that declarations use. Users subclass `VoiceMachine`, which derives from it."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Generic, Self

from typing_extensions import ParamSpec, TypeVar

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import Clock
from fsmvoice.engine.open_step import OPEN, OpenStep
from fsmvoice.errors import DefinitionError, Problem, ReentrancyError, Suspended
from fsmvoice.machine.body import kind_of
from fsmvoice.machine.detached import DETACHED
from fsmvoice.machine.suspending import suspended_start
from fsmvoice.model.chart import Chart
from fsmvoice.model.run_state import RunState

C = TypeVar("C", default=Any)
P = ParamSpec("P")
M = TypeVar("M", bound="Running[Any]")


class Run(Generic[C]):
    """The state of an instance, kept in a single attribute of it.

    Attributes:
        stand: the run state to continue from when the actor is made; None to start anew.
        context: the start context; None for a new one.
        clock: the time source of timers; None for the system clock.
        live: whether timers fire by themselves.
    """

    __slots__ = ("actor", "clock", "context", "live", "stand", "starting")

    starting: bool
    live: bool

    def __init__(self) -> None:
        self.actor: FsmActor[C] | None = None
        self.stand: RunState | None = None
        self.context: C | None = None
        self.clock: Clock | None = None
        self.starting = False
        self.live = True


class Running(Generic[C]):
    """A machine with a context, and an actor that handles its events."""

    __fsmvoice_run__: Run[C]

    def __new__(cls, *_: Any, **__: Any) -> Self:
        machine = super().__new__(cls)
        object.__setattr__(machine, "__fsmvoice_run__", Run())
        return machine

    if not TYPE_CHECKING:  # checkers would take any name for an attribute

        def __setattr__(self, name: str, value: Any) -> None:
            if name != "context" and (step := open_step_of(self)) is not None and step.looking:
                raise AttributeError(f"a guard of {type(self).__name__} sets {name!r}; it only looks, so use an action")
            declared = kind_of(getattr(type(self), name, None))
            if declared:
                raise AttributeError(f"{name!r} is {declared} of {type(self).__name__}; name the attribute otherwise")
            super().__setattr__(name, value)

    def __fsmvoice_chart__(self) -> Chart:
        """The chart to run."""
        raise TypeError(f"{type(self).__name__} does not implement __fsmvoice_chart__")

    @property
    def context(self) -> C:
        """The fields the machine remembers: inside a step the draft that step works on, else what was committed.

        An action changes its fields, or assigns a new context. Outside a step it is for reading: what is changed there
        is changed without an event, unchecked, and no store keeps it. Services and effects read a copy.
        """
        step = OPEN.get()
        context: C
        if step is not None and step.machine is self and step.open:
            context = step.draft
            if context is None:  # `step.context` inlined, because every event passes here
                looking = step.looking
                if looking:
                    context = step.base if looking is True else looking.context
                else:
                    context = step.draft = step.chart.copy_context(step.base)
        else:
            actor = actor_of(self)
            run = DETACHED.get()
            context = actor.run_state.context
            if run is not None and run.machine is self:
                context = run.context(actor.chart, context)
        return context

    @context.setter
    def context(self, context: C) -> None:
        step = open_step_of(self)
        if step is None or step.looking:
            raise AttributeError(f"the context of {type(self).__name__} changes only in an action, while its step runs")
        if context is None:
            raise TypeError(f"the context of {type(self).__name__} can't be None; assign a whole new one")
        step.draft = context


def open_step_of(machine: Running[Any]) -> OpenStep | None:
    """The open step of `machine` that the running code is part of, if any."""
    step = OPEN.get()
    return step if step is not None and step.open and step.machine is machine else None


def actor_of(machine: Running[C]) -> FsmActor[C]:
    """The actor of `machine`, which is started if necessary."""
    run = machine.__fsmvoice_run__
    if run.actor is None:
        with _Starting(machine):
            chart = machine.__fsmvoice_chart__()
            try:
                run.actor = FsmActor(
                    chart, run_state=run.stand, context=run.context, clock=run.clock, machine=machine, live=run.live
                )
            except Suspended as error:
                raise suspended_start(error, type(machine)) from None
    return run.actor


async def start(machine: Running[C]) -> None:
    """Start a machine whose initial step may wait."""
    run = machine.__fsmvoice_run__
    with _Starting(machine):
        run.actor = await FsmActor.started(
            machine.__fsmvoice_chart__(), context=run.context, clock=run.clock, machine=machine
        )


def placed(kind: type[M], run_state: RunState, *, clock: Clock | None = None) -> M:
    """An instance of a machine class that stands at `run_state`. The user's `__init__` runs; nothing starts.

    Args:
        clock: what timers go by, whatever `__init__` says.

    Raises:
        DefinitionError: if `__init__` can't be called without arguments.
    """
    machine = kind.__new__(kind)
    machine.__fsmvoice_run__.stand = run_state
    try:
        kind.__init__(machine)
    except TypeError:
        _check_init(kind)
        raise
    if clock is not None:
        run = machine.__fsmvoice_run__
        run.clock = clock
        if run.actor is not None:  # `__init__` has asked where it stands
            run.actor.close()
            run.actor = None
    return machine


class Placed(FsmActor[C]):
    """The actor of an instance that is made for one call."""

    __slots__ = ()

    def close(self) -> None:
        """Like `FsmActor.close`, and break the reference cycle, so that the instance is freed when the call ends.

        Code that outlives the call can still read its machine, which keeps the run state of that time.
        """
        super().close()
        run: Run[C] = self.machine.__fsmvoice_run__
        run.stand, run.actor, run.live = self.run_state, None, False


def standing(kind: type[Running[Any]], run_state: RunState) -> FsmActor[Any]:
    """The actor of a new instance in `run_state`, for one call. Its `__init__` is called, but no step is run.

    Raises:
        DefinitionError: if `__init__` can't be called without arguments.
    """
    machine = placed(kind, run_state)
    run = machine.__fsmvoice_run__
    chart = machine.__fsmvoice_chart__()
    if run.actor is not None:  # its `__init__` has read its state
        run.actor.close()
    run.actor = Placed(chart, run_state=run_state, clock=run.clock, machine=machine, live=False)
    return run.actor


def _check_init(kind: type[Any]) -> None:
    """Raise DefinitionError if `__init__` has required parameters. Slow, so it is called only after a TypeError."""
    try:
        inspect.signature(kind.__init__).bind(None)
    except TypeError as error:
        hint = "give its parameters defaults: a new instance is made for each call on a stored machine"
        raise DefinitionError(kind.__name__, [Problem("__init__", str(error), hint)]) from None


class _Starting:
    """Marks a machine as starting: its hooks run before it has an actor."""

    def __init__(self, machine: Running[Any]) -> None:
        self._machine = machine

    def __enter__(self) -> None:
        run = self._machine.__fsmvoice_run__
        if run.starting:
            name = type(self._machine).__name__
            raise ReentrancyError(f"{name} is still starting: only self.context and .queue() work in its hooks now")
        run.starting = True

    def __exit__(self, *_: object) -> None:
        self._machine.__fsmvoice_run__.starting = False
