"""Converts what a turn did to what the store keeps, and back."""

from __future__ import annotations

import json
import logging
from typing import Any

from pydantic_core import to_json

from fsmvoice.errors import RestoreError
from fsmvoice.model.chart import Chart
from fsmvoice.model.context import ContextError, check_finite
from fsmvoice.model.run_state import RunState
from fsmvoice.model.versions import load_run_state
from fsmvoice.sessions.attempt import Draft, Standing
from fsmvoice.sessions.clock import TurnClock
from fsmvoice.sessions.journal import MOST_NEWS, effects_of, events_of
from fsmvoice.sessions.keys import SessionKey
from fsmvoice.sessions.store import (
    Answer,
    Commit,
    Event,
    LimitExceeded,
    SessionStore,
    StoredSession,
)

logger: logging.Logger = logging.getLogger("fsmvoice")

SERVICE_LEASE = 10.0
"""Seconds after which a service is taken over if its process has not renewed the lease, which it does every third."""


def nowhere(seq: int) -> RunState:
    """The run state before a run, whose start is the transition after `seq`."""
    return RunState((), {}, status="stopped", seq=seq)


class Committing:
    """Reads and writes the sessions of one machine.

    Args:
        owner: the id of this process.
        audit: whether the history keeps the arguments of events.
    """

    def __init__(self, chart: Chart, store: SessionStore, *, owner: str, audit: bool) -> None:
        self._chart, self._store, self._owner, self._audit = chart, store, owner, audit

    def standing(self, stored: StoredSession, *, afresh: bool = False) -> Standing:
        """The stored session, converted for this machine.

        Args:
            afresh: whether the session will be started over, for which it need not be readable.

        Raises:
            RestoreError: if the stored state does not fit this machine.
        """
        state = stored.state
        if state is None or stored.chart is not self._chart:
            try:
                state = load_run_state(self._chart, _document(stored))
                if state.seq != stored.revision:  # nothing could ever be committed on it
                    raise RestoreError(
                        f"a stored session of {self._chart.name} has the revision {stored.revision}, but its run state "
                        f"has {state.seq}; a migration must not change 'seq'"
                    )
            except RestoreError as error:
                if not afresh:
                    raise
                logger.warning("starting a session over that can't be used: %s", error)
                state = nowhere(stored.revision)
        return Standing(state, TurnClock(stored.now), stored.run, stored.attempts, stored.news)

    def commit(  # noqa: PLR0917 - made for each call; passing keywords would slow each one down
        self,
        key: SessionKey,
        standing: Standing,
        draft: Draft,
        request_id: str | None,
        fence: int | None,
        answer: Answer | None = None,
        ends: str | None = None,
    ) -> Commit:
        """The commit of a turn, or of a session's start.

        Raises:
            LimitExceeded: if it exceeds the store's limits; nothing was changed.
            ContextError: if the context holds something that can't be stored.
        """
        chart, before, after = self._chart, draft.before, draft.after
        expected = before.seq if before.seq >= 0 else None
        named = None if answer is None else request_id
        events = events_of(chart, before, draft.journal, key.caller, named, draft.own, self._audit)
        if expected is not None and after.seq == expected:  # no transition: only a service or an effect has ended
            after = after._replace(seq=expected + 1)
            events = [*events, self._over(draft, ends)]
        timers = after.timers
        self._check(before, after)
        return Commit(
            key.storage,
            expected,
            after,
            None if self._store.instant else self._text(after),
            chart,
            chart.config.id or "",
            events,
            answer,
            effects_of(draft.journal, standing.run) if chart.behaviour.effects else (),
            tuple([service.key for service in after.services]) if after.services else (),
            self._owner,
            SERVICE_LEASE,
            draft.news[-MOST_NEWS:] if draft.news else (),
            min([timer.due for timer in timers]) if timers else None,
            fence,
            key.caller,
            standing.run,
            ends,
        )

    def _over(self, draft: Draft, ends: str | None) -> Event:
        """The event in the history for the end of a service or an effect without a transition."""
        gone = [service.id for service in draft.before.services if service not in draft.after.services]
        name = f"xstate.done.actor.{gone[0]}" if gone and ends is None else "xstate.effect.dropped"
        version = self._chart.config.version
        return Event(draft.before.seq + 1, name, version=version)

    def _check(self, before: RunState, after: RunState) -> None:
        limits = self._store.limits
        if len(after.timers) > limits.timers:
            raise LimitExceeded(f"{len(after.timers)} timers would run; a session may have at most {limits.timers}")
        if after.context is before.context:
            return
        try:
            text = to_json(after.context, inf_nan_mode="constants")
        except Exception:  # noqa: BLE001, RUF100 - whatever the error, the next line names the field
            text = to_json(self._chart.behaviour.context.dump(after.context, private=True))
        # Stores that write JSON find such numbers themselves.
        if self._store.instant and (b"NaN" in text or b"Infinity" in text):
            check_finite(after.context)
        if len(text) > limits.context:
            raise LimitExceeded(f"the context would be {len(text)} bytes; a session may have at most {limits.context}")

    def _text(self, state: RunState) -> str:
        document = state.dump(self._chart)
        try:
            return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        except (TypeError, ValueError) as error:
            raise ContextError(f"the run state of {self._chart.name} can't be stored: {error}") from error


def _document(stored: StoredSession) -> Any:
    if stored.state is not None and stored.chart is not None:
        return stored.state.dump(stored.chart)
    try:
        return json.loads(stored.document or "null")
    except ValueError as error:
        raise RestoreError(f"a stored session is not valid JSON: {error}") from error
