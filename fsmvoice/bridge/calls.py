"""The handling of one call: read the arguments, take a turn on the session, say what came of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fsmvoice.bridge.arguments import Arguments, as_object, read_arguments
from fsmvoice.bridge.result import reply
from fsmvoice.bridge.spec import ToolReply
from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import ReasonCode
from fsmvoice.model.chart import Chart
from fsmvoice.sessions.keys import CallContext, SessionKey, SessionNotFound, handle_key, new_handle, session_key
from fsmvoice.sessions.turn import Sessions, Turn, reason_of
from fsmvoice.voice.offers import Offer, offers
from fsmvoice.voice.reply import Speech

logger: logging.Logger = logging.getLogger("fsmvoice")

_NOBODY = CallContext()


class Calls:
    """The calls on one machine."""

    chart: Chart
    speech: Speech

    def __init__(
        self,
        sessions: Sessions,
        speech: Speech,
        tools: Mapping[str, str],
        *,
        handles: bool = False,
        get_session_id: Callable[[CallContext], str | None] | None = None,
    ) -> None:
        self.chart = sessions.chart
        self._sessions, self.speech, self._tools = sessions, speech, tools
        self._handles, self._get_session_id = handles, get_session_id
        self._machine_id = self.chart.config.id or ""
        self._restarts = (self.chart.config.meta or {}).get("restartWhenDone") is True

    def key(self, ctx: CallContext | None, handle: object = None) -> SessionKey:
        """The session a call is for. Raises SessionNotFound for a handle that can't be one."""
        return session_key(
            ctx or _NOBODY,
            self._machine_id,
            handle=handle,
            handles=self._handles,
            get_session_id=self._get_session_id,
        )

    async def event(self, event: str, arguments: Any = None, ctx: CallContext | None = None) -> ToolReply:
        """Fire `event` with what the client sent."""
        found = self._addressed(arguments, ctx)
        if isinstance(found, ToolReply):
            return found
        key, given = found
        read = read_arguments(self.chart.behaviour.payloads.get(event), given)
        if read.reason is not None:
            return await self._misread(key, event, read)
        turn = await self._sessions.take_turn(key, lambda actor: self._fire(actor, event, read.values))
        if turn.outcome is None:
            return await self._failed(key, turn.reason or "action-failed")
        return self._spoken(key, turn, turn.outcome)

    async def status(self, arguments: Any = None, ctx: CallContext | None = None) -> ToolReply:
        """Say where the session stands; nothing is changed, and no turn is waited for."""
        found = self._addressed(arguments, ctx)
        if isinstance(found, ToolReply):
            return found
        snapshot = await self.look(found[0])
        if not isinstance(snapshot, Snapshot):
            return reply(self.speech.failure(snapshot), reason=snapshot)
        return self._stands(found[0], snapshot)

    async def start_over(self, arguments: Any = None, ctx: CallContext | None = None) -> ToolReply:
        """Begin again in the same session."""
        found = self._addressed(arguments, ctx)
        if isinstance(found, ToolReply):
            return found
        turn = await self.reset(found[0])
        if turn.outcome is None:
            return await self._failed(found[0], turn.reason or "action-failed")
        return self._spoken(found[0], turn, turn.outcome)

    async def start_session(self, arguments: Any = None, ctx: CallContext | None = None) -> ToolReply:
        """Open a session of the caller's own, and hand out its handle."""
        key = handle_key(ctx or _NOBODY, self._machine_id, new_handle())
        try:
            snapshot = await self._sessions.open(key)
        except Exception as error:  # a machine's start may raise anything
            reason = reason_of(error)
            return reply(self.speech.failure(reason), reason=reason)
        return self._stands(key, snapshot, changed=True)

    async def look(self, key: SessionKey) -> Snapshot[Any] | ReasonCode:
        """The session as it was last committed, or why there is none to be seen."""
        try:
            return await self._sessions.look(key)
        except Exception as error:  # a machine's start may raise anything
            return reason_of(error)

    async def reset(self, key: SessionKey) -> Turn:
        """Begin again; what `start_over` does, without the words."""
        return await self._sessions.take_turn(key, lambda actor: actor.reset_async())

    async def _fire(self, actor: FsmActor[Any], event: str, values: Mapping[str, Any]) -> Outcome[Any]:
        outcome = await actor.fire(event, values)
        if outcome.ok or not (self._restarts and outcome.snapshot.done):
            return outcome
        again = self._sessions.actor(actor.run_state)
        await again.reset_async()
        begun = await again.fire(event, values)
        return begun if begun.ok else outcome

    async def _misread(self, key: SessionKey, event: str, read: Arguments) -> ToolReply:
        """Ask about arguments that do not fit; but where the event is not possible anyway, say that."""
        snapshot = await self.look(key)
        reason, attempts = read.reason or "invalid-arguments", await self._sessions.miss(key)
        if not isinstance(snapshot, Snapshot):
            return reply(self.speech.failure(snapshot), reason=snapshot)
        offered = offers(snapshot, self.speech.phrases.tag)
        verdict = snapshot.verdicts.get(event)
        if (verdict is None or not verdict.possible) and not (self._restarts and snapshot.done):
            closed = next((offer.say for offer in offered if offer.event == event), "")
            why = closed if verdict is not None and verdict.arcs else ""
            reason = verdict.reason or "guard-rejected" if verdict is not None else "no-transition"
            say = self.speech.refusal(snapshot, event, why, attempts=attempts, offered=offered)
        elif read.faults:
            say = self.speech.arguments(snapshot, event, read.faults, offered)
        else:
            say = self.speech.failure(reason)
        return self._told(key, say, snapshot, offered, reason=reason)

    async def _failed(self, key: SessionKey, reason: ReasonCode) -> ToolReply:
        """Say that nothing was done, with the facts as they are."""
        say = self.speech.failure(reason)
        snapshot = None if reason == "session-not-found" else await self.look(key)
        if not isinstance(snapshot, Snapshot):
            return reply(say, reason=reason)
        offered = offers(snapshot, self.speech.phrases.tag)
        return self._told(key, say, snapshot, offered, reason=reason)

    def _spoken(self, key: SessionKey, turn: Turn, outcome: Outcome[Any]) -> ToolReply:
        offered = offers(outcome.snapshot, self.speech.phrases.tag)
        say = self.speech.outcome(outcome, attempts=turn.attempts, offered=offered)
        return self._told(key, say, outcome.snapshot, offered, reason=outcome.reason, changed=outcome.changed)

    def _stands(self, key: SessionKey, snapshot: Snapshot[Any], *, changed: bool = False) -> ToolReply:
        offered = offers(snapshot, self.speech.phrases.tag)
        say = self.speech.status(snapshot, offered=offered)
        return self._told(key, say, snapshot, offered, changed=changed)

    def _told(
        self,
        key: SessionKey,
        say: str,
        snapshot: Snapshot[Any],
        offered: Sequence[Offer],
        *,
        reason: ReasonCode | None = None,
        changed: bool = False,
    ) -> ToolReply:
        return reply(
            say,
            reason=reason,
            changed=changed,
            snapshot=snapshot,
            offered=offered,
            tools=self._tools,
            session=key.handle,
        )

    def _addressed(self, arguments: Any, ctx: CallContext | None) -> tuple[SessionKey, dict[str, Any]] | ToolReply:
        """The session that is meant and the arguments without it, or the reply that there is none."""
        given = as_object(arguments)
        if given is None:
            return reply(self.speech.failure("invalid-arguments"), reason="invalid-arguments")
        handle = given.pop("session", None) if self._handles else None
        try:
            return self.key(ctx, handle), given
        except SessionNotFound:
            return reply(self.speech.failure("session-not-found"), reason="session-not-found")
        except Exception:  # a user's get_session_id may raise anything
            logger.exception("get_session_id failed")
            return reply(self.speech.failure("action-failed"), reason="action-failed")
