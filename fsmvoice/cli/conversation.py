"""`Conversation`: talks to a machine in words, through its tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fsmvoice.bridge.bridge import FsmMcpBridge
from fsmvoice.bridge.spec import ToolReply
from fsmvoice.model.naming import own_tool_name
from fsmvoice.model.payload import InvalidPayload, json_value
from fsmvoice.sessions.keys import CallContext
from fsmvoice.voice import texts
from fsmvoice.voice.heard import NO, REPEAT, ROLES, START_OVER, Ambiguous, Asked, Match, NoMatch
from fsmvoice.voice.languages import best
from fsmvoice.voice.match import hear
from fsmvoice.voice.phrases.catalogue import phrases_for


@dataclass(frozen=True)
class Turn:
    """An utterance and its result. `reason` is the code of a refusal, "no-match", "ambiguous", or None."""

    heard: str
    event: str | None
    payload: Mapping[str, Any]
    ok: bool
    reason: str | None
    say: str
    state: Any
    candidates: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "heard": self.heard,
            "event": self.event,
            "payload": json_value(dict(self.payload)),
            "ok": self.ok,
            "reason": self.reason,
            "say": self.say,
            "state": self.state,
        }
        return {**found, "candidates": list(self.candidates)} if self.candidates else found


class Conversation:
    """Talks to one machine. Its replies are those of the machine's tools, so any host would say the same.

    Args:
        locale: the language of the conversation. Defaults to the machine's own, also if it has no texts in `locale`.
    """

    said: str
    """The last reply."""
    speaks: bool
    """Whether the machine has texts in the requested language."""

    def __init__(self, bridge: FsmMcpBridge, locale: str | None = None) -> None:
        self._bridge, self._ctx = bridge, CallContext(locale=locale)
        locales = bridge.chart.behaviour.locales
        known = (bridge.locale, *(locales.tags if locales is not None else ()))
        self.speaks = locale is None or best((locale,), known) is not None
        self._locale = locale if locale is not None and self.speaks else bridge.locale
        self._asked: Asked | None = None
        self._token: str | None = None
        self.said = ""
        self._tools = {tool.event: tool.name for tool in bridge.tools if tool.event is not None}

    @property
    def asked(self) -> Asked | None:
        """The question that is waiting for an answer, if any."""
        return self._asked

    async def snapshot(self) -> Any:
        """The current snapshot."""
        return await self._bridge.get_snapshot(self._ctx)

    async def aclose(self) -> None:
        """Close the bridge. Running services and effects get a moment to finish."""
        await self._bridge.aclose()

    async def status(self) -> str:
        """The spoken status, preceded by what has happened since the last reply."""
        self.said = (await self._own("status")).text
        return self.said

    async def hear(self, text: str) -> Turn:
        """Send the event that `text` asks for, or ask back."""
        snapshot = await self.snapshot()
        heard = hear(snapshot, text, locale=self._locale, asked=self._asked)
        if isinstance(heard, NoMatch):
            return await self._turn(text, None, {}, "no-match", await self._bridge.not_heard(self._ctx, self._asked))
        if isinstance(heard, Ambiguous):
            events = tuple(match.event for match in heard.candidates)
            return await self._turn(text, None, {}, "ambiguous", heard.say, events)
        if heard.event in ROLES and heard.event not in snapshot.chart.events:
            return await self._role(text, heard.event)
        return await self._event(text, heard, snapshot.chart.behaviour.payloads.get(heard.event))

    async def _role(self, text: str, role: str) -> Turn:
        if role == NO and self._asked is not None:
            event, payload = self._asked.event, self._asked.payload
            self._forget()
            label = texts.label(self._bridge.chart, event, self._locale)
            return await self._turn(text, event, payload, "refused", phrases_for(self._locale).left_alone(label))
        if role == REPEAT and self.said:
            return await self._turn(text, role, {}, None, self.said)
        reply = await self._own("start_over" if role == START_OVER else "status")
        if role == START_OVER:
            self._forget()
        say = reply.text if self._asked is None or role == START_OVER else f"{reply.text} {self.said}"
        return await self._turn(text, role, {}, reply.structured.get("reason"), say)

    async def _event(self, text: str, match: Match, schema: Any) -> Turn:
        asked, token = self._asked, self._token
        payload = dict(match.payload)
        if asked is not None and asked.event == match.event:
            payload = {**asked.payload, **payload}
        self._forget()
        arguments = json_value(payload)
        if match.yes and token is not None:
            arguments["confirm_token"] = token
        reply = await self._bridge.call(self._tools[match.event], arguments, self._ctx)
        reason = reply.structured.get("reason")
        if reason == "needs-confirmation":
            self._asked = Asked(match.event, payload)
            self._token = reply.structured.get("confirm_token")
        elif reason == "invalid-arguments" and schema is not None:
            self._asked = _wanted(match.event, payload, schema)
        return await self._turn(text, match.event, payload, reason, reply.text)

    async def _own(self, tool: str) -> ToolReply:
        return await self._bridge.call(own_tool_name(self._bridge.machine_id, tool), {}, self._ctx)

    def _forget(self) -> None:
        self._asked = self._token = None

    async def _turn(  # noqa: PLR0917 - a turn's fields in their order
        self,
        heard: str,
        event: str | None,
        payload: Mapping[str, Any],
        reason: str | None,
        say: str,
        candidates: tuple[str, ...] = (),
    ) -> Turn:
        self.said = say
        state = (await self.snapshot()).value
        return Turn(heard, event, payload, reason is None, reason, say, state, candidates)


def _wanted(event: str, payload: Mapping[str, Any], schema: Any) -> Asked | None:
    """The question that is asked after these arguments: for the first that is missing or invalid."""
    try:
        schema.validate(payload)
    except InvalidPayload as error:
        faults = [fault.name for fault in error.faults if fault.name in schema.parameters]
        if faults:
            kept = {name: value for name, value in payload.items() if name not in faults}
            return Asked(event, kept, faults[0])
    return None
