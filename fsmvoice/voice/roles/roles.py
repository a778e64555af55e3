"""`Roles`: a language's phrases for yes, no, help and so on, and the words that may be left out of a sentence."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from fsmvoice.voice.roles.corrections import Corrections
from fsmvoice.voice.roles.numerals import Numerals
from fsmvoice.voice.roles.spelling import flat, with_signs, words_in

MAX_HEARD = 300
"""The longest utterance, in characters. A longer one is not recognized at all, rather than by its beginning."""
MAX_VARIANTS = 24
MAX_ROLE = 40
"""Words, or characters where words do not stand apart, of what may mean the same everywhere."""
MAX_AROUND = 30
"""Words of an utterance in which what is meant is looked for,"""
MAX_BEFORE = 8
"""behind so many others at most."""

Role: TypeAlias = Literal["yes", "no", "help", "repeat", "status", "start_over"]

_PAUSE = r"(?:[.,;:!?\u2026\u2013\u2014\u3001\u3002]|(?<!\w)-(?!\w))"


@dataclass(frozen=True)
class Roles:
    """One language. Phrases are written in ordinary spelling, and compared in the form that `normal` returns.

    Attributes:
        phrases: what means yes, no, help and so on, said alone or one after the other.
        stops: of those that mean no, the words that a free text never swallows; `yes` and `no` words go with them.
        negations: words that turn what is said into its opposite.
        questions: words that ask for something no event is about.
        hesitations: sounds that may stand anywhere.
        softeners: words that may be left out wherever they stand: "really", "just".
        leads: what may stand before what is meant: "please", "i would like to".
        trails: what may stand after it.
        articles: words that carry nothing when sentences are compared.
        contractions: a spelling, and what it is short for. Each is a whole word.
        endings: the end of a word after an apostrophe, and what it is short for.
        spaced: whether words stand apart.
        openings: a yes or a no that more may follow: "yes, place it".
        corrections: what takes back something that was said before it: "no wait, make that".
        contrasts: words between what is denied and what is meant: "not this but that".
        holds: what asks for time, and so is no part of a yes: "wait".
        attached: the last words of what denies the words behind it, if there is no pause: "do not".
        open: words that leave open which is meant, or when: "or", "later".
        dangling: words that no whole sentence ends with: "to", "a".
        breaks: what begins a part of a sentence that says something else: "because", "if".
        inversions: what makes a question of a sentence that it begins: "is", "do i".
        patterns: regexes of what means a role too, for phrases with a word in them that is the machine's own.
        core: the likeliest phrases of each role, for recognizers that should listen for few.
        frames: what people put round the values they want: "could i get a {} please".
        numerals: the words for numbers.
        plural: what a value may end in when there are several.
    """

    tag: str
    phrases: Mapping[Role, Sequence[str]]
    stops: Collection[str] = ()
    negations: Collection[str] = ()
    questions: Collection[str] = ()
    hesitations: Collection[str] = ()
    softeners: Collection[str] = ()
    leads: Sequence[str] = ()
    trails: Sequence[str] = ()
    articles: Collection[str] = ()
    contractions: Mapping[str, str] = field(default_factory=dict[str, str])
    endings: Mapping[str, str] = field(default_factory=dict[str, str])
    spaced: bool = True
    openings: Mapping[Role, Sequence[str]] = field(default_factory=dict[Role, Sequence[str]])
    corrections: Sequence[str] = ()
    breaks: Sequence[str] = ()
    inversions: Collection[str] = ()
    contrasts: Sequence[str] = ()
    holds: Sequence[str] = ()
    attached: Collection[str] = ()
    open: Collection[str] = ()
    dangling: Collection[str] = ()
    patterns: Mapping[Role, str] = field(default_factory=dict[Role, str])
    core: Mapping[Role, Sequence[str]] = field(default_factory=dict[Role, Sequence[str]])
    frames: Sequence[str] = ()
    numerals: Numerals = field(default_factory=lambda: Numerals(()))
    plural: Sequence[str] = ()

    def normal(self, text: str) -> str:
        """`text` in one spelling: lower case, no accents, no punctuation, contractions written out, single spaces.

        The signs of a number are words, so that 2.5 is not read as 25, nor -5 as 5.
        """
        plain = with_signs(flat(text), self.numerals)
        found = words_in(plain, self._contractions, self.endings)
        return (" " if self.spaced else "").join(found)

    def variants(self, text: str) -> tuple[str, ...]:
        """`text` in normal form, and variants with more and more filler words left out; () if it is too long."""
        if len(text) > MAX_HEARD:
            return ()
        whole = self.normal(text)
        if not whole or len(whole) > MAX_HEARD:
            return ()
        calm = self.calm(whole)
        found: dict[str, None] = {whole: None, calm: None}
        for start in (calm, self._without(calm, self._softeners)):
            heads = [start]
            while (shorter := self._cut(heads[-1], self._leads, front=True)) is not None and not self._hides(
                heads[-1], shorter
            ):
                heads.append(shorter)
            for head in heads:
                tail: str | None = head
                while tail is not None and len(found) < MAX_VARIANTS:
                    found[tail] = None
                    tail = self._cut(tail, self._trails, front=False)
        return tuple(item for item in found if item)

    def calm(self, normal: str) -> str:
        """`normal` without hesitations, and without what was said twice in a row."""
        return self._without(normal, self._hesitations)

    def _hides(self, text: str, shorter: str) -> bool:
        """Whether `shorter` is `text` without what makes a question of it, or a part of that."""
        return any(len(shorter) > len(text) - len(asking) for asking in self._inversions if _starts(text, asking))

    def asks(self, normal: str) -> bool:
        """Whether `normal` begins as a question does."""
        return any(_starts(normal, asking) for asking in self._inversions)

    def waits(self, normal: str) -> bool:
        """Whether `normal` begins by asking for time."""
        return any(_starts(normal, hold) for hold in self._holds)

    def dangles(self, normal: str) -> bool:
        """Whether `normal` is only a part of a sentence."""
        return normal.rpartition(" ")[2] in self._dangling

    def after_answer(self, text: str, variants: Sequence[str]) -> Iterator[tuple[Role, str]]:
        """The rest of a text that starts with a yes or a no: "yes, place it", "that's right, place it"."""
        space = " " if self.spaced else ""
        for variant in variants:
            for role, opening in self._openings:
                if variant.startswith(opening + space) and len(variant) > len(opening + space):
                    if opening not in self._attached or self._pauses_behind(opening, text):
                        yield role, variant[len(opening + space) :]
                    break
        words = self.words(variants[0])
        for end in range(1, min(len(words), 7)) if self.spaced else ():
            if self.role(" ".join(words[:end])) == "yes":
                yield "yes", " ".join(words[end:])

    def _pauses_behind(self, opening: str, text: str) -> bool:
        return re.match(rf"\W*{re.escape(opening)}\s*{_PAUSE}", flat(text)) is not None

    def affirmed(self, normal: str) -> str:
        """`normal` without the words that deny what stands behind them; itself where there are none."""
        if not self.spaced:
            return normal
        return " ".join(word for word in normal.split(" ") if word not in self._negations)

    def inside(self, text: str) -> Iterator[tuple[str, str]]:
        """What may be meant by a normal text in which more is said, and what more: the longest first.

        It stands behind some words that neither deny nor ask anything, or before a break.
        """
        words = text.split(" ")
        if not self.spaced or len(words) > MAX_AROUND:
            return
        ends = [len(words), *(end for end in range(2, len(words)) if self._breaks_at(words, end))]
        for start in range(min(MAX_BEFORE, len(words) - 2) + 1):
            before = words[:start]
            if not self._turning.isdisjoint(before) or self.asks(" ".join(before)):
                return
            for end in ends:
                if 0 < end - start < len(words):
                    yield " ".join(words[start:end]), " ".join([*before, *words[end:]])

    def _breaks_at(self, words: Sequence[str], place: int) -> bool:
        """Whether an unrelated clause starts at `place` that negates nothing."""
        rest = " ".join(words[place:])
        if not any(f"{rest} ".startswith(f"{opening} ") for opening in self._breaks):
            return False
        return words[place] in self._turning or not self.negates(rest)

    def role(self, text: str) -> Role | None:
        """The role of `text`, if it consists of phrases of one role and filler words only."""
        if len(text) > MAX_HEARD or len(self.normal(text)) > MAX_HEARD:
            return None
        words: list[str] = []
        pauses: set[int] = set()
        for part in map(self.normal, re.split(_PAUSE, text)):
            words += self.words(part) if part else ()
            pauses.add(len(words))
        if not words or len(words) > MAX_ROLE:
            return None
        for role in self.phrases:
            if self._is_made_of(words, self._role_phrases[role], pauses):
                return role
        for role, pattern in self.patterns.items():
            if any(re.fullmatch(pattern, variant) for variant in self.variants(text)):
                return role
        return None

    def words(self, normal: str) -> list[str]:
        """The words of a normal text; its characters in a language without spaces."""
        return normal.split(" ") if self.spaced else list(normal)

    def turns(self, normal: str) -> frozenset[str]:
        """The words of `normal` that negate it or make it a question."""
        if self.spaced:
            return frozenset(normal.split(" ")) & self._turning
        return frozenset(word for word in self._turning if word in normal)

    def opens(self, normal: str) -> frozenset[str]:
        """The words of `normal` that leave open which is meant, or when."""
        return frozenset(word for word in map(self.normal, self.open) if self._contains(normal, word))

    def _contains(self, normal: str, phrase: str) -> bool:
        return f" {phrase} " in f" {normal} " if self.spaced else phrase in normal

    def negates(self, normal: str) -> bool:
        """Whether `normal` contains a negation."""
        return bool(self.turns(normal) & self._negations)

    def swallows(self, normal: str) -> bool:
        """Whether a free text contains a word that must never be part of one."""
        if not self.spaced:
            return any(stop in normal for stop in self._stops)
        return not self._stops.isdisjoint(normal.split(" "))

    @cached_property
    def _role_phrases(self) -> Mapping[Role, frozenset[tuple[str, ...]]]:
        return {
            role: frozenset(tuple(self.words(self.normal(phrase))) for phrase in phrases)
            for role, phrases in self.phrases.items()
        }

    @cached_property
    def _contractions(self) -> Mapping[str, str]:
        return {flat(word): flat(written) for word, written in self.contractions.items()}

    @cached_property
    def _hesitations(self) -> frozenset[str]:
        return frozenset(map(self.normal, self.hesitations))

    @cached_property
    def _softeners(self) -> frozenset[str]:
        return frozenset(map(self.normal, self.softeners))

    @cached_property
    def carrying_nothing(self) -> frozenset[str]:
        """The articles in normal form."""
        return frozenset(map(self.normal, self.articles))

    @cached_property
    def _digits(self) -> frozenset[str]:
        """The words that are digits when there are several of them, one by one."""
        return frozenset(map(self.normal, (*self.numerals.digits, *self.numerals.zeros)))

    def _is_digit(self, word: str) -> bool:
        return word.isdecimal() or word in self._digits

    @cached_property
    def common(self) -> frozenset[str]:
        """The words that carry nothing by themselves."""
        every = (*self.hesitations, *self.softeners, *self.leads, *self.trails, *self.articles)
        return frozenset(word for phrase in every for word in self.normal(phrase).split(" "))

    @cached_property
    def _fillers(self) -> frozenset[tuple[str, ...]]:
        """What may stand between a role's phrases: nothing that takes one back, or asks for time."""
        trails = {*map(self.normal, self.trails)}
        leads = {lead for lead in map(self.normal, self.leads) if lead in trails or not self.turns(lead)}
        every = {*map(self.normal, self.hesitations), *leads, *trails} - self._holds
        return frozenset(tuple(self.words(phrase)) for phrase in every)

    @cached_property
    def _holds(self) -> frozenset[str]:
        return frozenset(map(self.normal, self.holds))

    @cached_property
    def corrected(self) -> Corrections:
        """How something is taken back."""
        words = map(self.normal, self.corrections), map(self.normal, self.contrasts)
        return Corrections(*words, self._negations, self.carrying_nothing, spaced=self.spaced)

    @cached_property
    def _openings(self) -> Sequence[tuple[Role, str]]:
        every: list[tuple[Role, str]] = [
            (role, self.normal(opening)) for role, openings in self.openings.items() for opening in openings
        ]
        return sorted(every, key=lambda it: -len(it[1]))

    @cached_property
    def _attached(self) -> frozenset[str]:
        return frozenset(map(self.normal, self.attached))

    @cached_property
    def _dangling(self) -> frozenset[str]:
        return frozenset(map(self.normal, self.dangling))

    @cached_property
    def _breaks(self) -> Sequence[str]:
        return [self.normal(phrase) for phrase in self.breaks]

    @cached_property
    def _inversions(self) -> frozenset[str]:
        return frozenset(map(self.normal, self.inversions))

    @cached_property
    def _leads(self) -> Sequence[str]:
        return sorted({self.normal(phrase) for phrase in self.leads}, key=len, reverse=True)

    @cached_property
    def _trails(self) -> Sequence[str]:
        return sorted({self.normal(phrase) for phrase in self.trails}, key=len, reverse=True)

    @cached_property
    def _turning(self) -> frozenset[str]:
        return self._negations | {self.normal(word) for word in self.questions}

    @cached_property
    def _negations(self) -> frozenset[str]:
        return frozenset(self.normal(word) for word in self.negations)

    @cached_property
    def _stops(self) -> frozenset[str]:
        return frozenset(self.normal(word) for word in self.stops)

    def _is_made_of(self, words: Sequence[str], phrases: frozenset[tuple[str, ...]], pauses: Collection[int]) -> bool:
        """Whether `words` are some of `phrases`, at least one, with fillers between them.

        "Do not" and "cancel" mean no, each by itself, but not one right behind the other.
        """
        longest = max(map(len, (*phrases, *self._fillers, ())), default=1)
        again = {*self._attached, *(opening for role, opening in self._openings if role == "no")}
        # For each place: whether the words before it hold a phrase, and whether the last one denies what follows it.
        reached: list[set[tuple[bool, bool]]] = [{(False, False)}, *(set[tuple[bool, bool]]() for _ in words)]
        for start in range(len(words)):
            here = {(any_yet, False) for any_yet, _ in reached[start]} if start in pauses else reached[start]
            for end in range(start + 1, min(start + longest, len(words)) + 1):
                part = tuple(words[start:end])
                if part in phrases and any(not denied or part[0] in again for _, denied in here):
                    reached[end].add((True, part[-1] in self._attached))
                if part in self._fillers:
                    reached[end] |= here
        return any(any_yet for any_yet, _ in reached[-1])

    def _cut(self, text: str, phrases: Sequence[str], *, front: bool) -> str | None:
        """`text` without the longest of `phrases` at one end; None if there is none, or nothing would be left."""
        space = " " if self.spaced else ""
        for phrase in phrases:
            if front and text.startswith(phrase + space) and len(text) > len(phrase):
                return text[len(phrase + space) :]
            if not front and text.endswith(space + phrase) and len(text) > len(phrase):
                return text[: -len(space + phrase)]
        return None

    def _without(self, text: str, sounds: Collection[str]) -> str:
        """`text` without `sounds`, and without what was said twice in a row; digits are said as often as they are."""
        if not self.spaced:
            for sound in sounds:
                text = text.replace(sound, "")
            return text
        kept: list[str] = []
        words = text.split(" ")
        for place, word in enumerate(words):
            beside = words[max(0, place - 1) : place] + words[place + 1 : place + 2]
            counts = self._is_digit(word) and any(map(self._is_digit, beside))
            if counts or (word not in sounds and word != (kept[-1] if kept else None)):
                kept.append(word)
        return " ".join(kept)


def _starts(text: str, phrase: str) -> bool:
    return text == phrase or text.startswith(f"{phrase} ")
