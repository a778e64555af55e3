"""Who wants to hear when a session changes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeAlias

from fsmvoice.sessions.store import Changed

logger: logging.Logger = logging.getLogger("fsmvoice")

Listener: TypeAlias = Callable[[int], None]
"""Is told the new revision, right after the commit. It must not wait."""


class Feed:
    """The changes of sessions, by the name that a store keeps them under.

    With a `source`, such as a store's `subscribe`, they are heard from there as long as anyone listens.

    Who listens names the session by its storage key, which is made from the caller: nobody hears of another's.
    """

    def __init__(self, source: Callable[[Changed], Callable[[], None]] | None = None) -> None:
        self._listeners: dict[str, dict[object, Listener]] = {}
        self._source = source
        self._end: Callable[[], None] | None = None

    def __len__(self) -> int:
        """How many sessions are listened to."""
        return len(self._listeners)

    def listen(self, key: str, listener: Listener) -> Callable[[], None]:
        """Tell `listener` of each change of the session; returns what ends that, which may be called again."""
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
        """Tell everyone who listens to the session. One that fails is logged and harms nobody."""
        there = self._listeners.get(key)
        if there is None:
            return
        for listener in list(there.values()):
            try:
                listener(revision)
            except Exception:  # the change is committed: a listener must not take the caller's reply away
                logger.exception("a listener to a session failed")
