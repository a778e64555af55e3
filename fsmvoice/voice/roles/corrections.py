"""What takes back something that was said: "no wait, make that", "not this but that"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable


class Corrections:
    """One language's ways to take something back. All words are in the normal form.

    Args:
        corrections: what takes back something that was said before it.
        contrasts: words between what is denied and what is meant.
        negations: words that deny.
        articles: words that carry nothing.
        spaced: whether words stand apart.
    """

    def __init__(
        self,
        corrections: Iterable[str],
        contrasts: Iterable[str],
        negations: Collection[str],
        articles: Iterable[str],
        *,
        spaced: bool,
    ) -> None:
        self._negations, self._spaced = frozenset(negations), spaced
        known = _any(corrections)
        self._pattern = re.compile(rf"(?<!\w){known}(?: {known})*(?!\w)" if spaced else f"{known}+")
        self._article, self._contrast, self._no = _any(articles), _any(contrasts), _any(self._negations)

    def split(self, normal: str) -> tuple[str, str, bool] | None:
        """What stands before the last correction in a normal text, and behind it; and whether it is surely one.

        "No" alone may be another: "no latte, no espresso".
        """
        found = list(self._pattern.finditer(normal))
        if not found:
            return None
        before, behind = normal[: found[-1].start()].strip(), normal[found[-1].end() :].strip()
        return (before, behind, " " in found[-1][0]) if before and behind else None

    def denied(self, masked: str, mark: str) -> range | None:
        """Where one of two values with the same mark is denied or taken back, right beside the other: "not a but b"."""
        if not self._spaced or masked.count(mark) != 2:
            return None
        found = re.search(rf"{mark} {self._pattern.pattern}(?: {self._article})* (?={mark})", masked)
        if found is None and sum(word in self._negations for word in masked.split(" ")) == 1:
            value = rf"{self._no}(?: {self._article})* {mark}"
            found = re.search(rf"(?<!\w){value}(?: {self._contrast}| {self._article})* (?={mark})", masked)
            found = found or re.search(rf"(?<={mark})(?: {self._contrast})* {value}", masked)
        return None if found is None else range(*found.span())


def _any(words: Iterable[str]) -> str:
    known = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return f"(?:{known or '(?!)'})"
