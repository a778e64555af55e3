"""What the program that calls can do while its call is handled, free of any SDK."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from fsmvoice.errors import FsmVoiceError

ARGUMENTS = "arguments"
CONFIRM = "confirm"
"""The names of the questions there are."""


@dataclass(frozen=True, slots=True)
class Question:
    """A form for a human. `schema` has flat fields only: texts, numbers, yes or no, one of some.

    `name` tells one question of a call from another. `carry` is a text that comes back with the answer, where
    that comes with another call.
    """

    text: str
    schema: dict[str, Any]
    name: str = ARGUMENTS
    carry: str | None = None


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

    @property
    def carried(self) -> str | None:
        """The `carry` of the question that this call answers."""
        ...

    def answered(self, name: str) -> Mapping[str, Any] | None:
        """The answer to the question `name` that came with this call, by field; None if none did. It is given once.

        Raises:
            Declined: the human did not want to answer.
        """
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
