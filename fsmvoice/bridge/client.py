"""What the program that calls can do while its call is handled, free of any SDK."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from fsmvoice.errors import FsmVoiceError


@dataclass(frozen=True, slots=True)
class Question:
    """A form for a human. `schema` has flat fields only: texts, numbers, yes or no, one of some."""

    text: str
    schema: dict[str, Any]


class Declined(FsmVoiceError):
    """The human did not want to answer."""


class Client(Protocol):
    """The caller's program. Nothing of a session is held while it is waited for."""

    @property
    def can_ask(self) -> bool:
        """Whether it can show a form to a human."""
        ...

    @property
    def progress_every(self) -> float | None:
        """Seconds between two reports that the work goes on; None where it wants none."""
        ...

    async def ask(self, question: Question) -> Mapping[str, Any] | None:
        """What the human answered, by field; None if nobody could be asked.

        It may raise what ends the call, if the answer comes with another call.

        Raises:
            Declined: the human did not want to answer.
        """
        ...

    async def report(self, count: int, say: str) -> None:
        """Tell that the work goes on, for the `count`th time."""
        ...
