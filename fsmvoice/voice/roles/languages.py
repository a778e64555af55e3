"""Which languages are heard, and which serves a locale."""

from __future__ import annotations

from fsmvoice.voice.languages import language_of
from fsmvoice.voice.roles.de import GERMAN
from fsmvoice.voice.roles.en import ENGLISH
from fsmvoice.voice.roles.es import SPANISH
from fsmvoice.voice.roles.fr import FRENCH
from fsmvoice.voice.roles.ja import JAPANESE
from fsmvoice.voice.roles.roles import Roles

LANGUAGES: dict[str, Roles] = {roles.tag: roles for roles in (ENGLISH, GERMAN, SPANISH, FRENCH, JAPANESE)}


def roles_for(locale: str | None) -> Roles:
    """The words of a BCP 47 tag's language or, where that is not here, the English ones."""
    return LANGUAGES.get(language_of(locale), ENGLISH)
