"""The spoken forms of a parameter's values, for recognizing them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, cast

from fsmvoice.model.payload import Parameter, Payload
from fsmvoice.voice.numbers import Numbers
from fsmvoice.voice.phrases.phrases import Phrases
from fsmvoice.voice.roles.roles import Roles
from fsmvoice.voice.values import spoken
from fsmvoice.voice.wording import Wording

MAX_FREE = 100
"""The longest free text, in characters."""


@dataclass(frozen=True)
class SpokenValues:
    """The values of one parameter. `forms` maps spellings in normal form to values.

    `kind` is "free" for arbitrary text, and "number" for an integer, which is recognized as digits too.
    """

    name: str
    kind: Literal["listed", "number", "free"]
    forms: Mapping[str, Any]
    said: tuple[str, ...]
    """The spoken forms of listed values, for grammars and lists."""
    numbers: tuple[int, int] | None = None
    """The bounds of an integer, for grammars and lists."""
    spelled: Numbers | None = None
    """How a whole number is said."""

    @cached_property
    def pattern(self) -> str:
        """A regex for one value, without a capturing group."""
        if self.kind == "free":
            return rf".{{1,{MAX_FREE}}}?"
        if self.spelled is not None:
            return self.spelled.pattern
        known = "|".join(map(re.escape, sorted(self.forms, key=len, reverse=True)))
        return f"(?:{known})" if known else r"(?!)"

    def value(self, text: str) -> Any:
        """The value of a piece of text in normal form, or None. A free text is its own value."""
        if self.kind == "free":
            return text
        return self.forms.get(text) if self.spelled is None else self.spelled.value(text)


def values_of(payload: Payload, roles: Roles, phrases: Phrases, wording: Wording) -> dict[str, SpokenValues]:
    """The spoken values of each parameter of a payload."""
    return {
        name: _values(payload, parameter, roles, phrases, wording) for name, parameter in payload.parameters.items()
    }


def _values(payload: Payload, parameter: Parameter, roles: Roles, phrases: Phrases, wording: Wording) -> SpokenValues:
    name, choices = parameter.name, parameter.choices
    if choices is not None and set(map(type, choices)) == {bool}:
        return SpokenValues(name, "listed", _truths(wording.name(parameter), roles, phrases), (phrases.yes, phrases.no))
    if choices is not None:
        return _listed(name, choices, roles, phrases, wording)
    schema = cast("Mapping[str, Any]", payload.json_schema()["properties"].get(name, {}))
    if schema.get("type") == "integer":
        low = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
        high = schema.get("maximum", schema.get("exclusiveMaximum", 101) - 1)
        known = Numbers(0, int(max(high, 100)), roles)
        return SpokenValues(name, "number", known.words(), (), (int(low), int(high)), known)
    return SpokenValues(name, "free", {}, ())


def _listed(name: str, choices: tuple[Any, ...], roles: Roles, phrases: Phrases, wording: Wording) -> SpokenValues:
    forms: dict[str, Any] = {}
    said: list[str] = []
    for choice in choices:
        told = spoken(wording.prepared(name, choice), phrases)
        raw = getattr(choice, "value", choice)
        for text in (told, str(raw) if isinstance(raw, str | int) else None):
            plain = roles.normal(text) if text else ""
            if plain:
                forms.setdefault(plain, choice)
        if told:
            said.append(told)
    for plain, choice in list(forms.items()):
        for ending in roles.plural:
            forms.setdefault(plain + ending, choice)
    return SpokenValues(name, "listed", forms, tuple(dict.fromkeys(said)))


def _truths(said: str, roles: Roles, phrases: Phrases) -> dict[str, bool]:
    """The forms of a flag: yes and no, and its name: "decaf", "no decaf"."""
    own = roles.normal(said)
    space = " " if roles.spaced else ""
    forms = {own: True} | {f"{roles.normal(word)}{space}{own}": False for word in roles.negations}
    forms |= {roles.normal(word): True for word in (phrases.yes, "true")}
    return forms | {roles.normal(word): False for word in (phrases.no, "false")}
