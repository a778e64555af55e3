"""BCP 47 language tags: normalization, fallbacks, and matching."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Generic, Literal, TypeVar

T = TypeVar("T")

DEFAULT = "en"
MAX_TAG = 100
"""The maximum length of a tag; the rest is ignored."""

_TAG = re.compile(
    r"(?P<language>[A-Za-z]{2,3})(?:[-_](?P<script>[A-Za-z]{4}))?(?:[-_](?P<region>[A-Za-z]{2}|\d{3}))?(?:[-_.@].*)?"
)
_REGISTER = re.compile(r"[-_]x[-_](formal|informal)$", re.IGNORECASE)


@lru_cache(maxsize=512)
def normal(tag: str | None) -> str | None:
    """The language, script and region of a tag: "de-AT" for `de_at`. None if it is not a tag, such as `*`."""
    match = _TAG.fullmatch(tag[:MAX_TAG]) if tag else None
    if match is None:
        return None
    script, region = match["script"], match["region"]
    parts = [match["language"].lower(), script.title() if script else "", region.upper() if region else ""]
    return "-".join(filter(None, parts))


def language_of(tag: str | None) -> str:
    """The language of a tag: "de" for `de-AT`. English for None and for what is not a tag."""
    return (normal(tag) or DEFAULT).partition("-")[0]


def register_of(tag: str | None) -> Literal["formal", "informal"] | None:
    """The form of address in a tag such as `de-x-formal` or `de-x-informal`, if it has one."""
    match = _REGISTER.search(tag or "")
    if match is None:
        return None
    return "formal" if match[1].lower() == "formal" else "informal"


def fallbacks(tag: str | None) -> list[str]:
    """A tag and its prefixes (RFC 4647 lookup): de-AT, de."""
    parts = (normal(tag) or DEFAULT).split("-")
    return ["-".join(parts[:count]) for count in range(len(parts), 0, -1)]


@lru_cache(maxsize=512)
def best(wanted: tuple[str, ...], available: tuple[str, ...]) -> tuple[str, str] | None:
    """The first of `wanted` with a match, normalized, and the one of `available` that matches it.

    A tag is matched by itself, by a prefix of it, or else by another variety of its language.
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
    """An object for each language, defined in a module of a package that is imported on first use.

    Args:
        package: a package with a module named after each language.
        names: for each language, the name of its object in its module.
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
