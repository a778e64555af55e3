"""Tells listeners when a session changes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeAlias

from fsmvoice.sessions.store import Changed

logger: logging.Logger = logging.getLogger("fsmvoice")

Listener: TypeAlias = Callable[[int], None]
"""Called with the new revision right after the commit. It must not block."""


class Feed:
    """The changes of sessions, by storage key.

    A storage key is derived from the caller, so nobody can listen to another caller's session.

    Args:
        source: where changes come from, such as a store's `subscribe`. It is subscribed to while anyone listens.
    """

    def __init__(self, source: Callable[[Changed], Callable[[], None]] | None = None) -> None:
        self._listeners: dict[str, dict[object, Listener]] = {}
        self._source = source
        self._end: Callable[[], None] | None = None

    def __len__(self) -> int:
        """The number of sessions with listeners."""
        return len(self._listeners)

    def listen(self, key: str, listener: Listener) -> Callable[[], None]:
        """Call `listener` after each change of the session. Returns a function that ends this, also if called twice."""
        if self._end is None and self._source is not None:
            self._end = self._source(self.publish)
        token = object()
        self._listeners.setdefault(key, {})[token] = listener

        def end() -> None:
            there = self._listeners.get(key)
            if there is not None and there.pop(token, None) is not None and not there:
                del self._listeners[key]
            if self._end is not None and not self._listeners:
                self._end()
                self._end = None

        return end

    def publish(self, key: str, revision: int) -> None:
        """Call the session's listeners. An exception in one is logged and does not affect the others."""
        there = self._listeners.get(key)
        if there is None:
            return
        for listener in list(there.values()):
            try:
                listener(revision)
            except Exception:  # the change is committed, so a listener must not break the caller's reply
                logger.exception("a listener to a session failed")
