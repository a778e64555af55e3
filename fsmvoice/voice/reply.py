"""`Speech`: the texts of replies, refusals and status reports."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from fsmvoice.engine.outcome import Outcome
from fsmvoice.engine.report import Report
from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.errors import ReasonCode
from fsmvoice.model.chart import Chart
from fsmvoice.model.config import TransitionConfig
from fsmvoice.model.nodes import INTERNAL, Node
from fsmvoice.model.payload import Fault, InvalidPayload, Payload
from fsmvoice.voice import texts
from fsmvoice.voice.authored import own_locale
from fsmvoice.voice.composing import composed, said_of, statements
from fsmvoice.voice.confirmation import confirm_question
from fsmvoice.voice.heard import Asked
from fsmvoice.voice.languages import DEFAULT, best, language_of, normal, register_of
from fsmvoice.voice.offers import Offer, lookup, offers, why_closed
from fsmvoice.voice.phrases.catalogue import phrases_for
from fsmvoice.voice.phrases.phrases import MAX_OPTIONS, Phrases
from fsmvoice.voice.questions import MAX_CHOICES, Asking, ask, question
from fsmvoice.voice.slots import fill
from fsmvoice.voice.wording import wording

logger: logging.Logger = logging.getLogger("fsmvoice")

Describe = Callable[[Snapshot[Any]], str]
_NO_PAYLOAD: Mapping[str, Any] = {}
WAY_OUT = 3
"""The number of consecutive failures after which starting over is offered."""
MAX_LOCALES = 64
"""The most locales cached for a machine. Further regions are served by their language."""


def make_speech(locale: str | None = None, describe: Describe | None = None) -> Speech:
    """The `Speak` for a locale. `describe` describes a snapshot, in place of its prompts."""
    return Speech(phrases_for(locale), describe)


class Speech:
    """Puts outcomes and snapshots into words, for classes, configs and the bridge alike."""

    phrases: Phrases

    def __init__(self, phrases: Phrases, describe: Describe | None = None) -> None:
        self.phrases, self._describe = phrases, describe
        self._spoken: WeakKeyDictionary[Chart, dict[str, Speech]] = WeakKeyDictionary()

    def speaking(self, chart: Chart, languages: Sequence[str]) -> Speech:
        """This speech in the first of `languages` that `chart` has texts in, or else unchanged."""
        locales = chart.behaviour.locales
        own = own_locale(chart.config) or DEFAULT
        found = best(tuple(languages), (own, *(locales.tags if locales is not None else ())))
        if found is None:
            return self
        tag, served = found
        known = self._spoken.setdefault(chart, {})
        speech = known.get(tag)
        if speech is None:
            # Callers choose the regions, so the number of cached ones is limited.
            tag = tag if len(known) < MAX_LOCALES else served
            speech = known.get(tag) or self._in(chart, tag, language_of(served) == language_of(own))
            known[tag] = speech
        return speech

    def _in(self, chart: Chart, tag: str, own: bool) -> Speech:
        if tag == normal(self.phrases.tag):
            return self
        register = wording(chart, tag).register or (register_of(own_locale(chart.config)) if own else None)
        return Speech(phrases_for(f"{tag}-x-{register}" if register else tag), self._describe)

    def outcome(
        self,
        outcome: Outcome[Any],
        /,
        *,
        attempts: int = 1,
        offered: Sequence[Offer] | None = None,
        news: Sequence[str] = (),
    ) -> str:
        """The reply to an event, or its refusal.

        Args:
            attempts: the number of consecutive failures, including this one.
            news: what happened since the last reply; it is said first.
        """
        return self._after(news, self._outcome(outcome, attempts, offered), outcome.snapshot)

    def news(self, outcome: Outcome[Any]) -> tuple[str, ...]:
        """What to tell later about a step that had no caller, such as a timer's: the texts of its transitions.

        They are in this speech's language, even if a later `outcome` or `status` is in another.
        """
        report, snapshot = outcome.report, outcome.snapshot
        if not outcome.ok:
            return ()
        own = texts.says(snapshot.chart, outcome.event, report.taken, self.phrases.tag)
        values = self._lookup(snapshot, report.payload)
        return tuple(text for text in [fill(text, values, self.phrases) for text in own] if text)

    def _after(self, news: Sequence[str], said: str, snapshot: Snapshot[Any]) -> str:
        if not news:
            return said
        words = wording(snapshot.chart, self.phrases.tag)
        told = [" ".join(words.news(text).encode(errors="replace").decode().split()) for text in news]
        # Old questions are dropped: the only question is that of the current state.
        told = [statements(self.phrases, text) for text in told]
        return composed(self.phrases, [*filter(None, told), said], "")

    def _outcome(self, outcome: Outcome[Any], attempts: int, offered: Sequence[Offer] | None) -> str:
        report, snapshot = outcome.report, outcome.snapshot
        event, reason = outcome.event, outcome.reason
        if reason is None and event.startswith(INTERNAL):
            return self.status(snapshot, offered=offered, lead=self.phrases.starting_over)
        if reason is None:
            own = texts.says(snapshot.chart, event, report.taken, self.phrases.tag)
            return self._reply(snapshot, report.entered, own, report.payload, offered)
        if reason == "invalid-arguments":
            return self.arguments(snapshot, event, report.faults, offered)
        text = report.refusal
        why = "" if text is None else fill(text, self._lookup(snapshot, report.payload), self.phrases)
        if not why and reason not in ("refused", "no-transition"):
            why = why_closed(snapshot, report.rejected, report.payload, self.phrases)
        return self.refusal(snapshot, event, why, report.payload, attempts=attempts, offered=offered)

    def status(
        self,
        snapshot: Snapshot[Any],
        /,
        *,
        attempts: int = 0,
        offered: Sequence[Offer] | None = None,
        lead: str = "",
        news: Sequence[str] = (),
    ) -> str:
        """The current state, and what can be done. After `attempts` failures, a state's later prompts are used.

        Args:
            lead: a sentence to start with.
            news: what happened since the last reply.
        """
        parts = [lead] if lead else []
        parts += self._where(snapshot, snapshot.nodes, _NO_PAYLOAD, attempts)
        if snapshot.done:
            parts.append(self.phrases.finished)
        offered = offers(snapshot, self.phrases.tag) if offered is None else offered
        told = not lead and (snapshot.done or any(offer.verdict.possible for offer in offered))
        said = composed(self.phrases, parts, self._options(snapshot, offered, attempts), before_question=told)
        return self._after(news, said, snapshot)

    def not_heard(
        self, snapshot: Snapshot[Any], asked: Asked | None = None, /, *, attempts: int = 1, news: Sequence[str] = ()
    ) -> str:
        """That words were not understood, and the question that they may have been meant for, or what can be done.

        Args:
            asked: the question that is open.
            attempts: the number of consecutive failures, including this one.
            news: what happened since the last reply.
        """
        lead, tag = self.phrases.not_heard, self.phrases.tag
        offered = offers(snapshot, tag)
        question = None if asked is None else self._asked(snapshot, asked, offered)
        if question:
            way_out = self.phrases.can([self.phrases.start_over]) if attempts >= WAY_OUT else ""
            return self._after(news, composed(self.phrases, [lead, way_out, question], ""), snapshot)
        parts = [lead, *self._where(snapshot, snapshot.nodes, _NO_PAYLOAD, attempts - 1)]
        if snapshot.done:
            parts.append(self.phrases.finished)
        told = snapshot.done or any(offer.verdict.possible for offer in offered)
        said = composed(self.phrases, parts, self._options(snapshot, offered, attempts), before_question=told)
        return self._after(news, said, snapshot)

    def _asked(self, snapshot: Snapshot[Any], asked: Asked, offered: Sequence[Offer]) -> str | None:
        """The question that is open, as it reads now."""
        if not any(offer.event == asked.event and offer.verdict.possible for offer in offered):
            return None
        if asked.parameter is None:
            return confirm_question(snapshot, asked.event, asked.payload, self.phrases.tag)
        schema = snapshot.chart.behaviour.payloads.get(asked.event)
        try:
            if schema is not None:
                schema.validate(asked.payload)
        except InvalidPayload as error:
            return self.arguments(snapshot, asked.event, error.faults, offered)
        return None

    def more(self, snapshot: Snapshot[Any], /, *, offered: Sequence[Offer] | None = None) -> str:
        """The options that `status` had no room for; if there are none, all of them."""
        offered = offers(snapshot, self.phrases.tag) if offered is None else offered
        labels = list(dict.fromkeys(offer.label for offer in offered if offer.verdict.possible))
        rest = labels[MAX_OPTIONS:]
        if not rest:
            return self._options(snapshot, offered)
        return self.phrases.joined(
            [self.phrases.can(rest[at : at + MAX_OPTIONS]) for at in range(0, len(rest), MAX_OPTIONS)]
        )

    def reason(
        self, snapshot: Snapshot[Any], event: str, arcs: tuple[TransitionConfig, ...], payload: Mapping[str, Any], /
    ) -> str:
        """Why `arcs` are blocked: their own reason, or else that the event can't be done now."""
        verdict = snapshot.verdicts.get(event)
        if verdict is not None and verdict.failed:
            return self.phrases.broken
        why = why_closed(snapshot, arcs, payload, self.phrases)
        return why or self.phrases.cannot(self._label(snapshot, event))

    def refusal(
        self,
        snapshot: Snapshot[Any],
        event: str,
        why: str = "",
        payload: Mapping[str, Any] = _NO_PAYLOAD,
        *,
        attempts: int = 1,
        offered: Sequence[Offer] | None = None,
    ) -> str:
        """Why an event was refused, and what can be done instead. The default reason is that it can't be done now."""
        label = self._label(snapshot, event)
        if snapshot.done:
            return composed(
                self.phrases, [why or self.phrases.finished_without(label)], self.phrases.can([self.phrases.start_over])
            )
        if self.phrases.is_question(why):
            return why
        offered = offers(snapshot, self.phrases.tag) if offered is None else offered
        offer = next(iter([offer for offer in offered if offer.event == event and offer.verdict.possible]), None)
        only_so = offer if payload and not why else None
        parts = [why or (self.phrases.cannot_so(label) if only_so else self.phrases.cannot(label))]
        if offer is not None:
            narrower = self._ask_narrower(snapshot, offer, payload)
            if narrower:
                return composed(self.phrases, [*parts, narrower], "")
            parts += self._choices(snapshot, only_so)
        parts += self._reprompts(snapshot, attempts)
        instead = (label, self.phrases.other_choices if only_so else "") if offer and not why else None
        return composed(self.phrases, parts, self._options(snapshot, offered, attempts, instead))

    def arguments(
        self,
        snapshot: Snapshot[Any],
        event: str,
        faults: Sequence[Fault],
        offered: Sequence[Offer] | None = None,
    ) -> str:
        """A question for a missing or invalid argument. It names only what would be accepted now."""
        chart = snapshot.chart
        offered = offers(snapshot, self.phrases.tag) if offered is None else offered
        accepted = next((offer.accepted for offer in offered if offer.event == event), None)
        payload = chart.behaviour.payloads.get(event) or Payload(event)
        return ask(self._asking(snapshot), payload, faults, texts.label(chart, event, self.phrases.tag), accepted)

    def failure(self, reason: ReasonCode, refusal: Report | None = None) -> str:
        """What to say when a call failed before the machine had its say, or when it refused to start."""
        said = "" if refusal is None else fill(refusal.refusal or "", self._lookup(refusal.before, {}), self.phrases)
        return said or self.phrases.failed(reason)

    def _label(self, snapshot: Snapshot[Any], event: str) -> str:
        return (
            self.phrases.start_over
            if event.startswith(INTERNAL)
            else texts.label(snapshot.chart, event, self.phrases.tag)
        )

    def _reply(
        self,
        snapshot: Snapshot[Any],
        entered: Sequence[Node],
        own: Sequence[str],
        payload: Mapping[str, Any],
        offered: Sequence[Offer] | None,
    ) -> str:
        parts: list[str] = []
        if own:
            values = self._lookup(snapshot, payload)
            parts += [text for text in [fill(text, values, self.phrases) for text in own] if text]
        if not entered:
            return composed(self.phrases, parts or self._described(snapshot) or [self.phrases.okay], "")
        where = self._where(snapshot, entered, payload)
        parts += where
        if not parts:
            parts = [self.phrases.okay]
        if snapshot.done:
            return composed(self.phrases, parts if where else [*parts, self.phrases.finished], "")
        return composed(self.phrases, parts, self._options(snapshot, offered))

    def _where(
        self, snapshot: Snapshot[Any], nodes: Sequence[Node], payload: Mapping[str, Any], attempts: int = 0
    ) -> list[str]:
        described = None if self._describe is None else self._described(snapshot)
        if described:
            return described
        values = self._lookup(snapshot, payload)
        found: list[str] = []
        known = texts.all_prompts(snapshot.chart, self.phrases.tag)
        for node in innermost_prompted(snapshot.chart, nodes):
            prompts = known[node.index]
            found.append(fill(prompts[min(attempts, len(prompts) - 1)], values, self.phrases))
        return [text for text in found if text]

    def _described(self, snapshot: Snapshot[Any]) -> list[str]:
        if self._describe is None:
            return []
        try:
            text = self._describe(snapshot)
        except Exception:  # the event is already committed, so it needs a reply even if a user's function fails
            logger.exception("describe_state failed; the state's own prompt is said instead")
            return []
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance] - a user's function
            close = getattr(text, "close", None)
            if close is not None:  # a coroutine; closing it avoids the warning that it was never awaited
                close()
            kind = type(text).__name__
            logger.error("describe_state returned %s, not a string; the state's own prompt is said instead", kind)
            return []
        said = " ".join(text.encode(errors="replace").decode().split())
        return [said] if said else []

    def _reprompts(self, snapshot: Snapshot[Any], attempts: int) -> list[str]:
        """The later prompts of the states that have one for this number of consecutive failures, two or more."""
        if attempts < 2:
            return []
        values = self._lookup(snapshot, _NO_PAYLOAD)
        later: list[str] = []
        for node in innermost_prompted(snapshot.chart, snapshot.nodes):
            prompts = texts.all_prompts(snapshot.chart, self.phrases.tag)[node.index]
            if attempts <= len(prompts):
                later.append(fill(prompts[attempts - 1], values, self.phrases))
        return [text for text in later if text]

    def _options(
        self,
        snapshot: Snapshot[Any],
        offered: Sequence[Offer] | None,
        attempts: int = 0,
        instead: tuple[str, str] | None = None,
    ) -> str:
        """What can be done, as a sentence. `instead` is a label, and its replacement ('' to leave it out)."""
        start_over = self.phrases.start_over
        if snapshot.done:
            return self.phrases.can([start_over])
        offered = offers(snapshot, self.phrases.tag) if offered is None else offered
        labels = [offer.label for offer in offered if offer.verdict.possible]
        if instead is not None:
            labels = [said for label in labels if (said := instead[1] if label == instead[0] else label)]
        if attempts >= WAY_OUT:
            labels = [*list(dict.fromkeys(labels))[:2], start_over]
        if labels:
            return said_of(self.phrases, tuple(labels))
        return self.phrases.wait if _goes_on_by_itself(snapshot) else self.phrases.can([start_over])

    def _ask_narrower(self, snapshot: Snapshot[Any], offer: Offer | None, payload: Mapping[str, Any]) -> str:
        """If another value would be accepted, the question for it; else ''."""
        for name, values in ((offer.accepted if offer else None) or {}).items():
            parameter = offer.payload.parameters.get(name) if offer else None
            if offer and parameter and values and name in payload and payload[name] not in values:
                return question(self._asking(snapshot), offer.payload, parameter, offer.accepted)
        return ""

    def _choices(self, snapshot: Snapshot[Any], offer: Offer | None) -> list[str]:
        """The accepted values of the parameters that accept only some."""
        found: list[str] = []
        asking = self._asking(snapshot)
        for name, values in ((offer.accepted if offer else None) or {}).items():
            said = asking.values(name, values)
            parameter = offer.payload.parameters.get(name) if offer else None
            if parameter is not None and 0 < len(said) <= MAX_CHOICES:
                found.append(self.phrases.can_be(asking.name(parameter), said))
        return found

    def _asking(self, snapshot: Snapshot[Any]) -> Asking:
        return Asking(self.phrases, wording(snapshot.chart, self.phrases.tag))

    def _lookup(self, snapshot: Snapshot[Any], payload: Mapping[str, Any]) -> Callable[[str], Any]:
        return lookup(snapshot, payload, self.phrases.tag)


def innermost_prompted(chart: Chart, nodes: Iterable[Node]) -> list[Node]:
    """The nodes with a prompt that contain no other node with one, in document order."""
    known = texts.all_prompts(chart)  # whether a state has a prompt does not depend on the language
    prompted = [node for node in nodes if known[node.index]]
    if len(prompted) < 2:
        return prompted
    return [node for node in prompted if not any(node.holds(other) for other in prompted)]


def _goes_on_by_itself(snapshot: Snapshot[Any]) -> bool:
    if any(node.delays or node.invocations for node in snapshot.nodes):
        return True
    return any(
        verdict.possible and not texts.is_spoken(snapshot.chart, event) for event, verdict in snapshot.verdicts.items()
    )
