"""An event loop whose time passes when nothing is left to do, but for what the real world still owes."""

from __future__ import annotations

import asyncio
import selectors
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from contextvars import Context
from typing import Any, TypeVar

from fsmvoice.sessions import clock
from tests.sessions.postgres_database import Watch

T = TypeVar("T")

EPOCH = 1_800_000_000_000.0
"""When it begins, in milliseconds since 1970."""


class ModelLoop(asyncio.SelectorEventLoop):
    """Real files, sockets and threads, and a time that only alarms move: the stores' and the processes' clock is this.

    Args:
        together: whether several things may be asked of the real world at a time, and are heard of whenever they are
            done. Which comes first is chance then. Else they are done in the order they were asked for, and heard of
            when nothing else is left to do: a run is the same each time.

    Attributes:
        watch: tells what `now` does to those who can't call it.
    """

    def __init__(self, *, together: bool = False) -> None:
        self._now, self._owed, self.together = 0.0, 0, together
        self._turn = asyncio.Lock()
        self._heard: deque[tuple[Callable[..., Any], tuple[Any, ...], Context | None]] = deque()
        self.watch: Watch | None = None
        super().__init__(_Selector(self))

    def time(self) -> float:
        """Seconds since the beginning."""
        return self._now

    def now(self) -> float:
        """The same as a `Clock` tells it."""
        return EPOCH + self._now * 1000

    def jump(self, seconds: float) -> None:
        """Let time pass while nobody looks."""
        self._now += seconds
        if self.watch is not None:
            self.watch.show(self.now())

    async def outside(self, work: Coroutine[Any, Any, T]) -> T:
        """What `work` gives, which waits for the real world. No time passes here meanwhile."""
        if self.together:
            return await self._owing(work)
        # Whoever is cancelled leaves it to itself: how far it had come would be chance.
        return await asyncio.shield(self.create_task(self._alone(work)))

    def idle(self, seconds: float | None) -> bool:
        """Nothing is left to do until the next alarm; whether to look for what is to be done then."""
        if self._heard:
            while self._heard:
                callback, arguments, context = self._heard.popleft()
                self.call_soon(callback, *arguments, context=context)
            return True
        if self._owed:
            return False
        if seconds is None:
            raise RuntimeError("nothing will ever happen again")
        self.jump(seconds)
        return True

    def call_soon_threadsafe(  # type: ignore[override]  # typeshed's has a TypeVarTuple that it does not export
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        if self.together:
            return super().call_soon_threadsafe(callback, *args, context=context)
        self._heard.append((callback, args, context))
        return super().call_soon_threadsafe(_wake)

    def close(self) -> None:
        super().close()
        if self.watch is not None:
            self.watch.close()

    async def _alone(self, work: Coroutine[Any, Any, T]) -> T:
        async with self._turn:
            return await self._owing(work)

    async def _owing(self, work: Coroutine[Any, Any, T]) -> T:
        self._owed += 1
        try:
            return await work
        finally:
            self._owed -= 1


class _Selector(selectors.DefaultSelector):
    def __init__(self, loop: ModelLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout > 0:
            return super().select(0 if self._loop.idle(timeout) else timeout)
        return super().select(0) if self._loop.together else []


def _wake() -> None:
    """Nothing but an end to waiting."""


@contextmanager
def turns_take_its_time() -> Generator[None]:
    """The time in a turn is its loop's too."""
    module: Any = clock
    kept, module.time = module.time, _Times
    try:
        yield
    finally:
        module.time = kept


class _Times:
    @staticmethod
    def monotonic() -> float:
        return asyncio.get_running_loop().time()
