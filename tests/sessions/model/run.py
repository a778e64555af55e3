"""One search for a sequence after which a store is not as the model says."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

from hypothesis import settings

from tests.sessions.model.loop import turns_take_its_time
from tests.sessions.model.rules import Model
from tests.sessions.model.stores import places

Kind: TypeAlias = Literal["memory", "sqlite", "postgres"]


def search(kind: Kind, how: settings, *, together: bool = False) -> list[float]:
    """Look for one; when each sequence ended, by its own clock.

    Args:
        together: whether what several processes ask of the store at once is really done at once.

    Raises:
        AssertionError: here it is.
    """
    with places(kind) as found, turns_take_its_time(), _troubles() as troubles:
        names = {"places": staticmethod(found), "together": together, "troubles": troubles, "ends": list[float]()}
        model: Any = type("Model", (Model,), names)
        model.TestCase.settings = how
        model.TestCase("runTest").debug()
        ends: list[float] = model.ends
        return ends


@contextmanager
def _troubles() -> Generator[list[str]]:
    """The errors that are logged, but for those that a caller is told of too. Nothing else is."""
    logger, troubles = logging.getLogger("fsmvoice"), _Troubles()
    level = logger.level
    logger.addHandler(troubles)
    logger.setLevel(logging.ERROR)
    try:
        yield troubles.found
    finally:
        logger.setLevel(level)
        logger.removeHandler(troubles)


class _Troubles(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.module != "reasons":
            self.found.append(record.getMessage())
