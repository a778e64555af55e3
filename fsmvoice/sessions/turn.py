"""Turns: a call on a session loads it, steps due timers and the event, and commits once."""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
from collections.abc import Coroutine
from typing import Any

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.model.chart import Chart
from fsmvoice.model.run_state import RunState
from fsmvoice.sessions.attempt import Attempt, Draft, Standing, Turn, Work
from fsmvoice.sessions.clock import TurnClock
from fsmvoice.sessions.committing import Committing, nowhere
from fsmvoice.sessions.feed import Feed
from fsmvoice.sessions.gate import Gate, Stale
from fsmvoice.sessions.keys import SessionKey, SessionNotFound
from fsmvoice.sessions.queues import Busy, Queues
from fsmvoice.sessions.reasons import Failed, SessionExpired, failed_of, reason_of
from fsmvoice.sessions.request import PLAIN, Request
from fsmvoice.sessions.store import (
    Answer,
    Commit,
    Committed,
    CommitUnknown,
    SessionStore,
    StoredSession,
    StoreUnavailable,
)
from fsmvoice.sessions.telemetry import telemetry
from fsmvoice.sessions.tending import Tending
from fsmvoice.sessions.unbroken import unbroken
from fsmvoice.sessions.workers import Waiter

__all__ = ["Failed", "Sessions", "Turn", "Work", "failed_of", "reason_of"]

TRIES = 100
"""The number of attempts if other processes keep changing the session meanwhile."""
SETTLE = 0.4
"""Seconds for which a reply waits for services that its event has started."""
LEASE_BEYOND = 5.0
"""Seconds for which a lease lasts beyond the time limit of the machine's code."""
_LATE = ("action-timeout", "busy")
"""Reasons that come so late that another process may have handled the same request meanwhile."""

_NOWHERE = nowhere(-1)


class Sessions:
    """The sessions of one machine in one store. Calls on one session take turns, first come first served.

    Args:
        timeout: seconds that step code may take, that a call waits for its turn, and that an effect may take.
        settle: seconds that a reply waits for services that its event has started.
        audit: whether the history keeps what events carried, without what is private.

    Attributes:
        feed: tells of each commit, of any process.

    Raises:
        ValueError: if one of the two is not a time.
        DefinitionError: if no instance of a class can be made for a call, because its `__init__` wants arguments.
    """

    chart: Chart
    store: SessionStore
    timeout: float
    settle: float
    feed: Feed

    def __init__(
        self, chart: Chart, store: SessionStore, *, timeout: float = 30.0, settle: float = SETTLE, audit: bool = False
    ) -> None:
        if not (0 < timeout < math.inf and 0 <= settle < math.inf):
            raise ValueError(f"{timeout:g} seconds for a call, or {settle:g} to wait for services, are no time")
        self.chart, self.store, self.timeout, self.settle = chart, store, timeout, settle
        self.feed = Feed(store.subscribe)
        self.owner: str = secrets.token_hex(8)
        self._queues = Queues()
        self._count = 0
        self._looked = False
        self._committing = Committing(chart, store, owner=self.owner, audit=audit)
        self._tending = Tending(self)
        self.actor(_NOWHERE).close()

    def take_turn(
        self, key: SessionKey, work: Work, request: Request = PLAIN, *, due: bool = True, event: str = ""
    ) -> Coroutine[Any, Any, Turn]:
        """Do `work` on the session's actor and commit what it did: all of it, or nothing.

        Never raises, except for a cancellation: an error, an exceeded `timeout` or too long a wait give a `Turn` with
        a reason. A cancellation before the commit changes nothing, and one during the commit does not interrupt it.

        Args:
            due: whether to step due timers first; their steps are kept even if the work fails. Starting over skips
                them, so that it works even if a timer's step fails or this machine can't read the session.
            event: the name of the work for telemetry.
        """
        if not self._looked:
            self._looked = True
            telemetry.look()
        turn = self._taken(key, work, request, due=due)
        return telemetry.turn(self.chart.config.id or "", key, event, turn) if telemetry.on else turn

    async def _taken(self, key: SessionKey, work: Work, request: Request, *, due: bool) -> Turn:
        try:
            turn, waiter = await self.turn_on(key, work, request, due=due)
            if waiter is not None:
                return await waiter.settled(turn, self.settle)
        except Exception as error:  # whatever it is, the caller gets an answer and the log gets the error
            turn = Turn.failed(error)
        if turn.reason in _LATE and (again := await self.replay(key, request)) is not None:
            return turn if again.replayed is None else again  # another process has handled the request
        return turn

    async def turn_on(
        self,
        key: SessionKey,
        work: Work | None,
        request: Request = PLAIN,
        *,
        due: bool = True,
        heard: bool = True,
        waiter: Waiter | None = None,
        ends: str | None = None,
    ) -> tuple[Turn, Waiter | None]:
        """Take a turn. Returns it, and what lets the caller wait for services that it has started.

        Args:
            work: what to do. None only steps due timers.
            due: whether to step due timers first.
            heard: whether somebody hears the result. If not, it becomes news for the next caller.
            waiter: a caller who waits for the service that this turn belongs to, and hears its result.
            ends: the id of an effect that this turn gives up.

        Raises:
            Exception: whatever prevents the turn, such as `Busy`, `SessionNotFound` or an error of the store.
        """
        if not self.store.instant:
            self._tending.begin()
        if not self._queues.take(key.storage):
            await self._queues.wait(key.storage, self.timeout)
        gate = self._gate(key)
        self._count = nonce = self._count + 1
        try:
            for tried in range(TRIES):
                loading = telemetry.load(self.store, key.storage, request.id) if telemetry.on else None
                stored = await (loading or self.store.load(key.storage, request.id))
                if stored is None or gate is not None:
                    stored = await self._ready(key, gate, request, stored)
                answer = stored.answer
                standing = self._committing.standing(stored, afresh=answer is None and not due)
                if answer is not None and answer.sent != request.sent:
                    return Turn(reason="request-id-reused"), None
                doing = work if answer is None else None
                attempt = Attempt(self.actor(standing.state), standing, doing, request, nonce, heard, gate)
                try:
                    draft = await attempt.made(self.timeout, due=due)
                except Stale:
                    continue
                if answer is not None:
                    draft = self._replayed(draft, answer)
                if not draft.turn.changed and ends is None:
                    if draft.turn.attempts or standing.news:
                        await self._noted(key, standing, draft)
                    return draft.turn, None
                if await self._committed(key, standing, draft, request, gate, waiter, ends):
                    return draft.turn, self._tending.follow(key, standing, draft, request)
                if gate is not None:
                    await gate.pause(tried)
            raise Busy
        finally:
            if gate is not None:
                await gate.leave()
            self._queues.leave(key.storage)

    async def replay(self, key: SessionKey, request: Request) -> Turn | None:
        """The earlier answer to a request, None if it was not handled before or has no id."""
        if request.id is None:
            return None
        try:
            stored = await self.store.load(key.storage, request.id)
            if stored is None or stored.answer is None:
                return None
            return (await self.turn_on(key, None, request))[0]
        except Exception as error:  # whatever it is, the caller gets an answer, as from `take_turn`
            return Turn.failed(error)

    async def look(self, key: SessionKey) -> Snapshot[Any]:
        """The session as it was last committed, without waiting for a turn. A new session is started.

        Due timers are stepped first, unless a call has the turn, which steps them itself.

        Raises:
            SessionNotFound: if the handle is unknown.
        """
        standing = await self.stands(key.storage)
        if standing is None:
            await self.turn_on(key, None, heard=False)
        elif any(timer.due <= standing.clock.now() for timer in standing.state.timers) and self._queues.free(
            key.storage
        ):
            with contextlib.suppress(Busy):
                await self.turn_on(key, None, heard=False)
        else:
            return self._snapshot(standing.state)
        standing = await self.stands(key.storage)
        if standing is None:
            raise await self._missing(key)
        return self._snapshot(standing.state)

    async def peek(self, key: SessionKey) -> Snapshot[Any] | None:
        """The session as it was last committed, None if there is none. Doesn't wait and steps no timers."""
        standing = await self.stands(key.storage)
        return None if standing is None else self._snapshot(standing.state)

    async def open(self, key: SessionKey) -> Snapshot[Any]:
        """Start the session of a new handle. Raises whatever the machine's start raises."""
        async with self._queues.turn(key.storage, self.timeout):
            gate = self._gate(key)
            try:
                await self._begun(key, gate)
            finally:
                if gate is not None:
                    await gate.leave()
        standing = await self.stands(key.storage)
        if standing is None:
            raise SessionNotFound
        return self._snapshot(standing.state)

    async def hear(self, key: SessionKey) -> tuple[str, ...]:
        """Texts about what happened while nobody listened. Each is returned once."""
        stored = await self.store.load(key.storage)
        if stored is None or not stored.news:
            return ()
        await self.store.note(key.storage, stored.revision, stored.attempts, ())
        return stored.news

    async def miss(self, key: SessionKey) -> int:
        """Count a failure that came before any turn. Returns the number of failures in a row."""
        stored = await self.store.load(key.storage)
        if stored is None:
            return 1
        await self.store.note(key.storage, stored.revision, stored.attempts + 1, stored.news)
        return stored.attempts + 1

    async def stands(self, key: str) -> Standing | None:
        """The session as it is stored, None if there is none.

        Raises:
            RestoreError: if this machine can't read it.
        """
        stored = await self.store.load(key)
        return None if stored is None else self._committing.standing(stored)

    def begin(self) -> None:
        """Start tending sessions. The first call does that too."""
        self._tending.begin()

    async def aclose(self, grace: float = 2.0) -> None:
        """Let running services and effects finish for `grace` seconds, then leave them to other processes."""
        await self._tending.aclose(grace)

    def actor(self, state: RunState) -> FsmActor[Any]:
        """An actor in `state`, without running timers and services."""
        place = self.chart.behaviour.place
        if place is None:
            return FsmActor(self.chart, run_state=state, live=False)
        actor: FsmActor[Any] = place(state)
        return actor

    def another(self, actor: FsmActor[Any]) -> FsmActor[Any]:
        """A second actor for the same turn, in the state of `actor`. It is committed if the outcome is its own."""
        another = self.actor(actor.run_state)
        another.clock, another.gate, another.key_of_call = actor.clock, actor.gate, actor.key_of_call
        another.journal = None if actor.journal is None else list(actor.journal)
        return another

    def _gate(self, key: SessionKey) -> Gate | None:
        if self.store.instant:
            return None
        until = asyncio.get_running_loop().time() + self.timeout
        return Gate(self.store, key.storage, self.owner, seconds=self.timeout + LEASE_BEYOND, until=until)

    async def _ready(
        self, key: SessionKey, gate: Gate | None, request: Request, stored: StoredSession | None
    ) -> StoredSession:
        """The session, once no other process is working on it. A new one is started."""
        for tried in range(1_000_000):
            if stored is None:
                if key.scope == "handle":
                    raise await self._missing(key)
                await self._begun(key, gate)
            elif gate is None or gate.fence is not None or stored.leased_until <= stored.now or stored.answer:
                if gate is not None:
                    gate.revision = stored.revision
                return stored
            else:
                await gate.pause(tried)
            stored = await self.store.load(key.storage, request.id)
        raise Busy

    async def _begun(self, key: SessionKey, gate: Gate | None) -> None:
        """Start a run, and store it before anything else is done with it, so that its entry actions run once.

        Starting over is how an actor that was placed nowhere begins: with the context that its machine was made with.
        """
        run = secrets.token_hex(8)
        for tried in range(TRIES):
            if gate is not None:
                gate.revision = -1
            standing = Standing(_NOWHERE, TurnClock(await self.store.now()), run)
            attempt = Attempt(self.actor(_NOWHERE), standing, _start, PLAIN, 0, False, gate)
            try:
                draft = await attempt.started(self.timeout)
            except Stale:
                if await self.store.load(key.storage) is not None:
                    return
                continue
            fence = None if gate is None else gate.fence
            commit = self._committing.commit(key, standing, draft, None, fence)
            done = await (self._storing(commit) if gate is None else unbroken(self._storing(commit)))
            if gate is not None and done == "committed":
                gate.lost()
            if done == "committed":
                self._tending.follow(key, standing, draft, PLAIN)
            if done != "leased" or gate is None:
                return
            await gate.pause(tried)

    async def _committed(  # noqa: PLR0917 - made for each call; passing keywords would slow each one down
        self,
        key: SessionKey,
        standing: Standing,
        draft: Draft,
        request: Request,
        gate: Gate | None,
        waiter: Waiter | None,
        ends: str | None,
    ) -> bool:
        """Commit, even if the caller is cancelled meanwhile. False if the session has changed since it was loaded."""
        said, joined = draft.turn.said, None
        answer = None if said is None or request.id is None else Answer(request.id, request.sent, said)
        if waiter is not None and waiter.listening and draft.journal:
            joined = waiter.joined(draft.journal)
            answer = waiter.answer(joined)
            draft = draft._replace(news=())
        fence = None if gate is None else gate.fence
        commit = self._committing.commit(key, standing, draft, request.id, fence, answer, ends)
        if gate is None:
            done = await self._storing(commit)
        else:
            try:
                done = await unbroken(self._storing(commit))
            except CommitUnknown:
                if request.id is None:
                    raise
                with contextlib.suppress(StoreUnavailable):
                    await self.store.load(key.storage)
                    return False  # the next attempt finds the answer, if the commit happened
                raise  # it is unknown whether anything was done
            if done == "committed":
                gate.lost()
            elif done == "conflict":
                await gate.leave()  # the lease may still be ours, if the session ended meanwhile
        if done == "committed" and waiter is not None and joined is not None:
            waiter.hear(joined, answer)
        return done == "committed"

    def _storing(self, commit: Commit) -> Coroutine[Any, Any, Committed]:
        return telemetry.commit(self.store, commit) if telemetry.on else self.store.commit(commit)

    async def _noted(self, key: SessionKey, standing: Standing, draft: Draft) -> None:
        """Store the number of failures in a row, and that the news was heard. Best effort."""
        attempts = draft.turn.attempts or standing.attempts
        await self.store.note(key.storage, standing.state.seq, attempts, draft.news)

    def _replayed(self, draft: Draft, answer: Answer) -> Draft:
        snapshot = self._snapshot(draft.after)
        return draft._replace(turn=Turn(replayed=answer.say, snapshot=snapshot, changed=draft.turn.changed))

    def _snapshot(self, state: RunState) -> Snapshot[Any]:
        actor = self.actor(state)
        actor.close()
        return actor.snapshot

    async def _missing(self, key: SessionKey) -> SessionNotFound:
        if await self.store.expired(key.storage):
            return SessionExpired("the session was not used for too long")
        return SessionNotFound()


async def _start(actor: FsmActor[Any]) -> Outcome[Any]:
    return await actor.reset_async()
