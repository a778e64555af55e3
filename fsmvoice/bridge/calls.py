"""`Calls`: handles a call: reads the arguments, takes a turn on the session, and makes the reply."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from fsmvoice.bridge.arguments import as_object, read_arguments
from fsmvoice.bridge.asking import Asking
from fsmvoice.bridge.call import Call
from fsmvoice.bridge.client import Client
from fsmvoice.bridge.confirm_token import ConfirmTokens
from fsmvoice.bridge.confirmation import Confirmation
from fsmvoice.bridge.firing import Firing
from fsmvoice.bridge.handles import handles_for
from fsmvoice.bridge.progress import reporting
from fsmvoice.bridge.replies import Replies
from fsmvoice.bridge.result import reply
from fsmvoice.bridge.spec import ToolReply
from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import ReasonCode
from fsmvoice.model.chart import Chart
from fsmvoice.sessions.keys import (
    CallContext,
    SessionKey,
    SessionNotFound,
    handle_key,
    languages_of,
    session_key,
)
from fsmvoice.sessions.meta import read_meta
from fsmvoice.sessions.request import PLAIN, Request, digest_of
from fsmvoice.sessions.sealing import Keys
from fsmvoice.sessions.stored_keys import StoredKeys
from fsmvoice.sessions.turn import Failed, Sessions, Turn, failed_of, reason_of
from fsmvoice.voice import texts
from fsmvoice.voice.heard import Asked
from fsmvoice.voice.reply import Speech

logger: logging.Logger = logging.getLogger("fsmvoice")

_NOBODY = CallContext()
_START_OVER = "start over()"
"""Stands for starting over in request digests; no event can have this name."""


class Calls:
    """The calls on one machine."""

    chart: Chart
    sessions: Sessions
    speech: Speech

    def __init__(
        self,
        sessions: Sessions,
        speech: Speech,
        tools: Mapping[str, str],
        *,
        handles: bool = False,
        get_session_id: Callable[[CallContext], str | None] | None = None,
        keys: Keys | None = None,
    ) -> None:
        self.chart = chart = sessions.chart
        self.sessions, self.speech = sessions, speech
        self._handles, self._get_session_id = handles, get_session_id
        self._machine_id = chart.config.id or ""
        self._keys = StoredKeys(sessions.store) if keys is None else keys
        self._confirmed = frozenset(event for event in tools if texts.confirm(chart, event) is not None)
        self._irreversible = frozenset(event for event in tools if texts.is_irreversible(chart, event))
        restarts = (chart.config.meta or {}).get("restartWhenDone") is True
        firing = Firing(sessions, restarts=restarts)
        self._fire = firing.fire if restarts else FsmActor.fire
        self._replies = Replies(sessions, tools)
        self._asking = Asking(sessions, self._replies, restarts=restarts)
        self._confirmation = Confirmation(sessions, self._replies, firing, ConfirmTokens(self._keys))

    def key(self, ctx: CallContext | None, handle: object = None) -> SessionKey:
        """The session of a call.

        Raises:
            SessionNotFound: if the handle is malformed.
        """
        return session_key(
            _caller(ctx),
            self._machine_id,
            handle=handle,
            handles=self._handles,
            get_session_id=self._get_session_id,
        )

    async def event(
        self, event: str, arguments: Any = None, ctx: CallContext | None = None, client: Client | None = None
    ) -> ToolReply:
        """Send `event` with the client's arguments, after asking for missing ones and for confirmation."""
        call = self._addressed(arguments, ctx, event)
        if isinstance(call, ToolReply):
            return call
        confirmed = event in self._confirmed
        if confirmed:
            if (failed := await self.without_keys()) is not None:
                return reply(call.speech.failure(failed), reason=failed)
            call = self._confirmation.resumed(call, client)
        read = read_arguments(self.chart.behaviour.payloads.get(event), call.given)
        if read.reason is not None:
            settled = await self._asking.settle(call, event, read, client)
            if isinstance(settled, ToolReply):
                return settled
            call, read = settled
        values = read.values
        if confirmed:
            return await self._confirmation.fire(call, event, values, client)
        if client is None or client.progress_every is None:
            return await self._fired(call, event, values)
        async with reporting(client, lambda: self._replies.working(call, event, values)):
            return await self._fired(call, event, values)

    async def status(
        self,
        arguments: Any = None,
        ctx: CallContext | None = None,
        client: Client | None = None,
    ) -> ToolReply:
        """Reply with the session's status. It changes nothing, and does not wait for running calls."""
        call = self._addressed(arguments, ctx)
        if isinstance(call, ToolReply):
            return call
        snapshot = await self._replies.look(call)
        if not isinstance(snapshot, Snapshot):
            return reply(call.speech.failure(*snapshot), reason=snapshot.reason)
        return self._replies.stands(call, snapshot, news=await self.sessions.hear(call.key))

    async def not_heard(self, ctx: CallContext | None = None, asked: Asked | None = None) -> str:
        """What to say to an utterance that was not recognized. It counts as a failure, and changes nothing.

        Args:
            asked: the open question, if any.
        """
        speech = self.speech_for(ctx)
        try:
            key = self.key(ctx)
        except SessionNotFound:
            return speech.failure("session-not-found")
        snapshot = await self._replies.look(Call(key, {}, PLAIN, speech))
        if not isinstance(snapshot, Snapshot):
            return speech.failure(*snapshot)
        attempts = await self.sessions.miss(key)
        return speech.not_heard(snapshot, asked, attempts=attempts, news=await self.sessions.hear(key))

    async def start_over(
        self, arguments: Any = None, ctx: CallContext | None = None, client: Client | None = None
    ) -> ToolReply:
        """Start the session over."""
        call = self._addressed(arguments, ctx, _START_OVER)
        if isinstance(call, ToolReply):
            return call
        async with reporting(client, lambda: self._replies.working(call, None, {})):
            return await self._replies.turned(call, await self.reset(call.key, call.request))

    async def start_session(
        self,
        arguments: Any = None,
        ctx: CallContext | None = None,
        client: Client | None = None,
    ) -> ToolReply:
        """Open a session of the caller's own and return its handle. A repeated request returns the same one."""
        caller, speech = _caller(ctx), self.speech_for(ctx)
        meta = read_meta(caller.meta)
        if meta.unreadable is not None:
            return _unreadable(speech, meta.unreadable)
        if (reason := await self.without_keys()) is not None:
            return reply(speech.failure(reason), reason=reason)
        found = handles_for(self._keys, caller, self._machine_id, meta.request_id)
        calls = [Call(handle_key(caller, self._machine_id, handle), {}, PLAIN, speech) for handle in found]
        try:
            if meta.request_id is not None:
                for call in calls:
                    if (snapshot := await self.sessions.peek(call.key)) is not None:
                        return self._replies.stands(call, snapshot, replayed=True)
            snapshot = await self.sessions.open(calls[0].key)
        except Exception as error:  # a machine's start may raise anything
            failed = failed_of(error)
            return reply(speech.failure(*failed), reason=failed.reason)
        return self._replies.stands(calls[0], snapshot, changed=True)

    async def without_keys(self) -> ReasonCode | None:
        """Load the keys on first use. Returns the reason if that fails, else None."""
        if isinstance(self._keys, StoredKeys):
            try:
                await self._keys.ready()
            except Exception as error:  # a store may raise anything
                return reason_of(error)
        return None

    async def look(self, key: SessionKey) -> Snapshot[Any] | Failed:
        """The last committed snapshot of a session, or the reason why there is none."""
        return await self._replies.look(Call(key, {}, PLAIN, self.speech))

    async def reset(self, key: SessionKey, request: Request = PLAIN) -> Turn:
        """Start a session over, without a reply."""
        return await self.sessions.take_turn(
            key, lambda actor: actor.reset_async(), request, due=False, event="start over"
        )

    def listen(self, key: SessionKey, changed: Callable[[], None]) -> Callable[[], None]:
        """Call `changed` after each commit on the session. Returns a function that stops this."""
        return self.sessions.feed.listen(key.storage, lambda _revision: changed())

    def speech_for(self, ctx: CallContext | None) -> Speech:
        """The speech for a caller, in the best of their languages that the machine has texts in."""
        languages = () if ctx is None else languages_of(ctx)
        return self.speech.speaking(self.chart, languages) if languages else self.speech

    async def _fired(self, call: Call, event: str, values: Mapping[str, Any]) -> ToolReply:
        fire = self._fire
        turn = await self.sessions.take_turn(
            call.key, lambda actor: fire(actor, event, values), call.request, event=event
        )
        return self._replies.came_to(call, turn) or await self._replies.turned(call, turn)

    def _addressed(self, arguments: Any, ctx: CallContext | None, what: str | None = None) -> Call | ToolReply:
        """The call on its session, or the reply that there is none. `what` is the event to be fired, if any."""
        caller, speech = _caller(ctx), self.speech_for(ctx)
        given = as_object(arguments)
        if given is None:
            return _lost(speech, "invalid-arguments")
        handle = given.pop("session", None) if self._handles else None
        try:
            key = self.key(caller, handle)
        except SessionNotFound:
            return _lost(speech, "session-not-found")
        except Exception:  # a user's get_session_id may raise anything
            logger.exception("get_session_id failed")
            return _lost(speech, "action-failed")
        if what is None:
            return Call(key, given, PLAIN, speech)
        once = given.pop("request_id", None) if what in self._irreversible else None
        meta = read_meta(caller.meta, once)
        if meta.unreadable is not None:
            return _unreadable(speech, meta.unreadable)
        token = None
        if what in self._confirmed:
            token = given.pop("confirm_token", None) or meta.confirm
        if meta.request_id is None:
            request = PLAIN if meta.expected_revision is None else Request(expected=meta.expected_revision)
        else:
            request = Request(meta.request_id, digest_of(what, given), meta.expected_revision, speech.outcome)
        return Call(key, given, request, speech, token if isinstance(token, str) else None)


def _caller(ctx: CallContext | None) -> CallContext:
    """The caller's context.

    Raises:
        TypeError: if `ctx` is not a CallContext, which is a mistake of the program and not of a client.
    """
    if ctx is None:
        return _NOBODY
    if not isinstance(ctx, CallContext):  # pyright: ignore[reportUnnecessaryIsInstance] - users pass dicts and SDK contexts
        raise TypeError(f"ctx should be a CallContext, not {type(ctx).__name__}: CallContext(session_id=..., meta=...)")
    return ctx


def _unreadable(speech: Speech, name: str) -> ToolReply:
    logger.warning("a call has an invalid %s", name)
    return _lost(speech, "invalid-arguments")


def _lost(speech: Speech, reason: ReasonCode) -> ToolReply:
    return reply(speech.failure(reason), reason=reason)
