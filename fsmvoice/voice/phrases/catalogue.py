"""Which languages there are, and which serves a locale."""

from __future__ import annotations

from fsmvoice.voice.phrases.en import English
from fsmvoice.voice.phrases.phrases import Phrases

_LANGUAGES: dict[str, Phrases] = {phrases.tag: phrases for phrases in (English(),)}
DEFAULT = "en"


def phrases_for(locale: str | None) -> Phrases:
    """The phrases of a BCP 47 tag or, where that language is not here, of English."""
    language = (locale or DEFAULT).replace("_", "-").split("-")[0].lower()
    return _LANGUAGES.get(language, _LANGUAGES[DEFAULT])
