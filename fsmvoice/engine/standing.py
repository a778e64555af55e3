"""An actor for one call on a run that is kept elsewhere."""

from __future__ import annotations

from typing import Any

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.clock import Clock
from fsmvoice.engine.services import running_loop
from fsmvoice.engine.snapshot import C
from fsmvoice.engine.stepper import SYSTEM_CLOCK
from fsmvoice.model.chart import Chart
from fsmvoice.model.run_state import RunState


class Standing(FsmActor[C]):
    """An `FsmActor` that stands at a run state. Nothing starts, and its timers don't fire by themselves.

    It is made in few steps, as one is made for each call on a session.
    """

    __slots__ = ()

    def __init__(self, chart: Chart, run_state: RunState, *, clock: Clock | None = None, machine: Any = None) -> None:
        self.chart, self.run_state, self.machine = chart, run_state, machine
        self.clock = SYSTEM_CLOCK if clock is None else clock
        self._live = self._busy = False
        self._context = self._step = self._alarm = self._services = self._turns = None
        self._loop = running_loop()
