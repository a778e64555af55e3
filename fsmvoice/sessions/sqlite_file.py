"""The file of an SQLite store: whether it is still there. What is written into a deleted one is lost without a word."""

from __future__ import annotations

import os
from collections.abc import Sequence

from fsmvoice.sessions.store import StoreUnavailable


class OpenFile:
    """A file that is open, and the one beside it that SQLite writes ahead; made once both are there."""

    def __init__(self, path: str) -> None:
        here = os.path.abspath(path)  # the working directory may change
        self._opened: Sequence[tuple[str, tuple[int, int]]] = [
            (name, _identity(name)) for name in (here, f"{os.path.realpath(here)}-wal")
        ]

    def check(self, *, ahead: bool = True) -> None:
        """Make sure that what is committed can be found again.

        Args:
            ahead: look at the file beside it too, which costs a microsecond more.

        Raises:
            StoreUnavailable: one of them was deleted, moved or replaced.
        """
        for path, opened in self._opened if ahead else self._opened[:1]:
            try:
                found = _identity(path)
            except OSError as error:
                raise StoreUnavailable(f"{path} is gone while it is in use ({error.strerror}); {_HINT}") from None
            if found != opened:
                raise StoreUnavailable(f"{path} was replaced while it is in use; {_HINT}")


_HINT = "nothing is written until it is back, or the process is started again on what is there"


def _identity(path: str) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_dev, found.st_ino
