"""One call on a session: its turn, its run state, the event, the commit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple, TypeAlias

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import NotSupported, ReasonCode, Refuse, RestoreError
from fsmvoice.model.chart import Chart
from fsmvoice.model.run_state import RunState
from fsmvoice.sessions.feed import Feed
from fsmvoice.sessions.keys import SessionKey, SessionNotFound
from fsmvoice.sessions.patience import Patience
from fsmvoice.sessions.queues import Busy, Queues
from fsmvoice.sessions.request import PLAIN, Request
from fsmvoice.sessions.store import Answer, Commit, LimitExceeded, SessionStore, StoredSession, StoreUnavailable
from fsmvoice.sessions.unbroken import unbroken

logger: logging.Logger = logging.getLogger("fsmvoice")

TRIES = 3
"""So often an event is tried again because someone else changed the session meanwhile."""

_NOWHERE = RunState((), {}, status="stopped", seq=-1)
"""Before a run: its start is the transition that makes the revision 0."""

Work: TypeAlias = Callable[[FsmActor[Any]], Coroutine[Any, Any, Outcome[Any]]]


class Turn(NamedTuple):
    """What a call came to: an outcome, or the reason why there is none, or what was said to the same request before.

    Attributes:
        attempts: the failures in a row, this one included.
        changed: whether anything was committed: the event, or a timer that was due before it.
        replayed: what was said when the request was done.
        snapshot: where the session stands, of a replay.
        said: the words of the outcome, where they were kept.
    """

    outcome: Outcome[Any] | None = None
    reason: ReasonCode | None = None
    attempts: int = 0
    changed: bool = False
    replayed: str | None = None
    snapshot: Snapshot[Any] | None = None
    said: str | None = None


class Sessions:
    """The sessions of one machine in one store. Calls on one session take turns, first come first served.

    Attributes:
        feed: tells of each commit of this process.

    Raises:
        NotSupported: if the machine can't be run.
        DefinitionError: if no instance of a class can be made for a call, because its `__init__` wants arguments.
    """

    chart: Chart
    store: SessionStore
    timeout: float
    feed: Feed

    def __init__(self, chart: Chart, store: SessionStore, *, timeout: float = 30.0) -> None:
        _refuse_services(chart)
        self.chart, self.store, self.timeout = chart, store, timeout
        self.feed = Feed()
        self._queues = Queues()
        self.actor(_NOWHERE).close()

    async def take_turn(self, key: SessionKey, work: Work, request: Request = PLAIN, *, due: bool = True) -> Turn:
        """Do `work` on the session's actor and commit what it did: all of it, or nothing.

        Timers that are `due` are stepped before it, and stand whatever becomes of it; only starting over asks for none
        of them, so that it is a way out where a timer's step fails. Whatever goes wrong is a `Turn`
        with its reason: an error, more than `timeout` seconds, a wait that long. Only a cancellation leaves as such:
        before the commit it changes nothing, and it does not break a commit that is under way.
        """
        name = key.storage
        try:
            if not self._queues.take(name):
                await self._queues.wait(name, self.timeout)
            try:
                for _ in range(TRIES):
                    stored = await self.store.load(name) or await self._loaded(key)
                    if request.id is not None and (again := await self._answered(key, request, request.id)):
                        return again
                    turn, after = await self._worked(stored, work, request, due=due)
                    if turn.changed and not await self._commit(key, after, stored.revision, _answer(request, turn)):
                        continue
                    if turn.attempts:
                        await self.store.note(name, stored.revision, turn.attempts, ())
                    return turn
                return Turn(reason="version-conflict")
            finally:
                self._queues.leave(name)
        except Exception as error:  # whatever it is, the caller gets an answer and the log the rest
            return Turn(reason=reason_of(error))

    async def replay(self, key: SessionKey, request: Request) -> Turn | None:
        """What a request came to that was done before; None if it was not, or has no id."""
        if request.id is None:
            return None
        try:
            async with self._queues.turn(key.storage, self.timeout):
                return await self._answered(key, request, request.id)
        except Exception as error:  # as in a turn
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
            try:
                async with self._queues.turn(key.storage, 0):
                    actor = await self._caught_up(key)
            except Busy:
                pass
            except Exception:  # a timer's step may raise anything; what was committed can be told all the same
                logger.exception("a timer's step failed and changed nothing")
        actor.close()
        return actor.snapshot

    async def peek(self, key: SessionKey) -> Snapshot[Any] | None:
        """The session as it was last committed; None if there is none. It waits for nobody, and steps nothing."""
        stored = await self.store.load(key.storage)
        if stored is None:
            return None
        actor = self.actor(stored.state)
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
        if stored is None:
            return 1
        await self.store.note(key.storage, stored.revision, stored.attempts + 1, stored.news)
        return stored.attempts + 1

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
                await self._commit(key, actor.run_state, stored.revision)
        return actor

    async def _answered(self, key: SessionKey, request: Request, request_id: str) -> Turn | None:
        """The answer to an earlier request of this id, in a turn."""
        stored = await self.store.load(key.storage, request_id)
        answer = None if stored is None else stored.answer
        if answer is None:
            return None
        if answer.sent != request.sent:
            return Turn(reason="request-id-reused")
        actor = await self._caught_up(key)
        actor.close()
        return Turn(replayed=answer.say, snapshot=actor.snapshot)

    async def _commit(
        self, key: SessionKey, after: RunState, expected: int | None, answer: Answer | None = None
    ) -> bool:
        """Commit, and tell the feed; both, even if the caller is cancelled meanwhile."""
        committing = self._done(Commit(key.storage, expected, after, chart=self.chart, answer=answer))
        if not self.store.instant:
            return await unbroken(self._told(committing, key.storage, after.seq))
        committed = await committing
        if committed:
            self.feed.publish(key.storage, after.seq)
        return committed

    async def _done(self, commit: Commit) -> bool:
        return await self.store.commit(commit) == "committed"

    async def _told(self, committing: Coroutine[Any, Any, bool], key: str, revision: int) -> bool:
        committed = await committing
        if committed:
            self.feed.publish(key, revision)
        return committed

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
        if not await self._commit(key, state, None):
            return await self.store.load(key.storage) or StoredSession(state.seq, 0.0, state)
        return StoredSession(state.seq, 0.0, state)

    async def _worked(self, stored: StoredSession, work: Work, request: Request, *, due: bool) -> tuple[Turn, RunState]:
        """What became of the work, and the state that is to be committed if that changed anything."""
        attempts = stored.attempts + 1
        before = settled = stored.state
        actor = self.actor(before)
        limit = Patience(self.timeout)
        said: str | None = None
        try:
            if due and before.timers:
                try:
                    await limit.over(actor.catch_up_async())
                finally:
                    settled = actor.run_state
            if request.expected is not None and request.expected != settled.seq:
                return Turn(reason="version-conflict", changed=settled is not before), settled
            outcome = await limit.over(work(actor))
            if outcome.ok and request.id is not None:
                said = request.say(outcome)
        except Exception as error:  # the user's code may raise anything
            reason = "action-timeout" if limit.expired else reason_of(error)
            return Turn(reason=reason, attempts=attempts, changed=settled is not before), settled
        finally:
            actor.close()
        if limit.expired:
            return Turn(reason="action-timeout", attempts=attempts, changed=settled is not before), settled
        after, failed = outcome.snapshot.run_state, outcome.reason
        if failed in (None, "needs-confirmation"):  # to be asked is no failure
            attempts = 0
        return Turn(outcome, failed, attempts, after is not before, None, None, said), after


def _refuse_services(chart: Chart) -> None:
    for node in chart.nodes:
        for invocation in node.invocations:
            raise NotSupported(
                f"{chart.name} can't run in sessions yet: its state {str(node)!r} invokes the service "
                f"{invocation.config.src!r} ({invocation.where})"
            )


def _answer(request: Request, turn: Turn) -> Answer | None:
    if request.id is None or turn.said is None:
        return None
    return Answer(request.id, request.sent, turn.said)


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
        case LimitExceeded():
            return "limit-exceeded"
        case StoreUnavailable():
            return "store-unavailable"
        case RestoreError():
            return "definition-mismatch"
        case _:
            logger.error("a call failed and changed nothing", exc_info=error)
            return "action-failed"
