"""Which languages there are, and which serves a locale."""

from __future__ import annotations

from functools import lru_cache

from fsmvoice.voice.languages import DEFAULT, ByLanguage, language_of, normal, register_of
from fsmvoice.voice.phrases.phrases import Phrases

LANGUAGES: ByLanguage[type[Phrases]] = ByLanguage(
    "fsmvoice.voice.phrases", {"en": "English", "de": "German", "es": "Spanish", "fr": "French", "ja": "Japanese"}
)


@lru_cache(maxsize=256)
def phrases_for(locale: str | None) -> Phrases:
    """The phrases of a BCP 47 tag or, where that language is not here, the English ones.

    Their `tag` is the locale in its usual spelling. `de-x-formal` and `de-x-informal` choose how the user is addressed.
    """
    register = register_of(locale)
    language = language_of(locale)
    kind = LANGUAGES[language if language in LANGUAGES else DEFAULT]
    tag = normal(locale) or DEFAULT
    return kind(
        tag if register is None else f"{tag}-x-{register}", formal=None if register is None else register == "formal"
    )


def doubt_of(locale: str | None) -> str:
    """What to tell the author of a machine in a language that is not here; '' for one that is."""
    if language_of(locale) in LANGUAGES:
        return ""
    known = ", ".join(repr(language) for language in LANGUAGES)
    return f"there is no locale {locale!r} yet, so what the framework itself says is English; there is {known}"
