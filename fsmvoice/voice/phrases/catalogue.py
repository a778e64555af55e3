"""Which languages there are, and which serves a locale."""

from __future__ import annotations

from functools import lru_cache

from fsmvoice.voice.languages import DEFAULT, language_of, normal, register_of
from fsmvoice.voice.phrases.de import German
from fsmvoice.voice.phrases.en import English
from fsmvoice.voice.phrases.es import Spanish
from fsmvoice.voice.phrases.fr import French
from fsmvoice.voice.phrases.ja import Japanese
from fsmvoice.voice.phrases.phrases import Phrases

LANGUAGES: dict[str, type[Phrases]] = {kind.language: kind for kind in (English, German, Spanish, French, Japanese)}


@lru_cache(maxsize=256)
def phrases_for(locale: str | None) -> Phrases:
    """The phrases of a BCP 47 tag or, where that language is not here, the English ones.

    Their `tag` is the locale in its usual spelling. `de-x-formal` and `de-x-informal` choose how the user is addressed.
    """
    register = register_of(locale)
    kind = LANGUAGES.get(language_of(locale), English)
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
