"""The replies to calls: words to say, and the facts of the session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fsmvoice.bridge.call import Call
from fsmvoice.bridge.result import reply
from fsmvoice.bridge.spec import ToolReply
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import ReasonCode
from fsmvoice.sessions.turn import Failed, Sessions, Turn, failed_of
from fsmvoice.voice import texts
from fsmvoice.voice.offers import Offer, lookup, offers
from fsmvoice.voice.slots import fill


class Replies:
    """Makes the replies of one machine. `tools` maps its events to the names of their tools."""

    def __init__(self, sessions: Sessions, tools: Mapping[str, str]) -> None:
        self._sessions, self._tools = sessions, tools

    async def look(self, call: Call) -> Snapshot[Any] | Failed:
        """The session as it was last committed, or why it can't be read."""
        try:
            return await self._sessions.look(call.key)
        except Exception as error:  # a machine's start may raise anything
            return failed_of(error)

    async def working(self, call: Call, event: str | None, values: Mapping[str, Any]) -> str:
        """What to say while an event takes long."""
        phrases = call.speech.phrases
        text = None if event is None else texts.working(self._sessions.chart, event, phrases.tag)
        snapshot = None if text is None else await self._sessions.peek(call.key)
        if text is None or snapshot is None:
            return phrases.wait
        return fill(text, lookup(snapshot, values, phrases.tag), phrases) or phrases.wait

    async def failed(self, call: Call, reason: ReasonCode, say: str = "", *, changed: bool = False) -> ToolReply:
        """A reply that nothing was done, with the current facts."""
        say = say or call.speech.failure(reason)
        snapshot = None if reason == "session-not-found" else await self.look(call)
        if not isinstance(snapshot, Snapshot):
            return reply(say, reason=reason)
        offered = offers(snapshot, call.speech.phrases.tag)
        return self.told(call, say, snapshot, offered, reason=reason, changed=changed)

    async def turned(self, call: Call, turn: Turn) -> ToolReply:
        """The reply to a turn, whether it has an outcome, was replayed or failed."""
        told = self.came_to(call, turn)
        if told is not None:
            return told
        if turn.replayed is not None and turn.snapshot is not None:
            offered = offers(turn.snapshot, call.speech.phrases.tag)
            return self.told(call, turn.replayed, turn.snapshot, offered, replayed=True)
        reason = turn.reason or "action-failed"
        return await self.failed(call, reason, call.speech.failure(reason, turn.refusal), changed=turn.changed)

    def came_to(self, call: Call, turn: Turn) -> ToolReply | None:
        """The reply to a turn that has an outcome, None for any other."""
        outcome = turn.outcome
        if outcome is None:
            return None
        snapshot = outcome.snapshot
        offered = offers(snapshot, call.speech.phrases.tag)
        say = turn.said
        if say is None:
            say = call.speech.outcome(outcome, attempts=turn.attempts, offered=offered, news=turn.news)
        return self.told(call, say, snapshot, offered, reason=outcome.reason, changed=turn.changed)

    def stands(
        self,
        call: Call,
        snapshot: Snapshot[Any],
        *,
        changed: bool = False,
        replayed: bool = False,
        news: Sequence[str] = (),
    ) -> ToolReply:
        """The reply that tells where the session stands. `news` happened while nobody listened, and is said first."""
        offered = offers(snapshot, call.speech.phrases.tag)
        say = call.speech.status(snapshot, offered=offered, news=news)
        return self.told(call, say, snapshot, offered, changed=changed, replayed=replayed)

    def told(
        self,
        call: Call,
        say: str,
        snapshot: Snapshot[Any],
        offered: Sequence[Offer],
        *,
        reason: ReasonCode | None = None,
        changed: bool = False,
        replayed: bool = False,
        more: Mapping[str, Any] | None = None,
    ) -> ToolReply:
        """The reply with `say` and the facts of `snapshot`. `more` holds fields that only this reply has."""
        return reply(
            say,
            reason=reason,
            changed=changed,
            replayed=replayed,
            snapshot=snapshot,
            offered=offered,
            tools=self._tools,
            session=call.key.handle,
            locale=call.speech.phrases.tag,
            more=more,
        )
