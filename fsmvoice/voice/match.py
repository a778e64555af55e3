"""`hear`: finds the event that an utterance asks for in the current state, for hosts without a language model."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fsmvoice.engine.snapshot import Snapshot
from fsmvoice.voice.authored import own_locale
from fsmvoice.voice.heard import HELP, NO, REPEAT, START_OVER, STATUS, Ambiguous, Asked, Heard, Match, NoMatch
from fsmvoice.voice.roles.roles import Role
from fsmvoice.voice.similar import marks_in
from fsmvoice.voice.utterances import Hearing, Template, Utterances, hearing_of

LIKE = 0.55
"""The lowest similarity to a sample, from 0 to 1, at which an event is recognized."""
MARGIN = 0.06
"""If the next event is closer than this, the user is asked which one was meant."""
LIKE_YES = 0.9
"""The lowest similarity for an event that answers yes: what only resembles a yes is not one."""
LIKE_DENIED = 0.8
"""The lowest similarity for a sentence with a negation, which may differ from a sample only in that."""
LIKE_STRANGE = 0.66
"""The lowest similarity for a sentence without a value and with a word that is in no sample."""
LIKE_ELSEWHERE = 0.8
"""The lowest similarity for an event that is not possible now."""
MAX_BESIDE = 3
"""The most words beside the values of a correction, such as "make that a" large."""
_ROLES: Mapping[Role, str] = {"help": HELP, "repeat": REPEAT, "status": STATUS, "start_over": START_OVER}


def hear(snapshot: Snapshot[Any], text: str, *, locale: str | None = None, asked: Asked | None = None) -> Heard:
    """Find the event that `text` asks for. No event is sent, and no text raises an error.

    These are tried in order: phrases with the same meaning everywhere (a yes or no answers the question that was asked,
    or is the event that answers so), the templates of events that are possible now, those of other events, and the
    similarity to a template.

    Args:
        locale: the language of `text`. Defaults to the machine's own.
        asked: the question that `text` may answer.

    Raises:
        MissingExtra: if the machine has templates and hassil is not installed.
        DefinitionError: if a template is invalid.
    """
    hearing = hearing_of(snapshot.chart, locale or own_locale(snapshot.chart.config))
    variants = hearing.roles.variants(text)
    if not variants:
        return NoMatch()
    return _Listening(snapshot, hearing, text, variants).heard(asked)


@dataclass(frozen=True)
class _Found:
    match: Match
    free: bool
    words: int


class _Listening:
    """An utterance in a given state."""

    def __init__(self, snapshot: Snapshot[Any], hearing: Hearing, text: str, variants: Sequence[str]) -> None:
        self._hearing, self._text, self._variants = hearing, text, variants
        self._shortest = min(variants, key=len)
        verdicts = snapshot.verdicts
        self._now = [hearing.events[event] for event, it in verdicts.items() if it.possible and event in hearing.events]
        self._closed = [
            hearing.events[event] for event, it in verdicts.items() if not it.possible and event in hearing.events
        ]
        here = {it.event for it in (*self._now, *self._closed)}
        self._elsewhere = [it for it in hearing.events.values() if it.event not in here]
        self._snapshot = snapshot

    @cached_property
    def _events_now(self) -> frozenset[str]:
        return frozenset(it.event for it in self._now)

    @cached_property
    def _denied_here(self) -> frozenset[str]:
        return self._denied()

    def heard(self, asked: Asked | None) -> Heard:
        role = self._hearing.roles.role(self._text)
        if asked is not None and (answer := self._answer(asked, role)) is not None:
            return answer
        if role in ("yes", "no"):
            event = self._answering(role)
            if event is not None:
                return Match(event.event)
        elif role is not None:
            return Match(_ROLES[role])
        return (
            self._by_template(self._now)
            or self._by_template([*self._closed, *self._elsewhere])
            or self._corrected()
            or self._contrasted()
            or self._after_answer()
            or self._opposite()
            or (None if self._hearing.roles.waits(self._variants[0]) else self._by_likeness())
            or self._inside()
            or self._answering_elsewhere(role)
            or NoMatch()
        )

    def _answer(self, asked: Asked, role: Role | None) -> Match | None:
        """The utterance as an answer to a question, or None."""
        if asked.parameter is None:
            if role == "yes":
                return Match(asked.event, asked.payload, yes=True)
            return Match(NO) if role == "no" else self._yes_and(asked)
        event = self._hearing.events.get(asked.event)
        values = event.values.get(asked.parameter) if event else None
        if event is None or values is None:
            return Match(NO) if role == "no" else None
        truth = {"yes": True, "no": False}.get(role or "")
        if truth is not None and any(value is truth for value in values.forms.values()):  # 0 and 1 are no answers
            return Match(asked.event, {**asked.payload, asked.parameter: truth})
        if role == "no":
            return Match(NO)
        if role is not None:
            return None
        if values.kind == "free":
            said = self._text.strip()
            return Match(asked.event, {**asked.payload, asked.parameter: said}, 0.8)
        parts = self._hearing.roles.corrected.split(self._variants[0])
        listened = self._part(parts[1]) if parts is not None else None
        if listened is not None and (answer := listened._answer(asked, None)) is not None:
            return answer
        masked, found = self._hearing.masked(self._shortest)
        given = self._hearing.named(event, found)
        if asked.parameter not in given or self._hearing.roles.turns(masked) or self._hearing.roles.asks(masked):
            return None
        words = [word for word in self._hearing.content(masked).split(" ") if word.isalnum()]
        return Match(asked.event, {**asked.payload, **given}, 1.0 if not words else 0.9) if len(words) <= 4 else None

    def _yes_and(self, asked: Asked) -> Match | None:
        """Recognize "Yes, cancel it": a yes that repeats what was asked."""
        event = self._hearing.events.get(asked.event)
        if event is None:
            return None
        for role, rest in self._hearing.roles.after_answer(self._text, self._variants):
            for variant in self._hearing.roles.variants(rest) if role == "yes" else ():
                found = self._in_templates(event, variant)
                if found is not None and not found.free and found.match.payload.items() <= dict(asked.payload).items():
                    return Match(asked.event, asked.payload, yes=True)
        return None

    def _answering(self, role: str) -> Utterances | None:
        """The event of the current state that a yes or a no means."""
        for events in (self._now, self._closed):
            for event in events:
                if event.answers == role:
                    return event
        return None

    def _answering_elsewhere(self, role: Role | None) -> Match | None:
        """The only event that a yes or a no means in other states. Sending it returns the refusal."""
        answering = [event for event in self._elsewhere if role is not None and event.answers == role]
        return Match(answering[0].event) if len(answering) == 1 else None

    # -- templates ---------------------------------------------------------------------------------------------

    def _by_template(self, events: Sequence[Utterances]) -> Heard | None:
        for variant in self._variants:
            found = [it for event in events if (it := self._in_templates(event, variant)) is not None]
            if not found:
                continue
            strict = [it for it in found if not it.free] or found
            most = max(it.words for it in strict)
            best = [it.match for it in strict if it.words == most]
            return best[0] if len(best) == 1 else self._which(best)
        return None

    def _in_templates(self, event: Utterances, text: str) -> _Found | None:
        """The best match of `text` with an event's templates: without free text if possible, with most fixed words."""
        best: _Found | None = None
        for template in event.templates:
            matched = template.pattern.fullmatch(text)
            if matched is None:
                continue
            values = {name: matched[group] for group, name in template.groups if matched[group] is not None}
            if template.free and any(self._swallowed(event, name, said) for name, said in values.items()):
                continue
            payload = {name: event.values[name].value(said.strip()) for name, said in values.items()}
            words = len(text.split(" ")) - sum(len(said.split(" ")) for said in values.values())
            found = _Found(Match(event.event, self._as_said(event, template, payload)), template.free, words)
            if best is None or (best.free, -best.words) > (found.free, -found.words):
                best = found
        return best

    def _swallowed(self, event: Utterances, name: str, said: str) -> bool:
        """Whether a free-text value is blank, or contains a yes, a no or a stop."""
        return event.values[name].kind == "free" and (not said.strip() or self._hearing.roles.swallows(said))

    def _as_said(self, event: Utterances, template: Template, payload: dict[str, Any]) -> dict[str, Any]:
        """The payload with free texts in their original spelling, where that can be found."""
        if not template.free:
            return payload
        return {
            name: self._spelling(value) if event.values[name].kind == "free" else value
            for name, value in payload.items()
        }

    def _spelling(self, normal: str) -> str:
        lowered = self._text.casefold()
        start = lowered.find(normal)
        return self._text[start : start + len(normal)] if start >= 0 and len(lowered) == len(self._text) else normal

    def _after_answer(self) -> Heard | None:
        """Recognize "Yes, a latte please" and "no, cancel it": the request after a yes or a no."""
        for role, rest in self._hearing.roles.after_answer(self._text, self._variants):
            for variant in self._hearing.roles.variants(rest):
                for events in (self._now, [*self._closed, *self._elsewhere]):
                    found = [it for event in events if (it := self._in_templates(event, variant)) is not None]
                    # "No espresso" is not an order: after a no, the request needs words besides its values.
                    found = [it for it in found if not it.free and (role == "yes" or it.words > 0)]
                    if len(found) == 1 and (
                        role == "yes" or self._hearing.events[found[0].match.event].answers != "yes"
                    ):
                        return found[0].match
        return None

    def _inside(self) -> Heard | None:
        """Recognize "My train is leaving, can I get a latte": a request with a value inside a longer sentence.

        Events that answer yes or no are never recognized like this.
        """
        roles = self._hearing.roles
        events = [event for event in self._now if event.answers is None]
        for part, rest in roles.inside(roles.calm(self._variants[0])):
            if rest and marks_in(self._hearing.masked(rest)[0]):
                continue
            for variant in roles.variants(part):
                found = [it for event in events if (it := self._in_templates(event, variant)) is not None]
                found = [it for it in found if not it.free and it.match.payload and (it.words > 1 or not rest)]
                if len(found) == 1:
                    return Match(found[0].match.event, found[0].match.payload, 0.8)
        return None

    def _corrected(self) -> Heard | None:
        """Recognize "A small latte, no wait, make that a large one": the first request, changed by the correction.

        A yes after a correction is never recognized. If the correction is not understood, nothing is.
        """
        parts = self._hearing.roles.corrected.split(self._variants[0])
        if parts is None:
            return None
        before, behind = (self._part(text) for text in parts[:2])
        role = self._hearing.roles.role(parts[1])
        if role == "no" and (no := self._answering("no")) is not None:
            return Match(no.event, {}, 0.9)
        first = before._certain() if before is not None else None
        second = behind._certain() if behind is not None else None
        if second is not None and self._hearing.events[second.event].answers == "yes":
            return NoMatch()
        if first is None:
            return second if parts[2] and second is not None and second.payload else None
        if second is not None and second.event != first.event:
            return Match(second.event, second.payload, 0.8)
        changed = behind._values_alone(self._hearing.events[first.event]) if behind is not None else {}
        changed = {**changed, **(second.payload if second is not None else {})}
        return Match(first.event, {**first.payload, **changed}, 0.8) if changed else NoMatch()

    def _contrasted(self) -> Heard | None:
        """ "Not Bob, Alice" and "a latte, not a mocha": the one that is not denied."""
        masked, said = self._hearing.masked(self._variants[0])
        marks, values = marks_in(masked), iter(said)
        denied = next(
            (it for mark in marks if (it := self._hearing.roles.corrected.denied(masked, mark)) is not None), None
        )
        if denied is None:
            return None
        spoken = [next(values) if char in marks else char for char in masked]
        rest = self._part("".join(spoken[: denied.start] + spoken[denied.stop :]))
        found = None if rest is None or marks_in(rest._text) else rest._certain()
        return Match(found.event, found.payload, 0.8) if found is not None and found.payload else None

    def _part(self, text: str) -> _Listening | None:
        variants = self._hearing.roles.variants(text)
        return _Listening(self._snapshot, self._hearing, text, variants) if variants else None

    def _certain(self) -> Match | None:
        """A match that is possible now and as certain as one by a template."""
        found = self._by_template(self._now) or self._by_likeness()
        return (
            found
            if isinstance(found, Match) and found.confidence >= LIKE_YES and found.event in self._events_now
            else None
        )

    def _values_alone(self, event: Utterances) -> dict[str, Any]:
        """The values of an event's parameters in the utterance, if it has few other words."""
        masked, said = self._hearing.masked(self._shortest)
        beside = [word for word in self._hearing.content(masked).split(" ") if word.isalnum()]
        if len(beside) > MAX_BESIDE or self._hearing.roles.turns(masked):
            return {}
        return self._hearing.named(event, said)

    def _denied(self) -> frozenset[str]:
        """The events that the utterance would ask for without its negations."""
        roles = self._hearing.roles
        found: set[str] = set()
        for variant in self._variants:
            rest = roles.affirmed(variant)
            if not rest or rest == variant:
                continue
            for shorter in roles.variants(rest):
                found |= {it.event for it in self._now if self._in_templates(it, shorter)}
                if roles.role(shorter) == "no" and (event := self._answering("no")) is not None:
                    found.add(event.event)
        return frozenset(found)

    def _opposite(self) -> Heard | None:
        """Recognize "Do not place the order" as a no, if placing it is what a yes means."""
        no = self._answering("no")
        if no is None or no.event in self._denied_here:
            return None
        yes = any(event.answers == "yes" and event.event in self._denied_here for event in self._now)
        return Match(no.event, {}, 0.9) if yes else None

    # -- likeness ----------------------------------------------------------------------------------------------

    def _by_likeness(self) -> Heard | None:
        scored = self._scored()
        now = self._ranked(scored, self._now)
        rest = self._ranked(scored, [*self._closed, *self._elsewhere])
        open_ = bool(self._hearing.roles.opens(self._variants[0]))
        if now and now[0][0] >= LIKE and (not rest or rest[0][0] <= now[0][0] + MARGIN):
            close = [match for score, match in now if score > now[0][0] - MARGIN]
            if len(close) > 1:
                return self._which(close)
            return None if open_ else now[0][1]
        if not open_ and rest and rest[0][0] >= LIKE_ELSEWHERE:
            return rest[0][1]
        return None

    @staticmethod
    def _ranked(scored: Mapping[str, tuple[float, Match]], events: Collection[Utterances]) -> list[tuple[float, Match]]:
        found = [scored[event.event] for event in events if event.event in scored]
        return sorted(found, key=lambda it: -it[0])

    def _scored(self) -> dict[str, tuple[float, Match]]:
        """For each event, the similarity of its most similar sample with the same negations and questions."""
        hearing = self._hearing
        found: dict[str, tuple[float, Match]] = {}
        half = hearing.roles.dangles(self._variants[0])
        for variant in dict.fromkeys((self._variants[0], self._shortest)):
            masked, said = hearing.masked(variant)
            turning, asks = hearing.roles.turns(masked), hearing.roles.asks(masked)
            bar = LIKE_DENIED if hearing.roles.negates(masked) else 0.0
            strange = not said and hearing.strange(masked)
            for score, sample in hearing.likeness.scores(hearing.content(masked)):
                known = found.get(sample.event)
                if (known is not None and score <= known[0]) or turning != hearing.roles.turns(sample.text):
                    continue
                event = hearing.events[sample.event]
                if score < (LIKE_YES if event.answers == "yes" else bar) or event.event in self._denied_here:
                    continue
                if not marks_in(masked) <= marks_in(sample.text) or (asks and not hearing.roles.asks(sample.text)):
                    continue
                payload = hearing.named(event, said)
                # An incomplete event leads to a question. A complete one is not accepted on partial understanding.
                whole = event.required <= payload.keys()
                if (half or hearing.loses(event, said)) and whole:
                    continue
                if strange and not event.free and (score < LIKE_STRANGE or not whole):
                    continue
                found[sample.event] = score, Match(event.event, payload, round(min(score, 0.99), 2))
        return found

    def _which(self, matches: Sequence[Match]) -> Ambiguous:
        labels = list(dict.fromkeys(self._hearing.events[match.event].label for match in matches))
        return Ambiguous(tuple(matches), self._hearing.phrases.meant(labels[:3]))
