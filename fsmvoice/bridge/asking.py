"""Asking for missing or invalid arguments: by a form, if the client can show one, or else in speech."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fsmvoice.bridge.arguments import Arguments, read_arguments
from fsmvoice.bridge.call import Call
from fsmvoice.bridge.client import ARGUMENTS, Client, Declined
from fsmvoice.bridge.form import form_for
from fsmvoice.bridge.replies import Replies
from fsmvoice.bridge.result import reply
from fsmvoice.bridge.spec import ToolReply
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.model.payload import Payload
from fsmvoice.sessions.turn import Sessions
from fsmvoice.voice import texts
from fsmvoice.voice.offers import Offer, offers


class Settled(NamedTuple):
    """A call completed by a human, and its arguments, which are valid now."""

    call: Call
    read: Arguments


class Asking:
    """Asks for the arguments of one machine's events.

    Args:
        restarts: whether an event of a finished session may start a new run.
    """

    def __init__(self, sessions: Sessions, replies: Replies, *, restarts: bool) -> None:
        self._sessions, self._replies, self._restarts = sessions, replies, restarts
        self._chart = sessions.chart

    async def settle(self, call: Call, event: str, read: Arguments, client: Client | None) -> ToolReply | Settled:
        """Ask about invalid arguments, unless the event is not possible anyway; then refuse it.

        Returns the reply, or the completed call if a human filled in a form. No lock is held meanwhile.
        """
        key, request, speech = call.key, call.request, call.speech
        again = await self._sessions.replay(key, request)
        if again is not None:
            return await self._replies.turned(call, again)
        snapshot = await self._replies.look(call)
        if not isinstance(snapshot, Snapshot):
            await self._sessions.miss(key)
            return reply(speech.failure(*snapshot), reason=snapshot.reason)
        if request.expected not in (None, snapshot.revision):
            return await self._replies.failed(call, "version-conflict")
        reason = read.reason or "invalid-arguments"
        offered = offers(snapshot, speech.phrases.tag)
        verdict = snapshot.verdicts.get(event)
        if (verdict is None or not verdict.possible) and not (self._restarts and snapshot.done):
            closed = next((offer.say for offer in offered if offer.event == event), "")
            why = closed if verdict is not None and verdict.arcs else ""
            reason = verdict.reason or "guard-rejected" if verdict is not None else "no-transition"
            attempts = await self._sessions.miss(key)
            say = speech.refusal(snapshot, event, why, attempts=attempts, offered=offered)
            return self._replies.told(call, say, snapshot, offered, reason=reason)
        if not read.faults:
            await self._sessions.miss(key)
            return self._replies.told(call, speech.failure(reason), snapshot, offered, reason=reason)
        say = speech.arguments(snapshot, event, read.faults, offered)
        if client is not None:
            settled = await self._asked(call, event, read, client, say=say, offered=offered)
            if settled is not None:
                return settled
        await self._sessions.miss(key)
        return self._replies.told(call, say, snapshot, offered, reason=reason)

    async def _asked(
        self, call: Call, event: str, read: Arguments, client: Client, *, say: str, offered: Sequence[Offer]
    ) -> ToolReply | Settled | None:
        """The call completed by a human, or the reply if they declined; None if nobody can be asked."""
        payload = self._chart.behaviour.payloads.get(event) or Payload(event)
        accepted = next((offer.accepted for offer in offered if offer.event == event), None)
        question = form_for(say, payload, read.faults, accepted) if client.can_ask else None
        if question is None:
            return None
        try:
            answers = client.answered(ARGUMENTS)
            if answers is None:
                answers = await client.ask(question)
        except Declined:
            label = texts.label(self._chart, event, call.speech.phrases.tag)
            return await self._replies.failed(call, "refused", call.speech.phrases.left_alone(label))
        if answers is None:
            return None
        fields = question.schema["properties"]
        filled = {name: value for name, value in answers.items() if name in fields}
        call = call._replace(given={**call.given, **filled}, answered={**call.answered, **filled})
        again = read_arguments(payload, call.given)
        # A form is shown only once: after another invalid answer the question is asked in speech.
        return Settled(call, again) if again.reason is None else await self.settle(call, event, again, None)
