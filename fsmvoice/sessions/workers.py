"""Runs the services of sessions in this process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.services import Letter, Services
from fsmvoice.model.chart import Chart
from fsmvoice.model.run_state import RunState, Service
from fsmvoice.sessions.attempt import Draft, Turn
from fsmvoice.sessions.journal import Journal
from fsmvoice.sessions.keys import SessionKey
from fsmvoice.sessions.outbox import HEED
from fsmvoice.sessions.request import Request, call_key
from fsmvoice.sessions.store import Answer

logger: logging.Logger = logging.getLogger("fsmvoice")

CROWDED = 64
"""With this many sessions, those without services are dropped. The next time is at twice the number that is left."""


class Waiter:
    """A caller who waits a moment for the services that their event has started.

    Attributes:
        listening: whether the result of a service can still become part of the caller's reply.
    """

    def __init__(self, outcome: Outcome[Any], request: Request, services: tuple[Service, ...], turn: Turn) -> None:
        self._outcome, self._request, self._services, self._turn = outcome, request, set(services), turn
        self._over = asyncio.Event()
        self.listening: bool = True

    async def settled(self, turn: Turn, seconds: float) -> Turn:
        """The turn, with the results of services that come within `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                await self._over.wait()
        except TimeoutError:
            pass
        finally:
            self.listening = False
        return self._turn

    def joined(self, journal: Journal) -> Outcome[Any]:
        """The caller's outcome, extended by the steps of `journal`."""
        outcome = self._outcome
        for step, after in journal:
            outcome = outcome.followed(step, after)
        return outcome

    def answer(self, outcome: Outcome[Any]) -> Answer | None:
        """The answer to keep for the caller's request, whose outcome is now `outcome`."""
        request = self._request
        if request.id is None:
            return None
        news = self._turn.news
        return Answer(request.id, request.sent, request.say(outcome, news=news) if news else request.say(outcome))

    def hear(self, outcome: Outcome[Any], answer: Answer | None) -> None:
        """Take over an outcome that was committed, with the answer that was kept."""
        self._outcome = outcome
        self._turn = self._turn._replace(outcome=outcome, said=None if answer is None else answer.say)

    def ended(self, service: Service) -> None:
        """Note that one of the services has ended."""
        self._services.discard(service)
        if not self._services:
            self._over.set()


class Letters(Protocol):
    """Takes a turn for an event that a service has sent. Returns False if it is to be tried again."""

    def __call__(self, key: SessionKey, letter: Letter, waiter: Waiter | None, /) -> Awaitable[bool]: ...


class _Worker:
    """The host of one session's services, as the engine's `Services` need it."""

    machine: Any

    def __init__(self, chart: Chart, key: SessionKey, run: str, letters: Letters) -> None:
        self.chart, self.key, self._run, self._letters = chart, key, run, letters
        self.run_state = RunState((), {})
        self.machine = None
        self.services = Services(self)
        self.waiters: dict[Service, Waiter] = {}
        self._delivering = asyncio.Lock()

    busy = False

    def service_key(self, service: Service) -> str:
        return call_key(self._run, f"service {service.key}")

    def deliver(self) -> None:
        self.services.wake()

    async def deliver_async(self) -> None:
        """Handle what services have sent, in order. Retried while the store fails, because it is not sent twice."""
        async with self._delivering:
            attempt = 0
            while self.services.letters:
                letter = self.services.letters[0]
                if await self._letters(self.key, letter, self.waiters.get(letter.service)):
                    attempt = 0
                    if self.services.letters and self.services.letters[0] is letter:
                        self.services.letters.popleft()
                    if letter.ends and (waiter := self.waiters.pop(letter.service, None)) is not None:
                        waiter.ended(letter.service)
                else:
                    attempt += 1
                    await asyncio.sleep(min(0.05 * 2**attempt, 5.0) * random.uniform(0.5, 1))  # noqa: S311 - jitter


class Workers:
    """All services of this process, by session.

    Args:
        place: gives the machine object on which methods run in a run state, None for a config.
    """

    def __init__(self, chart: Chart, letters: Letters, place: Callable[[RunState], Any]) -> None:
        self._chart, self._letters, self._place = chart, letters, place
        self._workers: dict[str, _Worker] = {}
        self._crowded = CROWDED

    def __len__(self) -> int:
        return len(self._workers)

    def follow(self, key: SessionKey, run: str, draft: Draft, request: Request) -> Waiter | None:
        """Stop the services that a commit has ended, and start those that it has started.

        Returns what lets the caller wait for the started ones, None if there are none.
        """
        before, after = draft.before, draft.after
        started = tuple(service for service in after.services if service not in before.services)
        worker = self._workers.get(key.storage)
        if worker is None and not started:
            return None
        if worker is None:
            if len(self._workers) >= self._crowded:
                self.running()
                self._crowded = max(CROWDED, 2 * len(self._workers))
            worker = self._workers[key.storage] = _Worker(self._chart, key, run, self._letters)
        waiter = None
        if started and draft.turn.outcome is not None and draft.turn.outcome.ok:
            waiter = Waiter(draft.turn.outcome, request, started, draft.turn)
            worker.waiters.update(dict.fromkeys(started, waiter))
        self._begin(worker, after, started)
        return waiter

    def take_over(self, key: SessionKey, run: str, state: RunState, service: Service) -> None:
        """Run a service that another process has started but not finished."""
        worker = self._workers.get(key.storage)
        if worker is None:
            worker = self._workers[key.storage] = _Worker(self._chart, key, run, self._letters)
        worker.run_state, worker.machine = state, self._place(state)
        worker.services.restart(service)
        if worker.services.letters:
            worker.services.wake()

    def runs(self, key: str, service: Service) -> bool:
        """Whether this process runs the service or still has to handle its result."""
        worker = self._workers.get(key)
        if worker is None:
            return False
        return worker.services.runs(service) or any(letter.service == service for letter in worker.services.letters)

    def running(self) -> list[tuple[str, str]]:
        """The session key and service key of each service that runs here. Sessions without services are dropped."""
        found: list[tuple[str, str]] = []
        for key, worker in tuple(self._workers.items()):
            pending = {letter.service for letter in worker.services.letters if letter.ends}
            now = [service.key for service in (*worker.services.running, *pending)]
            if not now:
                del self._workers[key]
            found += [(key, name) for name in now]
        return found

    def stop(self, key: str, name: str | None = None) -> None:
        """Stop one service of a session, or all of them."""
        worker = self._workers.get(key)
        if worker is not None:
            running = worker.services.running
            worker.services.follow(running, tuple(one for one in running if name is not None and one.key != name))

    async def settled(self) -> None:
        """Wait until all services have ended and their results were handled."""
        for worker in tuple(self._workers.values()):
            with contextlib.suppress(Exception):  # it was logged when it was raised
                await worker.services.settled()

    async def aclose(self) -> None:
        """Cancel all services, and wait until they have cleaned up, for at most `HEED` seconds."""
        workers, self._workers = tuple(self._workers.values()), {}
        try:
            async with asyncio.timeout(HEED):
                await asyncio.gather(*[worker.services.aclose() for worker in workers])
        except TimeoutError:
            logger.error("a service ignored its cancellation; it is no longer waited for")

    def _begin(self, worker: _Worker, state: RunState, started: tuple[Service, ...]) -> None:
        worker.run_state = state
        if started:
            worker.machine = self._place(state)
        running = worker.services.running
        kept = tuple(service for service in running if service in state.services)
        worker.services.follow(running, (*kept, *started))
