"""Which sample a sentence is most like: TF-IDF over the letters of its words, small enough to need no library."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

SIZES = (2, 3, 4)
"""Letters in a row that are compared."""
SLOT_WEIGHT = 3.0
"""What a value counts for, against three letters of a word."""
_FIRST_MARK = 0xE000
"""Values are compared as single characters from here, which nobody can say: they are for private use."""


def mark(number: int) -> str:
    """The character that stands for a value of the `number`th parameter."""
    return chr(_FIRST_MARK + number)


def marks_in(text: str) -> frozenset[str]:
    """The values in a text that was marked, each once."""
    return frozenset(char for char in text if _FIRST_MARK <= ord(char) < _FIRST_MARK + 0x1000)


def grams(text: str, *, spaced: bool = True) -> Counter[str]:
    """The runs of letters of a text, each within a word; a value is a run of its own."""
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
    """A sentence that means `event`, with values as marks."""

    event: str
    text: str


class Likeness:
    """Samples, ready to be compared with."""

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
        """How like each sample `text` is, from 0 to 1; the likest first, and only those that share anything."""
        sums: dict[int, float] = {}
        for gram, weight in self._vector(grams(text, spaced=self._spaced)).items():
            for place, other in self._where.get(gram, ()):
                sums[place] = sums.get(place, 0.0) + weight * other
        return sorted(((score, self.samples[place]) for place, score in sums.items()), key=lambda it: -it[0])


def _is_mark(gram: str) -> bool:
    return len(gram) == 1 and ord(gram) >= _FIRST_MARK
