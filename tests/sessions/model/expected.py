"""What one session should be, and how far it may be ahead or behind."""

from __future__ import annotations

from collections.abc import Sequence

from fsmvoice.sessions.store import PastEvent, SessionInfo
from tests.sessions.model.machine import RINGS

Seen = tuple[str, str | None]
"""An event of the history, and its request id."""


class Expected:
    """One life of a session.

    Attributes:
        due: when its delay ends; None if none runs.
        expires: when it does if nothing happens.
        replies: what was said, by request id.
        run: the name of this life, once it was seen.
        counted: the revisions that asked for a mail, and when.
    """

    def __init__(self, version: int, expires: float) -> None:
        self.version, self.expires = version, expires
        self.events: list[Seen] = [("xstate.init", None)]
        self.n = 0
        self.due: float | None = None
        self.replies: dict[str, str] = {}
        self.run = ""
        self.counted: list[tuple[int, float]] = []

    @property
    def revision(self) -> int:
        return len(self.events) - 1

    def step(self, version: int, event: str, request_id: str | None = None) -> None:
        """A process of that version steps an event."""
        self.version = version
        self.events.append((event, request_id))

    def count(self, version: int, event: str, request_id: str | None, now: float) -> None:
        """It counts, and asks for a mail."""
        self.step(version, event, request_id)
        self.n += 1
        self.counted.append((self.revision, now))

    def ring(self, version: int) -> None:
        """Its delay has ended."""
        self.due = None
        self.step(version, RINGS[version - 1])

    def agree(self, info: SessionInfo, history: Sequence[PastEvent], now: float) -> None:
        """It stands in the store as it should; a delay that is due may have ended meanwhile, but none before."""
        seen = [(past.event.name, past.event.request_id) for past in history]
        if len(seen) == len(self.events) + 1 and self.due is not None and self.due <= now:
            assert history[-1].at >= self.due
            self.ring(int(history[-1].event.version or 0))
        assert seen == self.events
        assert [past.event.seq for past in history] == list(range(len(seen)))
        assert info.revision == self.revision
        said = {past.event.request_id: past.say for past in history if past.event.request_id is not None}
        assert said == self.replies

    def mails(self) -> list[tuple[str, float]]:
        """The ids of all mails that it asked for, in order, and when it did."""
        return [(f"{self.run}.{revision}.0", asked) for revision, asked in self.counted]
