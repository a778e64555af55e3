"""What a language's own words are for hearing: yes and no, help and repeat, and what may be left out of a sentence."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

MAX_HEARD = 300
"""Characters of an utterance; nobody says more in one breath, and what is longer is not heard by its first part."""
MAX_VARIANTS = 24
MAX_AROUND = 30
"""Words of an utterance in which what is meant is looked for,"""
MAX_BEFORE = 8
"""behind so many others at most."""

Role: TypeAlias = Literal["yes", "no", "help", "repeat", "status", "start_over"]

_ACCENTS = re.compile("[\u0300-\u036f]+")
_NO_WORD = re.compile(r"[^\w']+|_+")


@dataclass(frozen=True)
class Roles:
    """One language. Phrases are written as people write them; they are compared as `normal` makes them.

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
        corrections: what takes back all that was said before it: "no wait, make that".
        breaks: what begins a part of a sentence that says something else: "because", "if".
        inversions: words that make a question of a sentence that they begin.
        patterns: regexes of what means a role too, for phrases with a word in them that is the machine's own.
        core: the likeliest phrases of each role, for recognizers that should listen for few.
        frames: what people put round the values they want: "could i get a {} please".
        plural: what a value may end in when there are several.
        which: asks which of two things was meant; `{}` is "this or that".
        not_heard: said where nothing was understood.
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
    patterns: Mapping[Role, str] = field(default_factory=dict[Role, str])
    core: Mapping[Role, Sequence[str]] = field(default_factory=dict[Role, Sequence[str]])
    frames: Sequence[str] = ()
    plural: Sequence[str] = ()
    which: str = "Did you mean {}?"
    not_heard: str = "Sorry, I didn't get that."

    def normal(self, text: str) -> str:
        """`text` in one spelling: lower case, no accents, no punctuation, contractions written out, single spaces."""
        words = _NO_WORD.sub(" ", _flat(text)).split()
        found: list[str] = []
        for word in words:
            whole = self._contractions.get(word)
            found += whole.split() if whole is not None else self._written_out(word)
        return (" " if self.spaced else "").join(found)

    def _written_out(self, word: str) -> Iterator[str]:
        for ending, written in self.endings.items():
            if word.endswith(ending) and "'" in ending:
                stem = word[: -len(ending)]
                yield from (part for part in (*self._plain(stem), written) if part)
                return
        yield from self._plain(word)

    @staticmethod
    def _plain(word: str) -> list[str]:
        return [part for part in word.split("'") if part]

    def variants(self, text: str) -> tuple[str, ...]:
        """`text` in one spelling, and then with more and more left out that carries nothing; () if it is too long."""
        if len(text) > MAX_HEARD:
            return ()
        whole = self.normal(text)
        if not whole or len(whole) > MAX_HEARD:
            return ()
        calm = self._without(whole, self._hesitations)
        found: dict[str, None] = {whole: None, calm: None}
        for start in (calm, self._without(calm, self._softeners)):
            heads = [start]
            while (shorter := self._cut(heads[-1], self._leads, front=True)) is not None:
                heads.append(shorter)
            for head in heads:
                tail: str | None = head
                while tail is not None and len(found) < MAX_VARIANTS:
                    found[tail] = None
                    tail = self._cut(tail, self._trails, front=False)
        return tuple(item for item in found if item)

    def after_answer(self, variants: Sequence[str]) -> Iterator[tuple[Role, str]]:
        """What follows a yes or a no that a text begins with: "yes, place it", "that's right, place it"."""
        space = " " if self.spaced else ""
        for text in variants:
            for role, openings in self.openings.items():
                for opening in sorted(map(self.normal, openings), key=len, reverse=True):
                    if text.startswith(opening + space) and len(text) > len(opening + space):
                        yield role, text[len(opening + space) :]
                        break
        words = self.words(variants[0])
        for end in range(2, min(len(words), 7)) if self.spaced else ():
            if self.role(" ".join(words[:end])) == "yes":
                yield "yes", " ".join(words[end:])

    def inside(self, text: str) -> Iterator[tuple[str, str]]:
        """What may be meant by a normal text in which more is said, and what more: the longest first.

        It stands after a correction, or behind some words that neither deny nor ask anything, or before a break.
        """
        for correction in self._corrections:
            _, found, rest = f" {text} ".rpartition(f" {correction} ")
            if found and rest.strip():
                yield rest.strip(), ""
        words = text.split(" ")
        if not self.spaced or len(words) > MAX_AROUND:
            return
        ends = [len(words), *(end for end in range(2, len(words)) if self._breaks_at(words, end))]
        for start in range(min(MAX_BEFORE, len(words) - 2) + 1):
            before = words[:start]
            if not self._turning.isdisjoint(before) or (start and before[0] in self._inversions):
                return
            for end in ends:
                if 0 < end - start < len(words):
                    yield " ".join(words[start:end]), " ".join([*before, *words[end:]])

    def _breaks_at(self, words: Sequence[str], place: int) -> bool:
        """Whether something else begins there, that takes nothing back."""
        rest = " ".join(words[place:])
        if not any(f"{rest} ".startswith(f"{opening} ") for opening in self._breaks):
            return False
        return words[place] in self._turning or not self.negates(rest)

    def role(self, text: str) -> Role | None:
        """What `text` means if it is made of one role's phrases, and of nothing else but words that carry nothing."""
        whole = self.normal(text) if len(text) <= MAX_HEARD else ""
        words = self.words(whole)
        if not words or len(words) > 40:
            return None
        for role in self.phrases:
            if self._is_made_of(words, self._role_phrases[role]):
                return role
        for role, pattern in self.patterns.items():
            if any(re.fullmatch(pattern, variant) for variant in self.variants(text)):
                return role
        return None

    def words(self, normal: str) -> list[str]:
        """The words of a normal text; in a language without spaces, its characters."""
        return normal.split(" ") if self.spaced else list(normal)

    def turns(self, normal: str) -> frozenset[str]:
        """The words of `normal` that turn its meaning, or make it a question."""
        if self.spaced:
            return frozenset(normal.split(" ")) & self._turning
        return frozenset(word for word in self._turning if word in normal)

    def negates(self, normal: str) -> bool:
        """Whether something in `normal` says no."""
        return bool(self.turns(normal) & self._negations)

    def swallows(self, normal: str) -> bool:
        """Whether a free text holds a word that must never be part of one."""
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
        return {_flat(word): _flat(written) for word, written in self.contractions.items()}

    @cached_property
    def _hesitations(self) -> frozenset[str]:
        return frozenset(map(self.normal, self.hesitations))

    @cached_property
    def _softeners(self) -> frozenset[str]:
        return frozenset(map(self.normal, self.softeners))

    @cached_property
    def carrying_nothing(self) -> frozenset[str]:
        """The articles, in the normal form."""
        return frozenset(map(self.normal, self.articles))

    @cached_property
    def _fillers(self) -> frozenset[tuple[str, ...]]:
        every = (*self.hesitations, *self.leads, *self.trails)
        return frozenset(tuple(self.words(self.normal(phrase))) for phrase in every)

    @cached_property
    def _corrections(self) -> Sequence[str]:
        return sorted(map(self.normal, self.corrections), key=len, reverse=True)

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

    def _is_made_of(self, words: Sequence[str], phrases: frozenset[tuple[str, ...]]) -> bool:
        """Whether `words` are some of `phrases`, at least one, with fillers between them."""
        longest = max(map(len, (*phrases, *self._fillers, ())), default=1)
        # For each place: whether the words before it are covered, and by at least one phrase.
        reached: list[set[bool]] = [{False}, *(set[bool]() for _ in words)]
        for start in range(len(words)):
            for end in range(start + 1, min(start + longest, len(words)) + 1):
                part = tuple(words[start:end])
                if part in phrases and reached[start]:
                    reached[end].add(True)
                if part in self._fillers:
                    reached[end] |= reached[start]
        return True in reached[-1]

    def _cut(self, text: str, phrases: Sequence[str], *, front: bool) -> str | None:
        """`text` without the longest of `phrases` at one end; None where there is none, or nothing else."""
        space = " " if self.spaced else ""
        for phrase in phrases:
            if front and text.startswith(phrase + space) and len(text) > len(phrase):
                return text[len(phrase + space) :]
            if not front and text.endswith(space + phrase) and len(text) > len(phrase):
                return text[: -len(space + phrase)]
        return None

    def _without(self, text: str, sounds: Collection[str]) -> str:
        """`text` without `sounds`, and without what was said twice in a row."""
        if not self.spaced:
            for sound in sounds:
                text = text.replace(sound, "")
            return text
        kept: list[str] = []
        for word in text.split(" "):
            if word not in sounds and word != (kept[-1] if kept else None):
                kept.append(word)
        return " ".join(kept)


def _flat(text: str) -> str:
    """Lower case, no accents, no control characters."""
    flat = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    flat = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", flat)))
    return "".join(char for char in flat if char.isspace() or unicodedata.category(char)[0] != "C")
