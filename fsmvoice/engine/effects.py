"""Running the effects of an actor in memory: after the commit that requested them, one at a time."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from fsmvoice.engine.drive import failure_of, is_being_cancelled, is_being_closed
from fsmvoice.engine.tasks import spawn
from fsmvoice.errors import message_of
from fsmvoice.model.chart import Chart
from fsmvoice.model.effect import CALL_KEY, ERROR, EffectCode, Wanted

log: logging.Logger = logging.getLogger("fsmvoice")


class EffectHost(Protocol):
    """The actor that requests effects."""

    chart: Chart
    machine: Any

    async def fire(self, event: str, payload: Mapping[str, Any]) -> Any: ...


class Effects:
    """A queue of effects, run in order. The failure of one is sent to the machine as `error.effect.<name>`."""

    __slots__ = ("_host", "_task", "_wanted")

    def __init__(self, host: EffectHost) -> None:
        self._host = host
        self._wanted: deque[Wanted] = deque()
        self._task: asyncio.Task[None] | None = None

    def run(self, wanted: Sequence[Wanted]) -> None:
        """Append effects to the queue. Must be called on a running event loop."""
        self._wanted.extend(wanted)
        if self._task is None:
            self._task = spawn(asyncio.get_running_loop(), self._all())

    async def settled(self) -> None:
        """Wait until all have run."""
        if self._task is not None and self._task is not asyncio.current_task():
            await asyncio.wait((self._task,))

    def close(self) -> None:
        """Cancel the running effect and drop the rest."""
        self._wanted.clear()
        if self._task is not None:
            self._task.cancel()

    async def _all(self) -> None:
        chart = self._host.chart
        try:
            while self._wanted:
                wanted = self._wanted.popleft()
                CALL_KEY.set(secrets.token_hex(16))
                failure = await run_effect(chart, self._host.machine, wanted)
                if failure is not None:
                    log.error("the effect %r of %s failed", wanted.name, chart.name, exc_info=failure)
                    error = message_of(failure) or type(failure).__name__
                    await self._host.fire(ERROR + wanted.name, failure_payload(chart, wanted.name, error))
        finally:
            self._task = None


async def run_effect(chart: Chart, machine: Any, wanted: Wanted) -> Exception | None:
    """Run one effect. Returns its exception, None if it succeeded.

    A BaseException of its code is converted, since some would stop the event loop. A cancellation from outside and
    KeyboardInterrupt propagate.
    """
    task = asyncio.current_task()
    code = chart.behaviour.effects[wanted.name]
    try:
        if isinstance(code, EffectCode):
            await code.run(machine, wanted.arguments)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if isinstance(error, asyncio.CancelledError) and is_being_cancelled():
            raise
        if isinstance(error, GeneratorExit) and is_being_closed(task):
            raise
        return failure_of(error)
    return None


def failure_payload(chart: Chart, name: str, error: str) -> Mapping[str, Any]:
    """The payload of a failed effect's event: `effect` and `error`, as far as the event declares them."""
    told = {"effect": name, "error": error}
    payload = chart.payloads.get(ERROR + name)
    return told if payload is None else {key: value for key, value in told.items() if key in payload.parameters}
