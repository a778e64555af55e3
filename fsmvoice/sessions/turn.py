"""One call on a session: its turn, its run state, the event, the commit."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import ReasonCode, Refuse, RestoreError
from fsmvoice.model.chart import Chart
from fsmvoice.model.run_state import RunState
from fsmvoice.sessions.keys import SessionKey, SessionNotFound
from fsmvoice.sessions.queues import Busy, Queues
from fsmvoice.sessions.store import SessionStore, StoredSession, StoreFull

logger = logging.getLogger("fsmvoice")

TRIES = 3
"""So often an event is tried again because someone else changed the session meanwhile."""

_NOWHERE = RunState((), {}, status="stopped", seq=-1)
"""Before a run: its start is the transition that makes the revision 0."""

Work: TypeAlias = Callable[[FsmActor[Any]], Awaitable[Outcome[Any]]]


@dataclass(frozen=True, slots=True)
class Turn:
    """What a call came to: an outcome, or the reason why there is none. Without an outcome nothing was changed.

    `attempts` counts the failures in a row, this one included.
    """

    outcome: Outcome[Any] | None = None
    reason: ReasonCode | None = None
    attempts: int = 0


class Sessions:
    """The sessions of one machine in one store. Calls on one session take turns, first come first served.

    Raises:
        NotSupported: if the machine can't be run.
        DefinitionError: if no instance of a class can be made for a call, because its `__init__` wants arguments.
    """

    def __init__(self, chart: Chart, store: SessionStore, *, timeout: float = 30.0) -> None:
        self.chart, self.store, self.timeout = chart, store, timeout
        self._queues = Queues()
        self.actor(_NOWHERE).close()

    async def take_turn(self, key: SessionKey, work: Work) -> Turn:
        """Do `work` on the session's actor and commit what it did: all of it, or nothing.

        Whatever goes wrong is a `Turn` with its reason: an error, more than `timeout` seconds, a wait that long.
        Only a cancellation leaves as such, and it too changes nothing.
        """
        try:
            async with self._queues.turn(key.storage, self.timeout):
                for _ in range(TRIES):
                    stored = await self._loaded(key)
                    turn = await self._worked(stored, work)
                    after = stored.state if turn.outcome is None else turn.outcome.snapshot.run_state
                    if after is not stored.state and not await self.store.commit(
                        key.storage, after, expected=stored.state.seq
                    ):
                        continue
                    if turn.attempts:
                        await self.store.note(key.storage, turn.attempts)
                    return turn
                return Turn(reason="version-conflict")
        except Exception as error:  # whatever it is, the caller gets an answer and the log the rest
            return Turn(reason=reason_of(error))

    async def look(self, key: SessionKey) -> Snapshot[Any]:
        """The session as it was last committed, without waiting for a turn; it is started if it is new.

        Timers that are due are stepped first, unless a call has the turn: that one has stepped them.

        Raises:
            SessionNotFound: for a handle that nobody holds.
        """
        stored = await self.store.load(key.storage)
        if stored is None:
            async with self._queues.turn(key.storage, self.timeout):
                stored = await self._loaded(key)
        actor = self.actor(stored.state)
        if any(timer.due <= actor.clock.now() for timer in stored.state.timers):
            with contextlib.suppress(Busy):
                async with self._queues.turn(key.storage, 0):
                    actor = await self._caught_up(key)
        actor.close()
        return actor.snapshot

    async def open(self, key: SessionKey) -> Snapshot[Any]:
        """Start the session that a new handle stands for. Raises whatever the machine's start raises."""
        actor = self.actor((await self._started(key)).state)
        actor.close()
        return actor.snapshot

    async def miss(self, key: SessionKey) -> int:
        """Count a failure that never came to a turn; the failures in a row."""
        stored = await self.store.load(key.storage)
        attempts = 1 if stored is None else stored.attempts + 1
        await self.store.note(key.storage, attempts)
        return attempts

    def actor(self, state: RunState) -> FsmActor[Any]:
        """An actor that stands at `state`; nothing runs."""
        place = self.chart.behaviour.place
        if place is None:
            return FsmActor(self.chart, run_state=state, live=False)
        actor: FsmActor[Any] = place(state)
        return actor

    async def _caught_up(self, key: SessionKey) -> FsmActor[Any]:
        """An actor of the session whose due timers are stepped and committed."""
        stored = await self._loaded(key)
        actor = self.actor(stored.state)
        async with asyncio.timeout(self.timeout):
            if await actor.catch_up_async():
                await self.store.commit(key.storage, actor.run_state, expected=stored.state.seq)
        return actor

    async def _loaded(self, key: SessionKey) -> StoredSession:
        stored = await self.store.load(key.storage)
        if stored is not None:
            return stored
        if key.scope == "handle":
            raise SessionNotFound
        return await self._started(key)

    async def _started(self, key: SessionKey) -> StoredSession:
        """A new run, stored before anything else is done with it, so that its entry actions run once.

        Starting over is how an actor that was placed nowhere begins: with the context that its machine was made with.
        """
        actor = self.actor(_NOWHERE)
        async with asyncio.timeout(self.timeout):
            outcome = await actor.reset_async()
        actor.close()
        if not outcome.ok:
            raise Refuse(outcome.report.refusal or "")
        state = outcome.snapshot.run_state
        if not await self.store.commit(key.storage, state, expected=None):
            return await self.store.load(key.storage) or StoredSession(state)
        return StoredSession(state)

    async def _worked(self, stored: StoredSession, work: Work) -> Turn:
        attempts = stored.attempts + 1
        actor = self.actor(stored.state)
        limit = asyncio.timeout(self.timeout)
        try:
            async with limit:
                outcome = await work(actor)
        except Exception as error:  # the user's code may raise anything
            reason = "action-timeout" if limit.expired() else reason_of(error)
            return Turn(reason=reason, attempts=attempts)
        finally:
            actor.close()
        if limit.expired():
            return Turn(reason="action-timeout", attempts=attempts)
        return Turn(outcome, outcome.reason, 0 if outcome.ok else attempts)


def reason_of(error: Exception) -> ReasonCode:
    """The code for what a call failed with; an error that is nobody's refusal is logged."""
    match error:
        case Busy():
            return "busy"
        case TimeoutError():
            return "action-timeout"
        case Refuse():
            return "refused"
        case SessionNotFound():
            return "session-not-found"
        case StoreFull():
            return "limit-exceeded"
        case RestoreError():
            return "definition-mismatch"
        case _:
            logger.error("a call failed and changed nothing", exc_info=error)
            return "action-failed"
