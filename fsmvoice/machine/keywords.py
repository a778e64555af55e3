"""The keywords of the class statement: `class Coffee(VoiceMachine, id="coffee", version="1")`."""

from __future__ import annotations

import warnings
from typing import NamedTuple

from fsmvoice.errors import DefinitionWarning, Problem
from fsmvoice.machine.place import Place
from fsmvoice.voice.phrases.catalogue import doubt_of


class Keywords(NamedTuple):
    """The keywords of the class statement."""

    id: str | None = None
    version: str | None = None
    locale: str | None = None
    restart_when_done: bool | None = None

    def over(self, inherited: Keywords) -> Keywords:
        """These keywords, with those of a base for the ones not given. The id is not inherited."""
        restart = inherited.restart_when_done if self.restart_when_done is None else self.restart_when_done
        return Keywords(self.id, self.version or inherited.version, self.locale or inherited.locale, restart)


_KINDS: dict[str, tuple[type, str]] = {
    "id": (str, "a string"),
    "version": (str, "a string"),
    "locale": (str, "a string"),
    "restart_when_done": (bool, "True or False"),
}


def checked_keywords(keywords: Keywords, where: str, problems: list[Problem]) -> Keywords:
    """The keywords without those of a wrong type, which are reported."""
    for name, (kind, wanted) in _KINDS.items():
        value = getattr(keywords, name)
        if value is not None and not isinstance(value, kind):
            hint = f"write {name}={str(value)!r}" if kind is str and isinstance(value, int | float) else ""
            problems.append(Problem(where, f"the keyword {name} is {value!r:.60}; it should be {wanted}", hint))
            keywords = keywords._replace(**{name: None})
    return keywords


def doubt_locale(locale: str | None, place: Place, subject: str) -> None:
    """Issue a DefinitionWarning for a language that the framework has no phrases for."""
    doubt = doubt_of(locale)
    if doubt:
        warnings.warn_explicit(f"{subject}: {doubt}", DefinitionWarning, place.filename, place.line)
