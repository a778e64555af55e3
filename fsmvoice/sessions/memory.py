"""A store that keeps sessions in memory, until the process ends."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence

from fsmvoice.engine.clock import Clock, SystemClock
from fsmvoice.sessions.entry import Entry, Leased
from fsmvoice.sessions.store import (
    DAY,
    Changed,
    Commit,
    Committed,
    Lease,
    Limits,
    Outgoing,
    Overdue,
    PastEvent,
    SessionInfo,
    StoredSession,
    StoreFull,
)

HISTORY = 100
"""So many events of a session are kept by default; they are a third of a kilobyte each."""
EXPIRED_KEPT = 10_000
"""The number of expired sessions whose keys are remembered."""


class MemoryStore:
    """A `SessionStore` in memory.

    Args:
        ttl: seconds for which a session is kept after its last commit.
        limit: the number of sessions there can be at a time.
        limits: all limits together, instead of `ttl` and `limit`.
        clock: the clock; a `SimulatedClock` in tests.
    """

    instant: bool = True
    limits: Limits

    def __init__(
        self, *, ttl: float = DAY, limit: int = 100_000, limits: Limits | None = None, clock: Clock | None = None
    ) -> None:
        self.limits = limits or Limits(ttl=ttl, sessions=limit, history=HISTORY)
        self._ttl = self.limits.ttl * 1000
        self._clock = (clock or SystemClock()).now
        self._sessions: OrderedDict[str, Entry] = OrderedDict()
        """Ordered by their last commit, oldest first."""
        self._callers: dict[str, int] = {}
        self._busy: dict[str, Entry] = {}
        """The sessions with timers, services or effects."""
        self._none_before = self._clock()
        """No session expires before this time."""
        self._expired: OrderedDict[str, None] = OrderedDict()
        self._leases: dict[str, Leased] = {}
        self._listeners: dict[object, Changed] = {}
        self._seals: list[bytes] = []

    def __len__(self) -> int:
        return len(self._sessions)

    async def load(self, key: str, request_id: str | None = None) -> StoredSession | None:
        """The session, with its answer to that request."""
        now = self._drop_expired()
        entry = self._sessions.get(key)
        if entry is None:
            return None
        state = entry.state
        answer = None if request_id is None else entry.answer_to(request_id, now)
        lease = self._leases.get(key) if self._leases else None
        until = lease.until if lease is not None and lease.until > now else 0.0
        return StoredSession(
            state.seq, now, state, entry.chart, None, entry.attempts, entry.news, answer, entry.run, until
        )

    async def expired(self, key: str) -> bool:
        """Whether there was such a session. Only the last `EXPIRED_KEPT` that expired are remembered."""
        self._drop_expired()
        return key in self._expired

    async def commit(self, commit: Commit) -> Committed:
        """Apply the commit, if the session is still at the expected revision."""
        now = self._drop_expired()
        key, state = commit.key, commit.state
        entry = self._sessions.get(key)
        if (None if entry is None else entry.state.seq) != commit.expected:
            return "conflict"
        if self._leases and (lease := self._leases.get(key)) is not None:
            if commit.fence is None and lease.until > now:
                return "leased"
            if commit.fence is not None and lease.times != commit.fence:
                return "conflict"
            lease.until = 0.0
        if entry is None:
            entry = self._new(commit, now)
        else:
            entry.state, entry.chart, entry.changed = state, commit.chart, now
            entry.attempts, entry.news = 0, commit.news
            entry.expires = now + self._ttl
            self._sessions.move_to_end(key)
        if commit.events:
            entry.add_events(commit, now, self.limits.history)
        if entry.answers:
            entry.forget(now)
        if commit.answer is not None:
            entry.remember(commit.answer, now)
        if commit.timer_at is not None or commit.effects or commit.services or key in self._busy:
            entry.follow(commit, now)
            if entry.wake_at() is None:
                self._busy.pop(key, None)
            else:
                self._busy[key] = entry
        for changed in tuple(self._listeners.values()):
            changed(key, state.seq)
        return "committed"

    def _new(self, commit: Commit, now: float) -> Entry:
        if self.limits.sessions is not None and len(self._sessions) >= self.limits.sessions:
            raise StoreFull(f"there are already {self.limits.sessions} sessions")
        if commit.caller:
            has = self._callers.get(commit.caller, 0)
            if has >= self.limits.sessions_per_caller:
                raise StoreFull(f"the caller already has {has} sessions")
            self._callers[commit.caller] = has + 1
        self._expired.pop(commit.key, None)
        entry = self._sessions[commit.key] = Entry(
            commit.state,
            commit.chart,
            commit.machine,
            now + self._ttl,
            now,
            now,
            commit.run,
            commit.caller,
            news=commit.news,
        )
        return entry

    async def note(self, key: str, revision: int, attempts: int, news: tuple[str, ...]) -> None:
        """Set the number of failures in a row, and the news that nobody has heard yet."""
        entry = self._sessions.get(key)
        if entry is not None and entry.state.seq == revision:
            entry.attempts, entry.news = attempts, news

    async def delete(self, key: str) -> bool:
        """Delete the session."""
        return self._drop(key)

    async def now(self) -> float:
        """Milliseconds since 1970, by the store's clock."""
        return self._clock()

    async def check(self) -> None:
        """Do nothing: memory is always available."""

    async def lease(self, key: str, owner: str, seconds: float) -> Lease | None:
        """Take the session's lease. Calls in one process take turns without it, but the protocol offers it."""
        now, lease = self._clock(), self._leases.get(key)
        if lease is not None and lease.until > now:
            return None
        times = 1 if lease is None else lease.times + 1
        self._leases[key] = Leased(owner, now + seconds * 1000, times)
        entry = self._sessions.get(key)
        return Lease(times, None if entry is None else entry.state.seq)

    async def release(self, key: str, fence: int) -> None:
        """Give the lease back."""
        lease = self._leases.get(key)
        if lease is not None and lease.times == fence:
            lease.until = 0.0

    async def overdue(self, machine: str, limit: int, hold: float) -> Overdue:
        """Sessions of a machine with something due, and the time until the next one."""
        now, keys, next_at = self._drop_expired(), list[str](), None
        for key, entry in tuple(self._busy.items()):
            at = entry.wake_at()
            if at is None:
                self._busy.pop(key, None)
            elif entry.machine == machine:
                if at <= now and len(keys) < limit:
                    keys.append(key)
                    at = entry.held_until = now + hold * 1000
                next_at = at if next_at is None else min(next_at, at)
        return Overdue(keys, None if next_at is None else max(0.0, next_at - now))

    async def wake(self, key: str, seconds: float) -> None:
        """Report the session as overdue in `seconds`."""
        entry = self._busy.get(key)
        if entry is not None:
            entry.held_until = self._clock() + seconds * 1000

    async def claim_service(self, key: str, service: str, owner: str, seconds: float) -> int | None:
        """Take over a service whose lease has ended."""
        entry, now = self._sessions.get(key), self._clock()
        lease = (entry.services or {}).get(service) if entry is not None else None
        if entry is None or lease is None or lease.until > now:
            return None
        lease.owner, lease.until, entry.held_until = owner, now + seconds * 1000, None
        lease.times += 1
        return lease.times

    async def keep_services(
        self, owner: str, services: Sequence[tuple[str, str]], seconds: float
    ) -> Sequence[tuple[str, str]]:
        """Renew leases."""
        return self._extend(owner, services, self._drop_expired() + seconds * 1000)

    async def give_up_services(self, owner: str, services: Sequence[tuple[str, str]]) -> None:
        """End leases."""
        self._extend(owner, services, 0.0)

    def _extend(self, owner: str, services: Sequence[tuple[str, str]], until: float) -> Sequence[tuple[str, str]]:
        lost: list[tuple[str, str]] = []
        for key, service in services:
            entry = self._sessions.get(key)
            lease = (entry.services or {}).get(service) if entry is not None else None
            if entry is not None and lease is not None and lease.owner == owner:
                lease.until, entry.held_until = until, None
            else:
                lost.append((key, service))
        return lost

    async def claim_effect(self, key: str, owner: str, seconds: float) -> Outgoing | None:
        """Claim the oldest effect of the session, if it is due."""
        entry, now = self._sessions.get(key), self._clock()
        if entry is None or entry.outbox is None:
            return None
        entry.held_until = None
        return entry.outbox.claim(now, now + seconds * 1000)

    async def finish_effect(self, key: str, effect: str) -> None:
        """Remove an effect that is done."""
        entry = self._sessions.get(key)
        if entry is not None and entry.outbox is not None:
            entry.outbox.finish(effect)
            entry.held_until = None

    async def retry_effect(self, key: str, effect: str, attempt: int, seconds: float, error: str) -> None:
        """Schedule another attempt at an effect that failed."""
        entry = self._sessions.get(key)
        if entry is not None and entry.outbox is not None:
            entry.outbox.retry(effect, attempt, self._clock() + seconds * 1000, error)
            entry.held_until = None

    async def keys(self) -> Sequence[bytes]:
        """A random key, made at the first call."""
        if not self._seals:
            self._seals.append(secrets.token_bytes(32))
        return tuple(self._seals)

    def subscribe(self, changed: Changed) -> Callable[[], None]:
        """Call `changed` after each commit."""
        token = object()
        self._listeners[token] = changed

        def end() -> None:
            self._listeners.pop(token, None)

        return end

    async def history(self, key: str, *, limit: int = 1000) -> Sequence[PastEvent]:
        """The session's last events."""
        self._drop_expired()
        entry = self._sessions.get(key)
        return [] if entry is None else entry.history(limit)

    async def list(self, *, limit: int = 100, after: str = "") -> Sequence[SessionInfo]:
        """Sessions by key."""
        self._drop_expired()
        keys = sorted(key for key in self._sessions if key > after)[:limit]
        return [self._sessions[key].info(key) for key in keys]

    async def sweep(self) -> int:
        """Delete the sessions that have expired."""
        before = len(self._sessions)
        self._none_before = 0.0
        self._drop_expired()
        return before - len(self._sessions)

    async def aclose(self) -> None:
        """Do nothing: the sessions live as long as the object."""

    def _drop_expired(self) -> float:
        now = self._clock()
        if now < self._none_before:
            return now
        self._none_before = now + self._ttl
        while self._sessions:
            key, entry = next(iter(self._sessions.items()))
            if entry.expires > now:
                self._none_before = entry.expires
                break
            self._drop(key)
            self._expired[key] = None
            if len(self._expired) > EXPIRED_KEPT:
                self._expired.popitem(last=False)
        return now

    def _drop(self, key: str) -> bool:
        entry = self._sessions.pop(key, None)
        if entry is None:
            return False
        self._busy.pop(key, None)
        self._leases.pop(key, None)
        if entry.caller:
            left = self._callers[entry.caller] - 1
            self._callers[entry.caller] = left
            if not left:
                del self._callers[entry.caller]
        return True
