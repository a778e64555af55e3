"""Two ways to run the kernel: by hand until something has to wait, and on an event loop."""

from __future__ import annotations

import asyncio
from asyncio import CancelledError
from collections.abc import Awaitable, Generator
from typing import Any, TypeVar, cast

from fsmvoice.errors import Refuse, Suspended

T = TypeVar("T")
Running = Generator[Awaitable[Any], Any, T]
"""A run of the kernel: it yields each coroutine of step code and is sent what that returned."""


def drive_sync(running: Running[T]) -> T:
    """Run to the end. A coroutine is run by hand; it may finish, but not wait.

    Raises:
        Suspended: if one has to wait. Nothing was committed.
    """
    try:
        waiting = running.send(None)
        while True:
            try:
                result = _by_hand(waiting)
            except _MustWait:
                running.close()
                name = str(getattr(waiting, "__name__", ""))
                told = f"{name!r} has to wait" if name else "something has to wait"
                hint = "use the async call instead, such as `await actor.send(...)`"
                raise Suspended(f"{told} for what is not ready yet; {hint}", name=name) from None
            except CancelledError as error:
                waiting = running.throw(failure_of(error))
            except BaseException as error:  # noqa: BLE001, RUF100 - thrown into the kernel, where the code was called
                waiting = running.throw(error)
            else:
                waiting = running.send(result)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]  # what the generator returned


class _MustWait(BaseException):
    """A coroutine that is run by hand has to wait. No step code can raise it: a `Suspended` of its own is a failure."""


def _by_hand(waiting: Awaitable[Any]) -> Any:
    iterator = waiting.__await__()
    try:
        next(iterator)
    except StopIteration as stop:
        return stop.value
    except RuntimeError as error:
        if _wants_a_loop(error):
            raise _MustWait from None
        raise
    close = getattr(iterator, "close", None)
    if close is not None:
        close()
    raise _MustWait


def _wants_a_loop(error: RuntimeError) -> bool:
    """Whether it is asyncio's own complaint that nothing can wait here: a sleep, a lock, a client of the network."""
    return str(error) == "no running event loop"


async def drive_async(running: Running[T]) -> T:
    """As `drive_sync`, but awaiting. Cancelling it leaves everything as it was."""
    try:
        waiting = running.send(None)
        while True:
            try:
                result = await waiting
            except CancelledError as error:
                waiting = running.throw(error if is_being_cancelled() else failure_of(error))
            except ExceptionGroup as error:
                waiting = running.throw(_refusal_of(error))
            except BaseException as error:  # noqa: BLE001, RUF100 - thrown into the kernel, where the code was called
                waiting = running.throw(error)
            else:
                waiting = running.send(result)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]  # what the generator returned


def _refusal_of(group: ExceptionGroup[Exception]) -> Exception:
    """What tasks of step code raised together: a refusal, if they all refused, is one."""
    if group.split(Refuse)[1] is not None:
        return group
    first: Any = group
    while hasattr(first, "exceptions"):
        first = first.exceptions[0]
    return cast("Refuse", first)


def is_being_cancelled() -> bool:
    """Whether somebody cancels this task, and not only something that it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def failure_of(error: BaseException) -> Exception:
    """What somebody's code raised, as a failure like another, whatever it means elsewhere.

    A cancellation that only something met which it waited for is one too.
    """
    if isinstance(error, Exception):
        return error
    what = f"it raised {type(error).__name__}: {error}".rstrip(": ")
    told = RuntimeError("something that it waited for was cancelled" if isinstance(error, CancelledError) else what)
    told.__cause__ = error
    return told
