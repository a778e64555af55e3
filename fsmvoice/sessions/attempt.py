"""One attempt at a turn, on its own actor, so that nothing else changes."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple, TypeAlias

from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.open_step import OpenStep
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.report import Report
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import ReasonCode, Refuse
from fsmvoice.model.run_state import RunState
from fsmvoice.sessions.clock import TurnClock
from fsmvoice.sessions.gate import Gate, Stale
from fsmvoice.sessions.journal import Journal, news_of, upto
from fsmvoice.sessions.patience import Patience
from fsmvoice.sessions.reasons import StartRefused, failed_of, reason_of
from fsmvoice.sessions.request import Request, call_key

Work: TypeAlias = Callable[[FsmActor[Any]], Coroutine[Any, Any, Outcome[Any] | None]]
"""What a turn does on a session's actor. It returns None if there is nothing to report."""


class Turn(NamedTuple):
    """The result of a call: an outcome, the reason why there is none, or the earlier answer to the same request.

    Attributes:
        attempts: the number of failures in a row, including this one.
        changed: whether anything was committed: the event, or a timer that was due before it.
        replayed: what was said when the same request was handled before.
        snapshot: where the session stands, for a replay.
        said: the words of the outcome, if they were kept.
        news: what happened since somebody last listened, to be said first. `said` already starts with it.
        refusal: the report of a machine that refused to start.
    """

    outcome: Outcome[Any] | None = None
    reason: ReasonCode | None = None
    attempts: int = 0
    changed: bool = False
    replayed: str | None = None
    snapshot: Snapshot[Any] | None = None
    said: str | None = None
    news: tuple[str, ...] = ()
    refusal: Report | None = None

    @classmethod
    def failed(cls, error: Exception) -> Turn:
        """A turn that raised `error`."""
        reason, refusal = failed_of(error)
        return cls(reason=reason, refusal=refusal)


class Standing(NamedTuple):
    """A session as it was loaded, with its run state converted for this machine.

    Attributes:
        clock: the store's time.
        run: a random id of this life of the session.
    """

    state: RunState
    clock: TurnClock
    run: str
    attempts: int = 0
    news: tuple[str, ...] = ()


class Draft(NamedTuple):
    """What a turn is about to commit.

    Attributes:
        own: the index of the call's own first step in the journal. Those before it are timers' steps.
        news: what nobody will have heard of after this turn.
    """

    turn: Turn
    before: RunState
    after: RunState
    journal: Journal
    own: int
    news: tuple[str, ...]


_PROCESS = secrets.token_hex(8)


class Attempt:
    """One attempt at a turn, on a session as it was loaded. Nothing else changes.

    Args:
        work: what to do after the timers that are due. None to step only those.
        nonce: a number that identifies the call, the same for each attempt.
        heard: whether somebody will hear the result.
    """

    def __init__(  # noqa: PLR0917 - made for each call; passing keywords would slow each one down
        self,
        actor: FsmActor[Any],
        standing: Standing,
        work: Work | None,
        request: Request,
        nonce: int,
        heard: bool,
        gate: Gate | None,
    ) -> None:
        self.actor: FsmActor[Any] = actor
        self._standing, self._work, self._request = standing, work, request
        self._nonce, self._heard = nonce, heard
        self._own = False
        self._journal: Journal = []
        actor.journal, actor.clock, actor.key_of_call, actor.gate = self._journal, standing.clock, self._key, gate

    async def made(self, seconds: float, *, due: bool = True) -> Draft:
        """Run it within `seconds`. The steps of timers are kept, even if the work fails.

        Raises:
            Stale: if the turn has to start again.
        """
        before, actor, limit = self._standing.state, self.actor, Patience(seconds)
        settled, own = before, 0
        try:
            if due and before.timers:
                try:
                    await limit.over(actor.catch_up_async())
                finally:
                    settled, own = actor.run_state, len(self._journal)
            if self._request.expected is not None and self._request.expected != settled.seq:
                return self._draft(Turn(reason="version-conflict"), settled, own)
            if self._work is None:
                return self._draft(Turn(), settled, own)
            self._own = True
            outcome = await limit.over(self._work(actor))
            if limit.expired:
                return self._draft(Turn(reason="action-timeout", attempts=self._standing.attempts + 1), settled, own)
            return self._done(outcome, own)
        except Stale:
            raise
        except Exception as error:  # the user's code may raise anything
            reason = "action-timeout" if limit.expired else reason_of(error)
            return self._draft(Turn(reason=reason, attempts=self._standing.attempts + 1), settled, own)
        finally:
            actor.journal = actor.key_of_call = actor.gate = None  # breaks reference cycles
            actor.close()

    async def started(self, seconds: float) -> Draft:
        """Start the session, which is its first transition. Raises whatever the machine's start raises."""
        try:
            async with asyncio.timeout(seconds):
                outcome = await (self._work or _nothing)(self.actor)
        finally:
            self.actor.close()
        if outcome is None:
            raise Refuse("")
        if not outcome.ok:
            raise StartRefused(outcome.report)
        return self._draft(Turn(), outcome.snapshot.run_state, 0)

    def _done(self, outcome: Outcome[Any] | None, own: int) -> Draft:
        if outcome is None:
            return self._draft(Turn(), self.actor.run_state, own)
        standing, before = self._standing, self._standing.state
        after, failed = outcome.snapshot.run_state, outcome.reason
        owner, journal = outcome.owner, self._journal
        if owner is not self.actor and isinstance(owner, FsmActor) and owner.journal is not None:
            journal, owner.journal, owner.key_of_call, owner.gate = owner.journal, None, None, None
        kept = journal if journal and journal[-1][1] is after else upto(journal, after)
        told = standing.news + news_of(self.actor.chart, kept[:own]) if own else standing.news
        said = None
        if outcome.ok and self._request.id is not None:
            said = self._request.say(outcome, news=told) if told else self._request.say(outcome)
        # Having to confirm is not a failure.
        attempts = 0 if failed is None or failed == "needs-confirmation" else standing.attempts + 1
        turn = Turn(outcome, failed, attempts, after is not before, None, None, said, told)
        return Draft(turn, before, after, kept, own, ())

    def _draft(self, turn: Turn, after: RunState, own: int) -> Draft:
        """The draft of a turn without an outcome, after which nobody has heard anything."""
        before = self._standing.state
        kept = upto(self._journal, after)
        news = self._standing.news + news_of(self.actor.chart, kept[:own] if self._heard else kept)
        return Draft(turn._replace(changed=after is not before), before, after, kept, own, news)

    def _key(self, step: OpenStep) -> str:
        """The idempotency key of a step: from the request for the call's own steps, from the revision for others."""
        number = len(self._journal)
        if self._own and self._request.id is not None:
            what = f"request {self._request.id} {number}"
        elif self._own and self._heard:
            what = f"call {_PROCESS} {self._nonce} {number}"
        else:
            what = f"step {step.first} {step.before.seq}"
        return call_key(self._standing.run, what)


async def _nothing(_actor: FsmActor[Any]) -> None:
    return None
