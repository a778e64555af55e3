"""The running services of an actor: started after a commit, cancelled when their state is exited."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, NamedTuple, Protocol, cast

from fsmvoice.engine.configuration import configuration_of
from fsmvoice.engine.drive import failure_of, is_being_cancelled, is_being_closed
from fsmvoice.engine.named import named
from fsmvoice.engine.open_step import NOTHING
from fsmvoice.engine.tasks import spawn
from fsmvoice.errors import RunawayError, ServiceFailed
from fsmvoice.model.chart import Chart
from fsmvoice.model.effect import CALL_KEY
from fsmvoice.model.nodes import Invocation
from fsmvoice.model.run_state import RunState, Service
from fsmvoice.model.service import ServiceCall, ServiceCode

log: logging.Logger = logging.getLogger("fsmvoice")


MOST_LETTERS = 500
"""At most this many events of one machine's services wait to be handled; fewer than are handled in one go."""


class Letter(NamedTuple):
    """An event from a service. `ends` is true for its result or failure, and false for what it sends while it runs."""

    event: str
    payload: Mapping[str, Any]
    service: Service
    ends: bool = True


class Host(Protocol):
    """The actor that services belong to."""

    chart: Chart
    machine: Any
    run_state: RunState

    @property
    def busy(self) -> bool:
        """Whether a call is in progress; it will deliver what arrives meanwhile when it ends."""
        ...

    def deliver(self) -> None: ...
    async def deliver_async(self) -> None: ...

    def service_key(self, service: Service) -> str:
        """Identifies this invocation: unique, and unchanged when it is restarted."""
        ...


class Services:
    """The running services, and the events they sent that are not handled yet."""

    __slots__ = ("_arriving", "_host", "_running", "_tasks", "failure", "letters")

    letters: deque[Letter]
    failure: Exception | None
    """The first failure in the background, raised by the next `settled`."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._running: dict[Service, asyncio.Task[None] | Callable[[], Any] | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.letters = deque()
        self._arriving: deque[Letter] = deque()  # from other threads
        self.failure = None

    def follow(self, before: tuple[Service, ...], after: tuple[Service, ...]) -> None:
        """Cancel the services that are no longer in `after`, and start those that are new."""
        for service in before:
            if service not in after:
                self._stop(service)
        for service in after:
            if service not in before:
                self._start(service)

    def runs(self, service: Service) -> bool:
        return service in self._running

    @property
    def running(self) -> tuple[Service, ...]:
        """The running services."""
        return tuple(self._running)

    def restart(self, service: Service) -> None:
        """Restart a service that ran when its machine was stored, or raise the error that it was interrupted."""
        invocation = self._invocation(service)
        if invocation is not None and invocation.config.on_restart == "error":
            interrupted = ServiceFailed(f"the service {service.id!r} was interrupted", name=service.id)
            self.letters.append(Letter(invocation.error, {"error": interrupted}, service))
        else:
            self._start(service)

    def wake(self) -> None:
        """Have the pending letters delivered as soon as the actor is free."""
        loop = running_loop()
        if loop is not None:
            self._spawn(loop, self._host.deliver_async())

    async def settled(self) -> None:
        """Wait until no coroutine is running and every letter is handled."""
        while tasks := {task for task in self._tasks if task is not asyncio.current_task()}:
            await asyncio.wait(tasks)
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure

    def close(self) -> None:
        """Cancel all services."""
        for service in tuple(self._running):
            self._stop(service)
        self.letters.clear()

    async def aclose(self) -> None:
        """Cancel all services, and wait until their coroutines have ended."""
        tasks = {task for task in self._tasks if task is not asyncio.current_task()}
        self.close()
        if tasks:
            await asyncio.wait(tasks)

    def _invocation(self, service: Service) -> Invocation | None:
        return configuration_of(self._host.chart, self._host.run_state.leaves).invocation(service.id)

    def _start(self, service: Service) -> None:
        host = self._host
        invocation = self._invocation(service)
        if invocation is None or invocation.code is None or service not in host.run_state.services:
            return  # a service started earlier in this commit has already led out of the state
        code, loop = invocation.code, running_loop()
        self._running[service] = None

        def send(event: str | Mapping[str, Any], /, **payload: Any) -> None:
            name, values = (event, payload) if isinstance(event, str) else named(event, payload)
            letter = Letter(name, values, service, ends=False)
            if service in self._running and len(self.letters) + len(self._arriving) >= MOST_LETTERS:
                raise RunawayError(
                    f"the service {service.id!r} of {host.chart.name} sends faster than its events are handled: "
                    f"{MOST_LETTERS} of them wait already; have it pause between them, or send fewer",
                    [letter.event],
                )
            if loop is not None and running_loop() is not loop:
                self._arriving.append(letter)
                loop.call_soon_threadsafe(self._arrive)
            else:
                self._receive(letter)

        context = host.chart.copy_context(host.run_state.context)
        token = CALL_KEY.set(host.service_key(service))
        try:
            self._begin(service, invocation, code, ServiceCall(context, invocation.config.input, host.machine, send))
        finally:
            CALL_KEY.reset(token)

    def _begin(self, service: Service, invocation: Invocation, code: ServiceCode, given: ServiceCall) -> None:
        loop = running_loop()
        try:
            result = code.call(given)
            if isinstance(result, Awaitable) and loop is None:
                _close(result)
                raise TypeError("it returned a coroutine, and no event loop runs; make it an async function")
        except BaseException as error:
            # The state is already committed, so an exception that only escaped here would leave it without a result.
            self._ended(service, invocation.error, {"error": failure_of(error)})
            if isinstance(error, KeyboardInterrupt):
                raise
            return
        if isinstance(result, Awaitable):
            assert loop is not None  # otherwise it raised above
            if service in self._running:
                awaitable = cast("Awaitable[Any]", result)  # type: ignore[redundant-cast]  # pyright needs it
                task = self._running[service] = self._spawn(loop, self._run(service, invocation, awaitable))
                task.add_done_callback(lambda _: _close(awaitable))  # a task cancelled at once has never started it
        elif not code.sends:
            self._ended(service, invocation.done, NOTHING if result is None else {"output": result})
        elif callable(result):
            if service in self._running:
                self._running[service] = result
            else:  # an event it sent while starting has led out of the state
                _clean_up(service, result)

    async def _run(self, service: Service, invocation: Invocation, awaitable: Awaitable[Any]) -> None:
        task = asyncio.current_task()
        interrupt: KeyboardInterrupt | None = None
        try:
            output = await awaitable
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError) and is_being_cancelled():
                raise
            if isinstance(error, GeneratorExit) and is_being_closed(task):
                raise
            if isinstance(error, KeyboardInterrupt):
                interrupt = error
            letter = Letter(invocation.error, {"error": failure_of(error)}, service)
        else:
            letter = Letter(invocation.done, NOTHING if output is None else {"output": output}, service)
        self._running.pop(service, None)  # before the step of its result exits the state, which would cancel it
        self.letters.append(letter)
        if interrupt is not None:
            raise interrupt
        await self._host.deliver_async()

    def _ended(self, service: Service, event: str, payload: Mapping[str, Any]) -> None:
        self._running.pop(service, None)
        self._post(Letter(event, payload, service))

    def _arrive(self) -> None:
        self._receive(self._arriving.popleft())

    def _receive(self, letter: Letter) -> None:
        """Accept an event that a running service sends. As in XState, it is handled even if the service then ends."""
        if letter.service in self._running:
            self._post(letter)
        else:
            log.info("%r of the service %r was dropped: the service has ended", letter.event, letter.service.id)

    def _post(self, letter: Letter) -> None:
        self.letters.append(letter)
        if self._host.busy:
            return
        if running_loop() is None:
            self._host.deliver()
        else:
            self.wake()

    def _stop(self, service: Service) -> None:
        running = self._running.pop(service, None)
        if isinstance(running, asyncio.Task):
            with contextlib.suppress(RuntimeError):  # its event loop is closed
                running.cancel()
        elif running is not None:
            _clean_up(service, running)

    def _spawn(self, loop: asyncio.AbstractEventLoop, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = spawn(loop, coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The event loop running in this thread, if any."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _close(awaitable: Any) -> None:
    """End a coroutine that may not have begun; it would warn that nobody awaits it."""
    close: Callable[[], None] | None = getattr(awaitable, "close", None)
    if close is not None:
        close()


def _clean_up(service: Service, stop: Callable[[], Any]) -> None:
    try:
        stop()
    except Exception as error:  # noqa: BLE001, RUF100 - the state is already exited; there is no caller to raise to
        log.error("the service %r raised while it was stopped: %s", service.id, error, exc_info=error)
