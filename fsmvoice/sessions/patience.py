"""A time limit for work that rarely waits."""

from __future__ import annotations

import asyncio
import types
from collections.abc import Coroutine, Generator
from typing import Any, TypeVar

T = TypeVar("T")


class Patience:
    """A time limit in seconds, counted from when the work first has to wait. Most step code never waits.

    Until then no clock is read: even asking for the running event loop is a system call.
    """

    __slots__ = ("_limit", "_seconds", "_until")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until: float | None = None
        self._limit: asyncio.Timeout | None = None

    @property
    def expired(self) -> bool:
        """Whether the limit was exceeded, even if the work ignored its cancellation."""
        return self._limit is not None and self._limit.expired()

    async def over(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`.

        Raises:
            TimeoutError: if it exceeds the limit.
        """
        try:
            waiting = work.send(None)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]  # what the coroutine returned
        if self._until is None:
            self._until = asyncio.get_running_loop().time() + self._seconds
        async with asyncio.timeout_at(self._until) as self._limit:
            return await _rest(work, waiting)


@types.coroutine
def _rest(work: Coroutine[Any, Any, T], waiting: Any) -> Generator[Any, Any, T]:
    """Continue a coroutine that is waiting for `waiting`."""
    try:
        while True:
            try:
                told = yield waiting
            except BaseException as error:  # noqa: BLE001, RUF100 - passed on to the coroutine
                waiting = work.throw(error)
            else:
                waiting = work.send(told)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]  # what the coroutine returned
