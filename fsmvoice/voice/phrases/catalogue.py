"""Which languages there are, and which serves a locale."""

from __future__ import annotations

from fsmvoice.voice.phrases.en import English
from fsmvoice.voice.phrases.phrases import Phrases

_LANGUAGES: dict[str, Phrases] = {phrases.tag: phrases for phrases in (English(),)}
DEFAULT = "en"


def phrases_for(locale: str | None) -> Phrases:
    """The phrases of a BCP 47 tag or, where that language is not here, of English."""
    return _LANGUAGES.get(_language(locale), _LANGUAGES[DEFAULT])


def doubt_of(locale: str | None) -> str:
    """What to tell the author of a machine in a language that is not here; '' for one that is."""
    if _language(locale) in _LANGUAGES:
        return ""
    known = ", ".join(repr(language) for language in _LANGUAGES)
    return f"there is no locale {locale!r} yet, so what the framework itself says is English; there is {known}"


def _language(locale: str | None) -> str:
    return (locale or DEFAULT).replace("_", "-").split("-")[0].lower()
