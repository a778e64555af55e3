"""Checks that the file of an SQLite store still exists, since writes to a deleted file are lost silently."""

from __future__ import annotations

import os
from collections.abc import Sequence

from fsmvoice.sessions.store import StoreUnavailable


class OpenFile:
    """An open database file and its write-ahead log. To be made once both exist."""

    def __init__(self, path: str) -> None:
        here = os.path.abspath(path)  # the working directory may change
        self._opened: Sequence[tuple[str, tuple[int, int]]] = [
            (name, _identity(name)) for name in (here, f"{os.path.realpath(here)}-wal")
        ]

    def check(self, *, ahead: bool = True) -> None:
        """Check that both files are still those that were opened.

        Args:
            ahead: look at the file beside it too, which costs a microsecond more.

        Raises:
            StoreUnavailable: one of them was deleted, moved or replaced.
        """
        for path, opened in self._opened if ahead else self._opened[:1]:
            try:
                found = _identity(path)
            except OSError as error:
                raise StoreUnavailable(f"{path} disappeared while in use ({error.strerror}); {_HINT}") from None
            if found != opened:
                raise StoreUnavailable(f"{path} was replaced while in use; {_HINT}")


_HINT = "nothing is written until it is back or the process is restarted"


def _identity(path: str) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_dev, found.st_ino
