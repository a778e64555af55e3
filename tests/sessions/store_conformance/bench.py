"""What the suite needs of a store: the store, the same data as another process sees them, and a clock to move."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import Any, Protocol

from fsmvoice.model.run_state import RunState
from fsmvoice.sessions.store import Commit, EffectCall, Event, Limits, SessionStore, StoredSession

DAY = 86400


class Bench(ABC):
    """One store under test. Everything that it made is gone when the test is over."""

    store: SessionStore
    shared: bool = True
    """Whether `another()` is another connection to the same data; a store in memory gives itself."""

    @abstractmethod
    async def another(self) -> SessionStore:
        """The same data, as another process would open them."""

    @abstractmethod
    async def with_limits(self, limits: Limits) -> SessionStore:
        """The same data under other limits."""

    @abstractmethod
    def advance(self, seconds: float) -> None:
        """Move the store's clock on, for all who use it."""


def commit(key: str, seq: int, expected: int | None, **fields: Any) -> Commit:
    """A commit that leads to revision `seq`, with one event."""
    state = RunState((1,), {"n": seq}, seq=seq)
    fields.setdefault("events", (Event(seq, "GO", "a", "b"),))
    fields.setdefault("machine", "m")
    return Commit(key, expected, state, json.dumps({"n": seq}), **fields)


class Loads(Protocol):
    async def load(self, key: str, request_id: str | None = None) -> StoredSession | None: ...


async def revision(store: Loads, key: str) -> int | None:
    stored = await store.load(key)
    return None if stored is None else stored.revision


def effects(*names: str) -> tuple[EffectCall, ...]:
    return tuple(EffectCall(f"id-{name}", name, '{"to": "x"}') for name in names)


async def overdue(store: SessionStore) -> list[str]:
    return list((await store.overdue("m", 10, 10)).keys)
