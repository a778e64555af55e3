"""`Client`: what the calling program can do while its call is handled, independent of any SDK."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from fsmvoice.errors import FsmVoiceError

ARGUMENTS = "arguments"
CONFIRM = "confirm"
"""The names of questions."""


@dataclass(frozen=True, slots=True)
class Question:
    """A form for a human. `schema` has only flat fields: strings, numbers, booleans and choices.

    `name` distinguishes the questions of a call. `carry` is returned with the answer if that comes in another call.
    """

    text: str
    schema: dict[str, Any]
    name: str = ARGUMENTS
    carry: str | None = None


class Declined(FsmVoiceError):
    """The human declined to answer."""


class Client(Protocol):
    """The calling program. No lock on a session is held while waiting for it."""

    @property
    def can_ask(self) -> bool:
        """Whether it can show a form to a human."""
        ...

    @property
    def progress_every(self) -> float | None:
        """Seconds between progress reports, or None for none."""
        ...

    @property
    def carried(self) -> str | None:
        """The `carry` of the question that this call answers, if any."""
        ...

    def answered(self, name: str) -> Mapping[str, Any] | None:
        """The answer to the question `name` that came with this call, by field, or None. It is returned only once.

        Raises:
            Declined: the human declined to answer.
        """
        ...

    async def ask(self, question: Question) -> Mapping[str, Any] | None:
        """The human's answer by field, or None if nobody could be asked.

        If the answer will come with another call, it raises an exception that ends this one.

        Raises:
            Declined: the human declined to answer.
        """
        ...

    async def report(self, count: int, say: str) -> None:
        """Report progress, for the `count`th time."""
        ...
