"""The languages of the framework's phrases, and choosing one for a locale."""

from __future__ import annotations

from functools import lru_cache

from fsmvoice.voice.languages import DEFAULT, ByLanguage, language_of, normal, register_of
from fsmvoice.voice.phrases.phrases import Phrases

LANGUAGES: ByLanguage[type[Phrases]] = ByLanguage(
    "fsmvoice.voice.phrases", {"en": "English", "de": "German", "es": "Spanish", "fr": "French", "ja": "Japanese"}
)


@lru_cache(maxsize=256)
def phrases_for(locale: str | None) -> Phrases:
    """The phrases for a BCP 47 tag; the English ones if its language is not available.

    Their `tag` is the normalized locale. `de-x-formal` and `de-x-informal` choose the form of address.
    """
    register = register_of(locale)
    language = language_of(locale)
    kind = LANGUAGES[language if language in LANGUAGES else DEFAULT]
    tag = normal(locale) or DEFAULT
    return kind(
        tag if register is None else f"{tag}-x-{register}", formal=None if register is None else register == "formal"
    )


def doubt_of(locale: str | None) -> str:
    """A warning for the author of a machine in a language that is not available; '' if it is."""
    if language_of(locale) in LANGUAGES:
        return ""
    known = ", ".join(repr(language) for language in LANGUAGES)
    return f"the framework has no phrases for the locale {locale!r} and speaks English; available are {known}"
