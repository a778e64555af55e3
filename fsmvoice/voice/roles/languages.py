"""Which languages are heard, and which serves a locale."""

from __future__ import annotations

from fsmvoice.voice.roles.en import ENGLISH
from fsmvoice.voice.roles.roles import Roles

_LANGUAGES: dict[str, Roles] = {roles.tag: roles for roles in (ENGLISH,)}
DEFAULT = "en"


def roles_for(locale: str | None) -> Roles:
    """The words of a BCP 47 tag's language or, where that is not here, the English ones."""
    language = (locale or DEFAULT).replace("_", "-").split("-")[0].lower()
    return _LANGUAGES.get(language, _LANGUAGES[DEFAULT])
