"""The results of `hear`. Hearing sends no event: the caller does, or asks back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

HELP: Final = "HELP"
REPEAT: Final = "REPEAT"
STATUS: Final = "STATUS"
START_OVER: Final = "START_OVER"
NO: Final = "NO"
"""The answer "no" to what was asked (see `Asked`)."""
ROLES: Final = frozenset({HELP, REPEAT, STATUS, START_OVER, NO})
"""The events of a `Match` that are about the conversation, not the machine's own."""


@dataclass(frozen=True, slots=True)
class Match:
    """An event that was asked for, or one of `ROLES`.

    Attributes:
        event: its name. It may be one that is not possible now; sending it returns the refusal.
        payload: the values that were heard. Values that were not said are missing.
        confidence: 0 to 1; 1 for phrases with a role and for templates.
        yes: whether it is the answer "yes" to what was asked (see `Asked`). Repeating the request is not a yes.
    """

    event: str
    payload: Mapping[str, Any] = field(default_factory=dict[str, Any])
    confidence: float = 1.0
    yes: bool = False


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Two or more possible meanings, the likeliest first. `say` is the question "Did you mean a or b?"."""

    candidates: tuple[Match, ...]
    say: str = ""


@dataclass(frozen=True, slots=True)
class NoMatch:
    """Nothing was recognized."""


Heard: TypeAlias = Match | Ambiguous | NoMatch


@dataclass(frozen=True, slots=True)
class Asked:
    """What the machine has just asked, so that "yes" or "latte" is understood as the answer.

    Attributes:
        event: the event to send once it is answered.
        payload: the arguments that are already known.
        parameter: the parameter that was asked for; None if the question was whether to do it at all.
    """

    event: str
    payload: Mapping[str, Any] = field(default_factory=dict[str, Any])
    parameter: str | None = None
