"""Running the kernel's generator: synchronously, until something has to wait, or on an event loop."""

from __future__ import annotations

import asyncio
from asyncio import CancelledError
from collections.abc import Awaitable, Generator
from typing import Any, TypeVar, cast

from fsmvoice.errors import Refuse, Suspended

T = TypeVar("T")
Running = Generator[Awaitable[Any], Any, T]
"""A run of the kernel: it yields each awaitable of user code, and is sent its result."""


def drive_sync(running: Running[T]) -> T:
    """Run to the end. Coroutines may finish, but not wait.

    Raises:
        Suspended: if a coroutine has to wait; nothing was committed.
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
    """A coroutine has to wait. Private, so that user code can't raise it: its own `Suspended` is a failure."""


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
    """Whether asyncio raised it because a sleep, a lock or a network client needs a running loop."""
    return str(error) == "no running event loop"


async def drive_async(running: Running[T]) -> T:
    """Like `drive_sync`, but coroutines may wait. If it is cancelled, nothing is committed."""
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
    """The first refusal in a group that holds nothing else; otherwise the group."""
    if group.split(Refuse)[1] is not None:
        return group
    first: Any = group
    while hasattr(first, "exceptions"):
        first = first.exceptions[0]
    return cast("Refuse", first)


def is_being_cancelled() -> bool:
    """Whether this task itself is being cancelled, not just something that it awaits."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def failure_of(error: BaseException) -> Exception:
    """`error` as an ordinary `Exception`.

    SystemExit, KeyboardInterrupt and a cancellation of something that the code awaited become RuntimeErrors.
    """
    if isinstance(error, Exception):
        return error
    what = f"it raised {type(error).__name__}: {error}".rstrip(": ")
    told = RuntimeError("something that it waited for was cancelled" if isinstance(error, CancelledError) else what)
    told.__cause__ = error
    return told


def is_being_closed(task: asyncio.Task[Any] | None) -> bool:
    """Whether a GeneratorExit in `task` means that its coroutine is closed; otherwise code of its own raised it."""
    try:
        return asyncio.current_task() is not task
    except RuntimeError:  # no event loop runs
        return True
