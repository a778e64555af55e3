"""How long work may take, for work that seldom waits at all."""

from __future__ import annotations

import asyncio
import types
from collections.abc import Coroutine, Generator
from typing import Any, TypeVar

T = TypeVar("T")


class Patience:
    """Some seconds, from now on. A timer is set only once the work has to wait: most step code never does."""

    __slots__ = ("_limit", "_until")

    def __init__(self, seconds: float) -> None:
        self._until = asyncio.get_running_loop().time() + seconds
        self._limit: asyncio.Timeout | None = None

    @property
    def expired(self) -> bool:
        """Whether work was cut short, even if it did not heed that."""
        return self._limit is not None and self._limit.expired()

    async def over(self, work: Coroutine[Any, Any, T]) -> T:
        """What `work` returns.

        Raises:
            TimeoutError: if it waits for too long.
        """
        try:
            waiting = work.send(None)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]  # what the coroutine returned
        async with asyncio.timeout_at(self._until) as self._limit:
            return await _rest(work, waiting)


@types.coroutine
def _rest(work: Coroutine[Any, Any, T], waiting: Any) -> Generator[Any, Any, T]:
    """Go on with a coroutine that waits for `waiting`."""
    try:
        while True:
            try:
                told = yield waiting
            except BaseException as error:  # noqa: BLE001, RUF100 - thrown into the work, which is what waits
                waiting = work.throw(error)
            else:
                waiting = work.send(told)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]  # what the coroutine returned
