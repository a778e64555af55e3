"""The MCP prompt of a machine: what can I do?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fsmvoice.bridge.calls import Calls
from fsmvoice.bridge.spec import PromptSpec
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.model.chart import Chart
from fsmvoice.model.naming import own_tool_name
from fsmvoice.model.payload import Fault, Payload
from fsmvoice.sessions.keys import CallContext, SessionNotFound
from fsmvoice.sessions.turn import Failed
from fsmvoice.voice import texts
from fsmvoice.voice.offers import Offer, offers
from fsmvoice.voice.reply import Speech

MAX_COMPLETIONS = 100
"""The protocol's limit."""


def build_prompts(chart: Chart, calls: Calls, session: Mapping[str, Any]) -> tuple[PromptSpec, ...]:
    """The single prompt: it tells where the caller's session stands, or how to do one action.

    Args:
        session: the schema of the argument `session`, empty if there are no handles.
    """
    phrases = calls.speech.phrases
    title, told = phrases.what_can_i_do
    arguments = {"action": phrases.about_action, **{name: schema["description"] for name, schema in session.items()}}

    async def look(arguments: Mapping[str, str] | None, ctx: CallContext | None) -> Snapshot[Any] | Failed:
        try:
            key = calls.key(ctx, (arguments or {}).get("session") if session else None)
        except SessionNotFound:
            return Failed("session-not-found")
        return await calls.look(key)

    async def read(arguments: Mapping[str, str] | None = None, ctx: CallContext | None = None) -> str:
        snapshot = await look(arguments, ctx)
        speech = calls.speech_for(ctx)
        if not isinstance(snapshot, Snapshot):
            return speech.failure(*snapshot)
        return _how(speech, snapshot, (arguments or {}).get("action", ""))

    async def complete(
        argument: str,
        typed: str = "",
        arguments: Mapping[str, str] | None = None,
        ctx: CallContext | None = None,
    ) -> Sequence[str]:
        # Session handles are secrets and are never suggested.
        if argument != "action":
            return ()
        snapshot = await look(arguments, ctx)
        if not isinstance(snapshot, Snapshot):
            return ()
        tag = calls.speech_for(ctx).phrases.tag
        labels = [offer.label for offer in offers(snapshot, tag) if offer.enabled]
        return _fitting(labels, typed)[:MAX_COMPLETIONS]

    name = own_tool_name(chart.config.id, "what_can_i_do")
    return (PromptSpec(name, title, told, arguments, read, complete),)


def _how(speech: Speech, snapshot: Snapshot[Any], action: str) -> str:
    """What to say about one action. Without a known action, where the session stands."""
    chart, tag = snapshot.chart, speech.phrases.tag
    offered = offers(snapshot, tag)
    spoken = [event for event in chart.events if texts.is_spoken(chart, event)]
    event = next(
        (event for event in spoken if action in (texts.label(chart, event, tag), texts.label(chart, event))), None
    )
    if event is None:
        return speech.status(snapshot, offered=offered)
    offer = next((offer for offer in offered if offer.event == event), None)
    if offer is None or not offer.enabled:
        return speech.refusal(snapshot, event, "" if offer is None else offer.say, offered=offered, attempts=0)
    missing = _required(offer)
    if missing:
        return speech.arguments(snapshot, event, missing, offered)
    return speech.phrases.can([offer.label])


def _required(offer: Offer) -> list[Fault]:
    payload: Payload = offer.payload
    return [Fault("missing", name, "") for name, parameter in payload.parameters.items() if parameter.required]


def _fitting(labels: Sequence[str], typed: str) -> list[str]:
    """The labels that start with the typed text, then those that contain it elsewhere."""
    wanted = typed.casefold().strip()
    first = [label for label in labels if label.casefold().startswith(wanted)]
    return first + [label for label in labels if wanted in label.casefold() and label not in first]
