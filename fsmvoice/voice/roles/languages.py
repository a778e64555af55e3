"""The languages that can be heard, and choosing one for a locale."""

from __future__ import annotations

from fsmvoice.voice.languages import DEFAULT, ByLanguage, language_of
from fsmvoice.voice.roles.roles import Roles

LANGUAGES: ByLanguage[Roles] = ByLanguage(
    "fsmvoice.voice.roles", {"en": "ENGLISH", "de": "GERMAN", "es": "SPANISH", "fr": "FRENCH", "ja": "JAPANESE"}
)


def roles_for(locale: str | None) -> Roles:
    """The phrases of a BCP 47 tag's language; the English ones if it is not available."""
    language = language_of(locale)
    return LANGUAGES[language if language in LANGUAGES else DEFAULT]
