"""BCP 47 tags: their usual spelling, what they fall back to, and the best of those that there are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Generic, Literal, TypeVar

T = TypeVar("T")

DEFAULT = "en"
MAX_TAG = 100
"""Characters of a tag that are looked at."""

_TAG = re.compile(
    r"(?P<language>[A-Za-z]{2,3})(?:[-_](?P<script>[A-Za-z]{4}))?(?:[-_](?P<region>[A-Za-z]{2}|\d{3}))?(?:[-_.@].*)?"
)
_REGISTER = re.compile(r"[-_]x[-_](formal|informal)$", re.IGNORECASE)


@lru_cache(maxsize=512)
def normal(tag: str | None) -> str | None:
    """Language, script and region of a tag: `de_at` is "de-AT". None for what is not a tag, such as `*`."""
    match = _TAG.fullmatch(tag[:MAX_TAG]) if tag else None
    if match is None:
        return None
    script, region = match["script"], match["region"]
    parts = [match["language"].lower(), script.title() if script else "", region.upper() if region else ""]
    return "-".join(filter(None, parts))


def language_of(tag: str | None) -> str:
    """The language of a tag: `de-AT` is "de"; of none, and of what is not a tag, English."""
    return (normal(tag) or DEFAULT).partition("-")[0]


def register_of(tag: str | None) -> Literal["formal", "informal"] | None:
    """How `de-x-formal` and `de-x-informal` address the user; None where a tag does not say."""
    match = _REGISTER.search(tag or "")
    if match is None:
        return None
    return "formal" if match[1].lower() == "formal" else "informal"


def fallbacks(tag: str | None) -> list[str]:
    """A tag and what it is cut down to (RFC 4647, lookup): de-AT, de."""
    parts = (normal(tag) or DEFAULT).split("-")
    return ["-".join(parts[:count]) for count in range(len(parts), 0, -1)]


@lru_cache(maxsize=512)
def best(wanted: tuple[str, ...], available: tuple[str, ...]) -> tuple[str, str] | None:
    """The first of the `wanted` tags that is served, in its usual spelling, and by which of the `available` ones.

    A tag is served by itself, by what it is cut down to, and else by another variety of its language.
    """
    known = {normal(tag): tag for tag in reversed(available)}
    for tag in wanted:
        usual = normal(tag)
        if usual is None:
            continue
        cousins = [other for other in known if other and language_of(other) == language_of(usual)]
        for candidate in (*fallbacks(usual), *cousins):
            if candidate in known:
                return usual, known[candidate]
    return None


class ByLanguage(Mapping[str, T], Generic[T]):
    """What each language has of its own, in a file of a package; a file is loaded when its language is first used.

    Args:
        package: has a module named for each language.
        names: the languages, and what they have is called in their modules.
    """

    def __init__(self, package: str, names: Mapping[str, str]) -> None:
        self._package, self._names = package, names
        self._loaded: dict[str, T] = {}

    def __getitem__(self, language: str) -> T:
        found = self._loaded.get(language)
        if found is None:
            name = self._names[language]
            found = self._loaded[language] = getattr(import_module(f"{self._package}.{language}"), name)
        return found

    def __contains__(self, language: object) -> bool:
        return language in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
