"""The handling of one call: read the arguments, take a turn on the session, say what came of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from fsmvoice.bridge.arguments import Arguments, as_object, read_arguments
from fsmvoice.bridge.client import Client, Declined
from fsmvoice.bridge.form import form_for
from fsmvoice.bridge.progress import reporting
from fsmvoice.bridge.result import reply
from fsmvoice.bridge.spec import ToolReply
from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import ReasonCode
from fsmvoice.model.chart import Chart
from fsmvoice.model.payload import Payload
from fsmvoice.sessions.keys import CallContext, SessionKey, SessionNotFound, handle_key, new_handle, session_key
from fsmvoice.sessions.meta import read_meta
from fsmvoice.sessions.request import PLAIN, Request, digest_of
from fsmvoice.sessions.turn import Sessions, Turn, reason_of
from fsmvoice.voice import texts
from fsmvoice.voice.offers import Offer, lookup, offers
from fsmvoice.voice.reply import Speech
from fsmvoice.voice.slots import fill

logger: logging.Logger = logging.getLogger("fsmvoice")

_NOBODY = CallContext()
_START_OVER = "start over()"
"""What is done by starting over; no event has such a name."""


class _Call(NamedTuple):
    """Whose session is meant, the arguments without those of the bridge itself, and how often it may be done."""

    key: SessionKey
    given: dict[str, Any]
    request: Request


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

    async def event(
        self, event: str, arguments: Any = None, ctx: CallContext | None = None, client: Client | None = None
    ) -> ToolReply:
        """Fire `event` with what the client sent. Where a human can be asked, they are, for what is missing."""
        call = self._addressed(arguments, ctx, event)
        if isinstance(call, ToolReply):
            return call
        read = read_arguments(self.chart.behaviour.payloads.get(event), call.given)
        if read.reason is not None:
            settled = await self._misread(call, event, read, client)
            if isinstance(settled, ToolReply):
                return settled
            read = settled
        values = read.values
        if client is None or client.progress_every is None:
            return await self._fired(call, event, values)
        async with reporting(client, lambda: self._working(call.key, event, values)):
            return await self._fired(call, event, values)

    async def status(
        self,
        arguments: Any = None,
        ctx: CallContext | None = None,
        client: Client | None = None,
    ) -> ToolReply:
        """Say where the session stands; nothing is changed, and no turn is waited for."""
        call = self._addressed(arguments, ctx)
        if isinstance(call, ToolReply):
            return call
        snapshot = await self.look(call.key)
        if not isinstance(snapshot, Snapshot):
            return reply(self.speech.failure(snapshot), reason=snapshot)
        return self._stands(call.key, snapshot)

    async def start_over(
        self, arguments: Any = None, ctx: CallContext | None = None, client: Client | None = None
    ) -> ToolReply:
        """Begin again in the same session."""
        call = self._addressed(arguments, ctx, _START_OVER)
        if isinstance(call, ToolReply):
            return call
        async with reporting(client, lambda: self._working(call.key, None, {})):
            return await self._replied(call.key, await self.reset(call.key, call.request))

    async def start_session(
        self,
        arguments: Any = None,
        ctx: CallContext | None = None,
        client: Client | None = None,
    ) -> ToolReply:
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

    async def reset(self, key: SessionKey, request: Request = PLAIN) -> Turn:
        """Begin again; what `start_over` does, without the words."""
        return await self._sessions.take_turn(key, lambda actor: actor.reset_async(), request, due=False)

    def listen(self, key: SessionKey, changed: Callable[[], None]) -> Callable[[], None]:
        """Have `changed` called after each commit on the session; returns what ends that."""
        return self._sessions.feed.listen(key.storage, lambda _revision: changed())

    async def _fired(self, call: _Call, event: str, values: Mapping[str, Any]) -> ToolReply:
        fire = self._fire_again if self._restarts else FsmActor.fire
        turn = await self._sessions.take_turn(call.key, lambda actor: fire(actor, event, values), call.request)
        return self._came_to(call.key, turn) or await self._replied(call.key, turn)

    async def _fire_again(self, actor: FsmActor[Any], event: str, values: Mapping[str, Any]) -> Outcome[Any]:
        """Fire; where the machine is done, begin again for an event that it takes then."""
        outcome = await actor.fire(event, values)
        if outcome.ok or not outcome.snapshot.done:
            return outcome
        again = self._sessions.actor(actor.run_state)
        await again.reset_async()
        begun = await again.fire(event, values)
        return begun if begun.ok else outcome

    async def _misread(self, call: _Call, event: str, read: Arguments, client: Client | None) -> ToolReply | Arguments:
        """Ask about arguments that do not fit; but where the event is not possible anyway, say that.

        The arguments, if a human gave them. Nothing is held while that takes: the turn after it starts from the top.
        """
        key, request = call.key, call.request
        again = await self._sessions.replay(key, request)
        if again is not None:
            return await self._replied(key, again)
        snapshot = await self.look(key)
        if not isinstance(snapshot, Snapshot):
            await self._sessions.miss(key)
            return reply(self.speech.failure(snapshot), reason=snapshot)
        if request.expected not in (None, snapshot.revision):
            return await self._failed(key, "version-conflict")
        reason = read.reason or "invalid-arguments"
        offered = offers(snapshot, self.speech.phrases.tag)
        verdict = snapshot.verdicts.get(event)
        if (verdict is None or not verdict.possible) and not (self._restarts and snapshot.done):
            closed = next((offer.say for offer in offered if offer.event == event), "")
            why = closed if verdict is not None and verdict.arcs else ""
            reason = verdict.reason or "guard-rejected" if verdict is not None else "no-transition"
            attempts = await self._sessions.miss(key)
            say = self.speech.refusal(snapshot, event, why, attempts=attempts, offered=offered)
            return self._told(key, say, snapshot, offered, reason=reason)
        if not read.faults:
            await self._sessions.miss(key)
            return self._told(key, self.speech.failure(reason), snapshot, offered, reason=reason)
        say = self.speech.arguments(snapshot, event, read.faults, offered)
        if client is not None:
            settled = await self._asked(call, event, read, client, say=say, offered=offered)
            if settled is not None:
                return settled
        await self._sessions.miss(key)
        return self._told(key, say, snapshot, offered, reason=reason)

    async def _asked(
        self, call: _Call, event: str, read: Arguments, client: Client, *, say: str, offered: Sequence[Offer]
    ) -> ToolReply | Arguments | None:
        """What a human answered to `say`, or the reply to a human who did not want to; None if nobody can be asked."""
        payload = self.chart.behaviour.payloads.get(event) or Payload(event)
        accepted = next((offer.accepted for offer in offered if offer.event == event), None)
        question = form_for(say, payload, read.faults, accepted) if client.can_ask else None
        if question is None:
            return None
        try:
            answers = await client.ask(question)
        except Declined:
            return await self._failed(
                call.key, "refused", self.speech.phrases.left_alone(texts.label(self.chart, event))
            )
        if answers is None:
            return None
        fields = question.schema["properties"]
        given = {**call.given, **{name: value for name, value in answers.items() if name in fields}}
        again = read_arguments(payload, given)
        # Asked once: who answers with something else hears the question as any other caller does.
        return again if again.reason is None else await self._misread(call, event, again, None)

    async def _working(self, key: SessionKey, event: str | None, values: Mapping[str, Any]) -> str:
        """What to say while an event takes long."""
        phrases = self.speech.phrases
        text = None if event is None else texts.working(self.chart, event)
        snapshot = None if text is None else await self._sessions.peek(key)
        if text is None or snapshot is None:
            return phrases.wait
        return fill(text, lookup(snapshot, values), phrases) or phrases.wait

    async def _failed(self, key: SessionKey, reason: ReasonCode, say: str = "", *, changed: bool = False) -> ToolReply:
        """Say that nothing was done, with the facts as they are."""
        say = say or self.speech.failure(reason)
        snapshot = None if reason == "session-not-found" else await self.look(key)
        if not isinstance(snapshot, Snapshot):
            return reply(say, reason=reason)
        offered = offers(snapshot, self.speech.phrases.tag)
        return self._told(key, say, snapshot, offered, reason=reason, changed=changed)

    async def _replied(self, key: SessionKey, turn: Turn) -> ToolReply:
        """What a turn came to, in words and facts."""
        told = self._came_to(key, turn)
        if told is not None:
            return told
        if turn.replayed is not None and turn.snapshot is not None:
            offered = offers(turn.snapshot, self.speech.phrases.tag)
            return self._told(key, turn.replayed, turn.snapshot, offered, replayed=True)
        return await self._failed(key, turn.reason or "action-failed", changed=turn.changed)

    def _came_to(self, key: SessionKey, turn: Turn) -> ToolReply | None:
        """The reply to a turn that came to an outcome."""
        outcome = turn.outcome
        if outcome is None:
            return None
        offered = offers(outcome.snapshot, self.speech.phrases.tag)
        say = turn.said
        if say is None:
            say = self.speech.outcome(outcome, attempts=turn.attempts, offered=offered)
        return self._told(key, say, outcome.snapshot, offered, reason=outcome.reason, changed=turn.changed)

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
        replayed: bool = False,
    ) -> ToolReply:
        return reply(
            say,
            reason=reason,
            changed=changed,
            replayed=replayed,
            snapshot=snapshot,
            offered=offered,
            tools=self._tools,
            session=key.handle,
        )

    def _addressed(self, arguments: Any, ctx: CallContext | None, what: str | None = None) -> _Call | ToolReply:
        """The call that is meant, or the reply that there is none. `what` is done in it, if it changes anything."""
        given = as_object(arguments)
        if given is None:
            return self._lost("invalid-arguments")
        handle = given.pop("session", None) if self._handles else None
        try:
            key = self.key(ctx, handle)
        except SessionNotFound:
            return self._lost("session-not-found")
        except Exception:  # a user's get_session_id may raise anything
            logger.exception("get_session_id failed")
            return self._lost("action-failed")
        if what is None:
            return _Call(key, given, PLAIN)
        once = given.pop("request_id", None) if texts.is_irreversible(self.chart, what) else None
        meta = read_meta(_NOBODY.meta if ctx is None else ctx.meta, once)
        if meta.unreadable is not None:
            logger.warning("a call's %s is not one", meta.unreadable)
            return self._lost("invalid-arguments")
        if meta.request_id is None:
            request = PLAIN if meta.expected_revision is None else Request(expected=meta.expected_revision)
        else:
            request = Request(meta.request_id, digest_of(what, given), meta.expected_revision, self.speech.outcome)
        return _Call(key, given, request)

    def _lost(self, reason: ReasonCode) -> ToolReply:
        return reply(self.speech.failure(reason), reason=reason)
