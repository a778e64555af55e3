"""Comparing a sentence with samples: TF-IDF over character n-grams, small enough to need no library."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

SIZES = (2, 3, 4)
"""The lengths of the n-grams."""
SLOT_WEIGHT = 3.0
"""The weight of a value, relative to an n-gram."""
_FIRST_MARK = 0xE000
"""The first of the private-use characters that stand for values."""


def mark(number: int) -> str:
    """The character that stands for the values of set `number`."""
    return chr(_FIRST_MARK + number)


def marks_in(text: str) -> frozenset[str]:
    """The marks in a text."""
    return frozenset(char for char in text if _FIRST_MARK <= ord(char) < _FIRST_MARK + 0x1000)


def grams(text: str, *, spaced: bool = True) -> Counter[str]:
    """The n-grams of a text, each within a word. A mark is an n-gram of its own."""
    found: Counter[str] = Counter()
    for word in text.split(" ") if spaced else [text]:
        if not spaced:
            found.update(marks_in(word))
        elif len(word) == 1 and ord(word) >= _FIRST_MARK:
            found[word] += 1
            continue
        padded = f" {word} "
        for size in SIZES:
            found.update(padded[start : start + size] for start in range(max(1, len(padded) - size + 1)))
    return found


@dataclass(frozen=True, slots=True)
class Sample:
    """A sentence that asks for `event`, with values as marks."""

    event: str
    text: str


class Likeness:
    """An index of samples for comparison."""

    def __init__(self, samples: Iterable[Sample], *, spaced: bool = True) -> None:
        self._spaced = spaced
        self.samples: Sequence[Sample] = list(dict.fromkeys(samples))
        counted = [grams(sample.text, spaced=spaced) for sample in self.samples]
        seen: Counter[str] = Counter()
        for counts in counted:
            seen.update(counts.keys())
        total = len(self.samples)
        self._rarity = {gram: math.log((1 + total) / (1 + number)) + 1 for gram, number in seen.items()}
        self._unseen = math.log(1 + total) + 1
        self._where: dict[str, list[tuple[int, float]]] = {}
        for place, counts in enumerate(counted):
            for gram, weight in self._vector(counts).items():
                self._where.setdefault(gram, []).append((place, weight))

    def _vector(self, counts: Mapping[str, int]) -> dict[str, float]:
        weights = {
            gram: (1 + math.log(number)) * self._rarity.get(gram, self._unseen) * (SLOT_WEIGHT if _is_mark(gram) else 1)
            for gram, number in counts.items()
        }
        length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        return {gram: weight / length for gram, weight in weights.items()}

    def scores(self, text: str) -> list[tuple[float, Sample]]:
        """The similarity of `text` to each sample that shares an n-gram with it, from 0 to 1, highest first."""
        sums: dict[int, float] = {}
        for gram, weight in self._vector(grams(text, spaced=self._spaced)).items():
            for place, other in self._where.get(gram, ()):
                sums[place] = sums.get(place, 0.0) + weight * other
        return sorted(((score, self.samples[place]) for place, score in sums.items()), key=lambda it: -it[0])


def _is_mark(gram: str) -> bool:
    return len(gram) == 1 and ord(gram) >= _FIRST_MARK
