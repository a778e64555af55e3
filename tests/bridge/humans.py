"""Clients with a human who answers, at once or with another call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fsmvoice.bridge.client import CONFIRM, Question


class Human:
    """A client whose human gives these answers in turn; an exception is what happens in place of one."""

    progress_every: float | None = None
    can_ask = True

    def __init__(self, *answers: Mapping[str, Any] | Exception | None) -> None:
        self._answers = list(answers)
        self.asked: list[Question] = []
        self.carried: str | None = None

    def answered(self, name: str) -> Mapping[str, Any] | None:
        return None

    async def ask(self, question: Question) -> Mapping[str, Any] | None:
        self.asked.append(question)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def report(self, count: int, say: str) -> None: ...


class Later(Human):
    """A client whose answers come with another call."""

    def __init__(self, answer: Mapping[str, Any] | Exception, carried: str | None) -> None:
        super().__init__()
        self._answer: Mapping[str, Any] | Exception | None = answer
        self.carried = carried

    def answered(self, name: str) -> Mapping[str, Any] | None:
        answer = self._answer
        if name != CONFIRM or answer is None:
            return None
        self._answer = None
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def ask(self, question: Question) -> Mapping[str, Any] | None:
        self.asked.append(question)
        raise Asked


class Asked(Exception):
    """The call ended with a question."""


YES, NO = {"confirm": True}, {"confirm": False}
