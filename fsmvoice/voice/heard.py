"""What became of words that were heard. Hearing never fires: the caller sends the event, or asks back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

HELP: Final = "HELP"
REPEAT: Final = "REPEAT"
STATUS: Final = "STATUS"
START_OVER: Final = "START_OVER"
NO: Final = "NO"
"""Something was asked (see `Asked`), and it is not to be done."""
ROLES: Final = frozenset({HELP, REPEAT, STATUS, START_OVER, NO})
"""What a `Match` may have as its event that no machine declares: it is about the conversation."""


@dataclass(frozen=True, slots=True)
class Match:
    """An event that was asked for, or one of `ROLES`.

    Attributes:
        event: its name; it may be one that is not possible now: sending it gives its refusal.
        payload: the values that were heard; some may be missing, as nobody said them.
        confidence: 0 to 1; 1 for role words and templates.
        yes: whether it is the yes to what was asked (see `Asked`). To ask for the same once more is none.
    """

    event: str
    payload: Mapping[str, Any] = field(default_factory=dict[str, Any])
    confidence: float = 1.0
    yes: bool = False


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Two or more things that may have been meant, the likelier first. `say` asks which: "Did you mean a or b?"."""

    candidates: tuple[Match, ...]
    say: str = ""


@dataclass(frozen=True, slots=True)
class NoMatch:
    """Nothing that the machine knows."""


Heard: TypeAlias = Match | Ambiguous | NoMatch


@dataclass(frozen=True, slots=True)
class Asked:
    """What the machine has just asked, so that "yes" or "latte" is understood as the answer.

    Attributes:
        event: what is to be done once it is answered.
        payload: what is known of it already.
        parameter: the one that was asked for; None if the question was whether to do it at all.
    """

    event: str
    payload: Mapping[str, Any] = field(default_factory=dict[str, Any])
    parameter: str | None = None
