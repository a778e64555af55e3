"""An event loop whose time passes only when nothing is left to do, and whose processes can stop at any await."""

from __future__ import annotations

import asyncio
import heapq
import random
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar
from typing import Any

PROCESS: ContextVar[str] = ContextVar("process", default="")
"""The simulated process that runs now; "" for the world around them."""


class SimulatedLoop(asyncio.BaseEventLoop):
    """Runs everything in one thread, in an order that its seed decides.

    What belongs to one process runs in the order asyncio promises; which process is next is chance.

    Attributes:
        before: is told before each step whose it is; it may stop the process.
    """

    _ready: Any
    _scheduled: Any

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self._chance, self._now = chance, 0.0
        self._held: dict[str, list[asyncio.Handle]] = {}
        self._made: list[asyncio.Task[Any]] = []
        self.before: Callable[[str], None] | None = None
        self.set_task_factory(self._task)  # type: ignore[arg-type]  # typeshed has no `context` there

    def time(self) -> float:
        """Seconds since the beginning."""
        return self._now

    def hold(self, process: str) -> None:
        """Stop the process where it is: nothing of it runs any more."""
        self._held.setdefault(process, [])

    def let_go(self, process: str) -> None:
        """Let it go on, as if no time had passed."""
        self._ready.extend(self._held.pop(process, ()))

    def holds(self, process: str) -> bool:
        return process in self._held

    def clear(self) -> None:
        """Cancel all that is left, of stopped processes too, so that nothing of it is left to the garbage."""
        self.before = None
        for process in tuple(self._held):
            self.let_go(process)
        for _ in range(50):
            left = [task for task in self._made if not task.done()]
            if not left:
                return
            for task in left:
                task.cancel()
            self.run_until_complete(_later())

    def _task(
        self,
        loop: asyncio.AbstractEventLoop,
        work: Coroutine[Any, Any, Any],
        *,
        context: Context | None = None,
        **more: Any,
    ) -> asyncio.Task[Any]:
        if context is not None and PROCESS not in context:
            context.run(PROCESS.set, PROCESS.get())
        task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, context=context, **more)
        self._made.append(task)
        return task

    def _run_once(self) -> None:
        """Do what is ready, each once; if nothing is, it is the time of the next alarm."""
        ready, scheduled = self._ready, self._scheduled
        while scheduled and scheduled[0].cancelled():
            heapq.heappop(scheduled)
        if not ready:
            if not scheduled:
                raise RuntimeError("nothing will ever happen again")
            self._now = max(self._now, scheduled[0].when())
        while scheduled and scheduled[0].when() <= self._now:
            ready.append(heapq.heappop(scheduled))
        batch = [(_process_of(handle), handle) for handle in ready if not handle.cancelled()]
        ready.clear()
        if any(process != batch[0][0] for process, _ in batch):
            order = {process: self._chance.random() for process in sorted({process for process, _ in batch})}
            batch.sort(key=lambda item: order[item[0]])
        for process, handle in batch:
            if self.before is not None and process and process not in self._held:
                self.before(process)
            if process in self._held:
                self._held[process].append(handle)
            elif not handle.cancelled():
                handle._run()

    def _write_to_self(self) -> None:
        """Nobody sleeps who would have to be woken."""

    def _process_events(self, event_list: Any) -> None:
        """There are no files to wait for."""


def _process_of(handle: Any) -> str:
    found: str = handle._context.get(PROCESS, "")
    return found


async def _later() -> None:
    for _ in range(5):
        await asyncio.sleep(0)
