"""Runs what sessions have to do without a call: timers that are due, services and effects."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import random
from collections.abc import Coroutine
from typing import Any, Protocol

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.effects import failure_payload
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.services import Letter
from fsmvoice.errors import RestoreError
from fsmvoice.model.chart import Chart
from fsmvoice.model.effect import ERROR
from fsmvoice.model.run_state import RunState
from fsmvoice.sessions.attempt import Draft, Standing, Turn, Work
from fsmvoice.sessions.committing import SERVICE_LEASE
from fsmvoice.sessions.keys import SessionKey, SessionNotFound
from fsmvoice.sessions.outbox import HEED, Outbox
from fsmvoice.sessions.queues import Busy
from fsmvoice.sessions.request import PLAIN, Request
from fsmvoice.sessions.store import CommitUnknown, Outgoing, SessionStore, StoreUnavailable
from fsmvoice.sessions.timers import Scheduler
from fsmvoice.sessions.unbroken import claimed
from fsmvoice.sessions.workers import Waiter, Workers

logger: logging.Logger = logging.getLogger("fsmvoice")

AT_ONCE = 32
"""The number of sessions that are tended at a time."""
HOLD = 10.0
"""Seconds after which another process tends a session, if the one that got it from the store has died."""
SWEEP = 600.0
"""Seconds between two sweeps of expired sessions, if the first found none."""
SWEEP_ON = 1.0
"""Seconds between two sweeps if the first found some, so that they don't pile up."""


class Tended(Protocol):
    """The sessions of one machine, as `Tending` needs them."""

    chart: Chart
    store: SessionStore
    timeout: float
    owner: str

    def actor(self, state: RunState) -> FsmActor[Any]: ...
    async def stands(self, key: str) -> Standing | None: ...
    async def turn_on(
        self,
        key: SessionKey,
        work: Work | None,
        request: Request = PLAIN,
        *,
        heard: bool = True,
        waiter: Waiter | None = None,
        ends: str | None = None,
    ) -> tuple[Turn, Waiter | None]: ...


class Tending:
    """Tends the sessions of this process and, if the store is shared, those of processes that have died."""

    def __init__(self, sessions: Tended) -> None:
        self._sessions = sessions
        self._scheduler = Scheduler(self._look, polls=not sessions.store.instant)
        self._workers = Workers(sessions.chart, self._letter, lambda state: sessions.actor(state).machine)
        self._outbox = Outbox(
            sessions.chart,
            sessions.store,
            sessions.owner,
            timeout=sessions.timeout,
            machine=self._machine,
            give_up=self._give_up,
        )
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        """The sessions that are to be tended again when their current task is done."""
        self._next_sweep, self._last_renewal = SWEEP, 0.0
        self._blind_at = -math.inf
        """When the store was last unavailable."""
        self._effectful = bool(sessions.chart.behaviour.effects)
        self._closed = False

    def begin(self) -> None:
        """Start tending sessions."""
        self._scheduler.begin()

    def follow(self, key: SessionKey, standing: Standing, draft: Draft, request: Request) -> Waiter | None:
        """Act on a commit: start and stop services, run effects, and set the alarm for timers.

        Returns what lets the caller wait for services that the commit has started, None if there are none.
        """
        before, after = draft.before, draft.after
        if not after.timers and not after.services and not before.services and not self._effectful:
            return None
        if after.timers and after.timers is not before.timers:
            self._scheduler.within((min([timer.due for timer in after.timers]) - standing.clock.now()) / 1000)
        if any(step.effects for step, _ in draft.journal):
            self._spawn(key.storage, self._effects(key.storage))
        if not after.services and not before.services:
            return None
        waiter = self._workers.follow(key, standing.run, draft, request)
        if len(self._workers) and not self._sessions.store.instant:
            self._scheduler.within(SERVICE_LEASE / 3)
        return waiter

    async def aclose(self, grace: float) -> None:
        """Let running work finish for `grace` seconds, then cancel it and release it to other processes."""
        self._closed = True
        await self._scheduler.aclose()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await self._workers.settled()
                if self._tasks:
                    await asyncio.wait(set(self._tasks.values()))
        cut_short = dict(self._tasks)
        for task in cut_short.values():
            task.cancel()
        if cut_short:
            await asyncio.wait(set(cut_short.values()), timeout=2 * HEED)
        with contextlib.suppress(StoreUnavailable):  # the store returns them again after a while
            for key in cut_short:
                await self._sessions.store.wake(key, 0)
        services = self._workers.running()
        await self._workers.aclose()
        if services:
            await self._sessions.store.give_up_services(self._sessions.owner, services)

    async def _look(self) -> float | None:
        """Tend the sessions that are overdue. Returns the seconds until the next one is, None if none will be."""
        store, loop = self._sessions.store, asyncio.get_running_loop()
        try:
            if not store.instant:
                await self._renew(loop.time())
            free = AT_ONCE - len(self._tasks)
            if free <= 0:
                return 0.05
            found = await store.overdue(self._sessions.chart.config.id or "", free, HOLD)
        except StoreUnavailable:
            self._blind_at = loop.time()
            raise
        for key in found.keys:
            self._spawn(key, self._tend(key))
        if loop.time() > self._next_sweep:
            self._next_sweep = loop.time() + SWEEP
            if await store.sweep():
                self._next_sweep = loop.time() + SWEEP_ON
        soon = None if found.next_in is None else found.next_in / 1000
        if len(self._workers) and not store.instant:
            soon = min(SERVICE_LEASE / 3, SERVICE_LEASE if soon is None else soon)
        return soon

    async def _renew(self, now: float) -> None:
        """Renew the leases of the services that run here, and stop those whose lease was lost."""
        if now < self._last_renewal + SERVICE_LEASE / 6 or not (services := self._workers.running()):
            return
        for key, name in await self._sessions.store.keep_services(self._sessions.owner, services, SERVICE_LEASE):
            self._workers.stop(key, name)
        self._last_renewal = now

    async def _tend(self, key: str) -> None:
        """Do all that one session has to do: timers, services of dead processes, and effects."""
        internal = SessionKey("handle", key)
        try:
            standing = await self._sessions.stands(key)
            if standing is None:
                return
            if any(timer.due <= standing.clock.now() for timer in standing.state.timers):
                turn, _ = await self._sessions.turn_on(internal, None, heard=False)
                if turn.reason is not None:  # it stays due, and the store returns it again after a while
                    return
                standing = await self._sessions.stands(key)
            # After an outage, processes get time to renew their leases before their services are taken over.
            waits = asyncio.get_running_loop().time() < self._blind_at + SERVICE_LEASE / 2
            for service in () if standing is None or waits else standing.state.services:
                if standing is not None and not self._workers.runs(key, service):
                    await self._take_over(internal, standing, service.key)
            pause = await self._outbox.run(key)
            if pause is not None:
                self._scheduler.within(pause)
        except RestoreError as error:
            logger.warning("a session is left to processes of another version: %s", error)
            await self._sessions.store.wake(key, random.uniform(0.5, 3))  # noqa: S311 - jitter, so that each process gets its turn
        except (Busy, SessionNotFound, StoreUnavailable, CommitUnknown) as error:
            logger.info("a session could not be tended now and will be in %g s: %r", HOLD, error)

    async def _take_over(self, key: SessionKey, standing: Standing, name: str) -> None:
        store, owner = self._sessions.store, self._sessions.owner

        async def undo(_times: int) -> None:
            await store.give_up_services(owner, [(key.storage, name)])

        if await claimed(store.claim_service(key.storage, name, owner, SERVICE_LEASE), undo) is None:
            return
        service = next(service for service in standing.state.services if service.key == name)
        logger.info("taking over the service %r from a process that has ended", service.id)
        self._workers.take_over(key, standing.run, standing.state, service)
        self._scheduler.within(SERVICE_LEASE / 3)

    async def _letter(self, key: SessionKey, letter: Letter, waiter: Waiter | None) -> bool:
        """Take a turn for an event that a service has sent. False if it is to be tried again.

        If the step for the service's result can't be stored or takes too long, the service counts as failed, as if it
        had raised. If that event fails too, the service is ended without one, or it would be run again and again.
        """
        told: Letter | None = letter
        while told is not None:
            done, failure = await self._delivered(key, told, waiter)
            if failure is None:
                return done
            told = _instead(told, failure)
        return True

    async def _delivered(self, key: SessionKey, letter: Letter, waiter: Waiter | None) -> tuple[bool, Exception | None]:
        """Whether the event was handled, else it is to be tried again; and an error if trying again can't help."""
        began = False

        async def work(actor: FsmActor[Any]) -> Outcome[Any] | None:
            nonlocal began
            began = True
            try:
                await actor.handle(letter)
            except Exception as error:  # the machine's code may raise anything, and no caller waits for it
                logger.error("%s", error, exc_info=error)
            return None

        listening = waiter if waiter is not None and waiter.listening else None
        internal = SessionKey("handle", key.storage, caller=key.caller)
        try:
            turn, _ = await self._sessions.turn_on(internal, work, heard=False, waiter=listening)
        except SessionNotFound:
            self._workers.stop(key.storage)
            return True, None
        except RestoreError as error:
            logger.warning("the event of a service is dropped: %s", error)
            return True, None
        except (Busy, StoreUnavailable, CommitUnknown) as error:  # a service gives its result once only
            logger.error("the event of a service can't be handled now: %r", error)
            return False, None
        except Exception as error:  # the result of the step can't be stored
            logger.error("%r of the service %r changed nothing: %s", letter.event, letter.service.id, error)
            return False, error
        if turn.reason is None:
            return True, None
        logger.error("%r of the service %r changed nothing: %s", letter.event, letter.service.id, turn.reason)
        return False, TimeoutError("its step took too long") if began else None  # None: a timer's step failed before it

    async def _effects(self, key: str) -> None:
        try:
            pause = await self._outbox.run(key)
            if pause is not None:
                self._scheduler.within(pause)
        except (Busy, SessionNotFound, StoreUnavailable, CommitUnknown, RestoreError) as error:
            logger.warning("the effects of a session have to wait: %r", error)

    async def _machine(self, key: str) -> Any:
        """The `self` of effects: a machine in the current state of the session."""
        standing = await self._sessions.stands(key)
        return None if standing is None else self._sessions.actor(standing.state).machine

    async def _give_up(self, key: str, effect: Outgoing, error: str) -> None:
        """Commit that an effect is given up, and fire the event for it."""
        event = ERROR + effect.name
        payload = failure_payload(self._sessions.chart, effect.name, error)

        async def work(actor: FsmActor[Any]) -> Outcome[Any] | None:
            await actor.fire(event, payload)
            return None

        internal = SessionKey("handle", key)
        turn, _ = await self._sessions.turn_on(internal, work, heard=False, ends=effect.id)
        if turn.reason is not None:
            logger.error("the event %r failed (%s); the effect is given up all the same", event, turn.reason)

    def _spawn(self, key: str, work: Coroutine[Any, Any, None]) -> None:
        """Start `work` on a session as a task, at most one for each session."""
        if self._closed or key in self._tasks:
            work.close()
            self._again.add(key)  # the running task may have checked before this came up
            return
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[key] = task

        def done(ended: asyncio.Task[None]) -> None:
            self._tasks.pop(key, None)
            if key in self._again and not self._closed:
                self._again.discard(key)
                self._spawn(key, self._tend(key))
            if not ended.cancelled() and (error := ended.exception()) is not None:
                logger.error("tending a session failed", exc_info=error)

        task.add_done_callback(done)


def _instead(letter: Letter, failure: Exception) -> Letter | None:
    """What replaces an event of a service that can't be committed: first its failure, then only its end."""
    service = letter.service
    failed, over = f"xstate.error.actor.{service.id}", f"xstate.over.actor.{service.id}"
    if not letter.ends or letter.event == over:
        return None
    return Letter(over if letter.event == failed else failed, {"error": failure}, service)
