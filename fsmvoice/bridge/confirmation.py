"""Asks before a confirmed event is done: with a form where the client can show one, else in speech with a token."""

from __future__ import annotations

import json
from collections.abc import Coroutine, Mapping
from typing import Any

from fsmvoice.bridge.arguments import as_object
from fsmvoice.bridge.call import Call
from fsmvoice.bridge.client import CONFIRM, Client, Declined, Question
from fsmvoice.bridge.confirm_token import ConfirmTokens, Subject, request_id_of
from fsmvoice.bridge.descriptions import title_of
from fsmvoice.bridge.firing import Firing
from fsmvoice.bridge.progress import reporting
from fsmvoice.bridge.replies import Replies
from fsmvoice.bridge.result import json_text
from fsmvoice.bridge.spec import ToolReply
from fsmvoice.engine.actor import FsmActor
from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.model.shapes import is_object
from fsmvoice.sessions.request import Request, digest_of
from fsmvoice.sessions.turn import Sessions, Turn
from fsmvoice.voice import texts
from fsmvoice.voice.composing import composed
from fsmvoice.voice.confirmation import confirm_question
from fsmvoice.voice.offers import offers
from fsmvoice.voice.phrases.phrases import Phrases

MAX_CARRIED = 256 * 1024
"""Characters: room for a token and what a human filled in, which may be as long as any other call's arguments."""
ROUNDS = 3
"""How often one call asks again because what the human agreed to has changed meanwhile."""

_FIELD = "confirm"


class Confirmation:
    """Fires the confirmed events of one machine, each only after a yes to its question as it reads at that time."""

    def __init__(self, sessions: Sessions, replies: Replies, firing: Firing, tokens: ConfirmTokens) -> None:
        self._sessions, self._replies, self._firing, self._tokens = sessions, replies, firing, tokens
        self._chart = sessions.chart

    def resumed(self, call: Call, client: Client | None) -> Call:
        """The call, completed with what a human filled in before being asked the question that it answers."""
        given = _carried(client).get("given")
        if not isinstance(given, Mapping):
            return call
        filled = as_object(given) or {}
        return call._replace(given={**call.given, **filled}, answered=filled)

    async def fire(self, call: Call, event: str, values: Mapping[str, Any], client: Client | None) -> ToolReply:
        """Fire the event if the call carries a yes or a human gives one; otherwise ask.

        No lock is held while a human thinks. Each turn words the question again, and fires the event only if it is
        the question that the yes was given to.
        """
        subject = Subject(call.key.storage, event, digest_of(event, call.given))
        changed = False  # the turn that asks also fires timers that are due
        try:
            token, unclear = self._brought(call, client)
            rounds = 0
            while True:
                asked = _Asked(self._tokens, subject, values, token, call.speech.phrases.tag)
                turn = await self._turn(call, asked, client)
                changed = changed or turn.changed
                turn = turn._replace(changed=changed)
                if turn.outcome is None or turn.outcome.reason != "needs-confirmation":
                    return await self._replies.turned(call, turn)
                token = self._tokens.make(subject, asked.question, call.request.id)
                if client is not None and client.can_ask and not unclear and rounds < ROUNDS:
                    rounds += 1
                    answer = await client.ask(self._form(call, event, asked.question, token))
                    if answer is not None and _yes(answer, call.speech.phrases):
                        continue
                    unclear = True
                return self._spoken(call, turn, turn.outcome.snapshot, asked.question, token, unclear=unclear)
        except Declined:
            label = texts.label(self._chart, event, call.speech.phrases.tag)
            return await self._replies.failed(call, "refused", call.speech.phrases.left_alone(label), changed=changed)

    def _brought(self, call: Call, client: Client | None) -> tuple[str | None, bool]:
        """The token if the call carries a yes, and whether it carries an answer that is neither yes nor no."""
        answer = None if client is None else client.answered(CONFIRM)
        if answer is None:
            return call.token, False
        token = _carried(client).get("confirm")
        if _yes(answer, call.speech.phrases) and isinstance(token, str):
            return token, False
        return None, True

    async def _turn(self, call: Call, asked: _Asked, client: Client | None) -> Turn:
        """A turn that fires the event if this question was answered with yes, once for the token's request id."""
        event, values, own = asked.subject.event, asked.values, call.request
        name = None if asked.token is None else request_id_of(asked.token)

        def work(actor: FsmActor[Any]) -> Coroutine[Any, Any, Outcome[Any]]:
            return self._firing.fire_with(actor, event, values, asked)

        if name is None:
            return await self._sessions.take_turn(call.key, work, own, event=event)
        if own.id not in (None, name):
            again = await self._sessions.replay(call.key, own)
            if again is not None:
                return again
        sent = own.sent if own.id == name else asked.subject.arguments
        request = Request(name, sent, own.expected, call.speech.outcome)
        async with reporting(client, lambda: self._replies.working(call, event, values)):
            turn = await self._sessions.take_turn(call.key, work, request, event=event)
        if turn.reason == "request-id-reused" and own.id != name:
            # The token belongs to a call with other arguments, so it counts for nothing here.
            asked.token = None
            return await self._sessions.take_turn(call.key, work, own, event=event)
        return turn

    def _form(self, call: Call, event: str, question: str, token: str) -> Question:
        title = title_of(self._chart, event)
        schema = {"type": "object", "properties": {_FIELD: {"type": "boolean", "title": title}}, "required": [_FIELD]}
        return Question(question, schema, CONFIRM, json_text({"confirm": token, "given": dict(call.answered)}))

    def _spoken(
        self, call: Call, turn: Turn, snapshot: Snapshot[Any], question: str, token: str, *, unclear: bool
    ) -> ToolReply:
        """The question as a reply."""
        phrases = call.speech.phrases
        say = composed(phrases, [call.speech.failure("needs-confirmation"), question], "") if unclear else question
        return self._replies.told(
            call,
            say,
            snapshot,
            offers(snapshot, phrases.tag),
            reason="needs-confirmation",
            changed=turn.changed,
            more={"question": question, "confirm_token": token},
        )


class _Asked:
    """Permits an event if its question reads as it did when the token was made; keeps the question's current words."""

    __slots__ = ("_locale", "_tokens", "question", "subject", "token", "values")

    def __init__(
        self, tokens: ConfirmTokens, subject: Subject, values: Mapping[str, Any], token: str | None, locale: str
    ) -> None:
        self._tokens, self._locale = tokens, locale
        self.subject, self.values, self.token = subject, values, token
        self.question = ""

    def __call__(self, snapshot: Snapshot[Any], /) -> bool:
        self.question = confirm_question(snapshot, self.subject.event, self.values, self._locale) or ""
        return self.token is not None and self._tokens.opens(self.token, self.subject, self.question)


def _carried(client: Client | None) -> Mapping[str, Any]:
    """The state that came back with the answer to a question. It is untrusted: a client may have made it up."""
    if client is None or client.carried is None or len(client.carried) > MAX_CARRIED:
        return {}
    try:
        carried: object = json.loads(client.carried)
    except (ValueError, RecursionError):
        return {}
    return carried if is_object(carried) else {}


def _yes(answer: Mapping[str, Any], phrases: Phrases) -> bool:
    """Whether the answer of a form is yes. False if it is neither yes nor no.

    Raises:
        Declined: if it is no.
    """
    value = answer.get(_FIELD)
    if isinstance(value, str):
        word = value.strip().casefold()
        value = True if word in ("true", phrases.yes) else False if word in ("false", phrases.no) else None
    if value is False:
        raise Declined
    return value is True
