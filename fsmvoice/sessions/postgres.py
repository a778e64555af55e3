"""A store that keeps sessions in PostgreSQL, for any number of equal processes."""

from __future__ import annotations

import json
import secrets
import uuid
from collections.abc import Callable, Sequence
from typing import Any, Final

from fsmvoice.sessions.postgres_changes import Changes
from fsmvoice.sessions.postgres_pool import Pool
from fsmvoice.sessions.postgres_text import escaped, unescaped
from fsmvoice.sessions.store import (
    ANSWERS_KEPT_FOR,
    ANSWERS_KEPT_OVER,
    Answer,
    Changed,
    Commit,
    Committed,
    CommitUnknown,
    Event,
    Lease,
    Limits,
    Outgoing,
    Overdue,
    PastEvent,
    SessionInfo,
    StoredSession,
    StoreFull,
    StoreUnavailable,
)

SWEPT: Final = 500
"""The number of sessions that are deleted at a time, at most."""

_LOAD: Final = """
SELECT s.revision, s.document, s.attempts, s.news, s.run, t.now, a.sent, a.say, l.until
FROM (SELECT fsmvoice_now() AS now) t
JOIN fsmvoice_sessions s ON s.key = $1 AND s.expires > t.now
LEFT JOIN fsmvoice_leases l ON l.key = s.key AND l.until > t.now
LEFT JOIN fsmvoice_answers a
  ON a.key = s.key AND a.request_id = $2 AND a.revision > s.revision - $3 AND a.at > t.now - $4
"""
_COMMIT: Final = f"SELECT fsmvoice_commit({', '.join(f'${place}' for place in range(1, 35))})"
_HISTORY: Final = """
SELECT e.*, a.say FROM fsmvoice_events e
JOIN fsmvoice_sessions s ON s.key = e.key AND s.expires > (SELECT fsmvoice_now())
LEFT JOIN fsmvoice_answers a ON a.key = e.key AND a.request_id = e.request_id
WHERE e.key = $1 ORDER BY e.seq DESC LIMIT $2
"""
_KEPT: Final = """
SELECT v.key, v.service FROM unnest($2::text[], $3::text[]) AS g (key, service)
JOIN fsmvoice_services v ON v.key = g.key AND v.service = g.service AND v.owner = $1
JOIN fsmvoice_sessions s ON s.key = g.key AND s.expires > (SELECT fsmvoice_now())
"""
_LIST: Final = """
SELECT s.key, s.machine, s.revision, s.created, s.changed, s.expires, s.caller, s.wake_at,
  (SELECT count(*) FROM fsmvoice_effects e WHERE e.key = s.key AND NOT e.dead) AS outgoing,
  (SELECT count(*) FROM fsmvoice_effects e WHERE e.key = s.key AND e.dead) AS dead
FROM fsmvoice_sessions s WHERE s.key > $2 AND s.expires > (SELECT fsmvoice_now()) ORDER BY s.key LIMIT $1
"""


class PostgresStore:
    """A `SessionStore` in a PostgreSQL database, version 14 or later.

    Connections are made when they are needed, in the event loop that needs them. `open` checks that this works.

    Args:
        url: `postgresql://user:password@host/database`, with the options of libpq.

    Raises:
        MissingExtra: if asyncpg is not installed.
    """

    instant: bool = False
    limits: Limits

    def __init__(self, url: str, *, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._pool = Pool(url)
        self._changes = Changes(self._pool)

    def __repr__(self) -> str:
        return f"<PostgresStore {self._pool!r}>"

    @classmethod
    async def open(cls, url: str, *, limits: Limits | None = None) -> PostgresStore:
        """Connect, and create or update the tables.

        Raises:
            StoreUnavailable: if the database can't be reached or denies access.
        """
        store = cls(url, limits=limits)
        await store._pool.check()
        return store

    @classmethod
    async def look(cls, url: str) -> PostgresStore:
        """Connect without creating or updating the tables.

        Raises:
            BadStore: if there are no tables yet.
            StoreUnavailable: if the database can't be reached or denies access.
        """
        store = cls(url)
        store._pool.make = False
        await store._pool.check()
        return store

    async def load(self, key: str, request_id: str | None = None) -> StoredSession | None:
        """The session, with its answer to that request."""
        request = None if request_id is None else escaped(request_id)
        rows = await self._pool.read(_LOAD, escaped(key), request, ANSWERS_KEPT_OVER, ANSWERS_KEPT_FOR * 1000)
        if not rows:
            return None
        (row,) = rows
        answer = None
        if request_id is not None and row["say"] is not None:
            answer = Answer(request_id, unescaped(row["sent"]), unescaped(row["say"]))
        return StoredSession(
            row["revision"],
            row["now"],
            None,
            None,
            unescaped(row["document"]),
            row["attempts"],
            tuple(json.loads(row["news"])),
            answer,
            unescaped(row["run"]),
            row["until"] or 0.0,
        )

    async def expired(self, key: str) -> bool:
        """Whether there was such a session, and it has expired."""
        query = "SELECT FROM fsmvoice_sessions WHERE key = $1 AND expires <= fsmvoice_now()"
        return bool(await self._pool.read(query, escaped(key)))

    async def commit(self, commit: Commit) -> Committed:
        """Apply the commit in one statement.

        If the connection breaks meanwhile, the commit is sent again, and the database recognises it by its id.

        Raises:
            CommitUnknown: if the database did not come back in time.
        """
        values = _values(commit, self.limits)
        done = await self._pool.persistently(lambda: self._pool.once(_COMMIT, *values), lost=CommitUnknown)
        told = str(done[0][0])
        if told == "full":
            raise StoreFull(f"the caller already has {self.limits.sessions_per_caller} sessions")
        if told == "committed":
            self._changes.tell(commit.key, commit.state.seq)
            return "committed"
        return "leased" if told == "leased" else "conflict"

    async def note(self, key: str, revision: int, attempts: int, news: tuple[str, ...]) -> None:
        """Set the number of failures in a row, and the news that nobody has heard yet."""
        query = "SELECT fsmvoice_note($1, $2, $3, $4)"
        await self._pool.read(query, escaped(key), revision, attempts, json.dumps(news))

    async def delete(self, key: str) -> bool:
        """Delete the session."""
        query = "SELECT fsmvoice_forget(key) FROM fsmvoice_sessions WHERE key = $1 AND expires > fsmvoice_now()"
        return bool(await self._pool.write(query, escaped(key)))

    async def now(self) -> float:
        """Milliseconds since 1970, by the database's clock."""
        return float((await self._pool.read("SELECT fsmvoice_now()"))[0][0])

    async def check(self) -> None:
        """Check that the database has the tables and accepts writes, which a standby doesn't."""
        query = (
            "SELECT current_setting('transaction_read_only'), count(*) FROM (SELECT FROM fsmvoice_sessions LIMIT 1) s"
        )
        if (await self._pool.read(query))[0][0] != "off":
            raise StoreUnavailable("the database accepts no writes: it is a standby, or was set to read only")

    async def lease(self, key: str, owner: str, seconds: float) -> Lease | None:
        """Take the session's lease."""
        rows = await self._pool.write("SELECT * FROM fsmvoice_lease($1, $2, $3)", escaped(key), owner, float(seconds))
        return Lease(rows[0]["fence"], rows[0]["revision"]) if rows else None

    async def release(self, key: str, fence: int) -> None:
        """Give the lease back."""
        query = "UPDATE fsmvoice_leases SET until = 0 WHERE key = $1 AND fence = $2"
        await self._pool.read(query, escaped(key), fence)

    async def overdue(self, machine: str, limit: int, hold: float) -> Overdue:
        """Sessions of a machine with something due, and the time until the next one."""
        (row,) = await self._pool.write(
            "SELECT * FROM fsmvoice_overdue($1, $2, $3)", escaped(machine), limit, float(hold)
        )
        return Overdue([unescaped(key) for key in row["keys"]], row["next_in"])

    async def wake(self, key: str, seconds: float) -> None:
        """Report the session as overdue in `seconds`."""
        query = "UPDATE fsmvoice_sessions SET wake_at = fsmvoice_now() + $2 WHERE key = $1 AND wake_at IS NOT NULL"
        await self._pool.read(query, escaped(key), seconds * 1000)

    async def claim_service(self, key: str, service: str, owner: str, seconds: float) -> int | None:
        """Take over a service whose lease has ended."""
        query = "SELECT fsmvoice_claim_service($1, $2, $3, $4)"
        rows = await self._pool.write(query, escaped(key), escaped(service), owner, float(seconds))
        begun: int | None = rows[0][0]
        return begun

    async def keep_services(
        self, owner: str, services: Sequence[tuple[str, str]], seconds: float
    ) -> Sequence[tuple[str, str]]:
        """Renew leases."""
        await self._extend(owner, services, float(seconds))
        keys, names = [escaped(key) for key, _ in services], [escaped(name) for _, name in services]
        kept = {(row["key"], row["service"]) for row in await self._pool.read(_KEPT, owner, keys, names)}
        return [given for given, pair in zip(services, zip(keys, names, strict=True), strict=True) if pair not in kept]

    async def give_up_services(self, owner: str, services: Sequence[tuple[str, str]]) -> None:
        """End leases."""
        await self._extend(owner, services, None)

    async def _extend(self, owner: str, services: Sequence[tuple[str, str]], seconds: float | None) -> None:
        keys, names = [escaped(key) for key, _ in services], [escaped(name) for _, name in services]
        await self._pool.read("SELECT fsmvoice_extend_services($1, $2, $3, $4)", owner, keys, names, seconds)

    async def claim_effect(self, key: str, owner: str, seconds: float) -> Outgoing | None:
        """Claim the oldest effect of the session, if it is due."""
        rows = await self._pool.write("SELECT * FROM fsmvoice_claim_effect($1, $2)", escaped(key), float(seconds))
        if not rows:
            return None
        (row,) = rows
        return Outgoing(unescaped(row["id"]), unescaped(row["name"]), unescaped(row["arguments"]), row["attempt"])

    async def finish_effect(self, key: str, effect: str) -> None:
        """Remove an effect that is done."""
        await self._settle(key, effect, 0, None, "")

    async def retry_effect(self, key: str, effect: str, attempt: int, seconds: float, error: str) -> None:
        """Schedule another attempt at an effect that failed."""
        await self._settle(key, effect, attempt, float(seconds), error)

    async def _settle(self, key: str, effect: str, attempt: int, seconds: float | None, error: str) -> None:
        query = "SELECT fsmvoice_settle_effect($1, $2, $3, $4, $5)"
        await self._pool.read(query, escaped(key), escaped(effect), attempt, seconds, escaped(error))

    async def keys(self) -> Sequence[bytes]:
        """The keys in the database, made by the first process that asks."""
        query = "SELECT secret FROM fsmvoice_keys ORDER BY id DESC"
        rows = await self._pool.read(query)
        if not rows:
            await self._pool.read("SELECT fsmvoice_make_key($1)", secrets.token_bytes(32))
            rows = await self._pool.read(query)
        return [row["secret"] for row in rows]

    def subscribe(self, changed: Changed) -> Callable[[], None]:
        """Call `changed` after each commit of any process."""
        return self._changes.subscribe(changed)

    async def history(self, key: str, *, limit: int = 1000) -> Sequence[PastEvent]:
        """The session's last events."""
        return [_past(row) for row in reversed(await self._pool.read(_HISTORY, escaped(key), limit))]

    async def list(self, *, limit: int = 100, after: str = "") -> Sequence[SessionInfo]:
        """Sessions by key."""
        return [
            SessionInfo(unescaped(key), unescaped(machine), *others)
            for key, machine, *others in await self._pool.read(_LIST, limit, escaped(after))
        ]

    async def sweep(self) -> int:
        """Delete some of the sessions that expired at least a `ttl` ago."""
        return int((await self._pool.read("SELECT fsmvoice_sweep($1)", SWEPT))[0][0])

    async def aclose(self) -> None:
        """Send pending notifications to the other processes, and close the connections."""
        await self._changes.aclose()
        await self._pool.aclose()


def _values(commit: Commit, limits: Limits) -> list[Any]:
    """The arguments of `fsmvoice_commit`, in its order."""
    answer, events, effects = commit.answer, commit.events, commit.effects
    return [
        uuid.uuid4(),
        escaped(commit.key),
        commit.expected,
        commit.state.seq,
        escaped(commit.document or ""),
        escaped(commit.machine),
        [event.seq for event in events],
        [escaped(event.name) for event in events],
        [json.dumps(event.source) for event in events],
        [json.dumps(event.target) for event in events],
        [_escaped(event.request_id) for event in events],
        [escaped(event.principal) for event in events],
        [_escaped(event.version) for event in events],
        [escaped(event.arguments) for event in events],
        [_escaped(event.audit) for event in events],
        None if answer is None else escaped(answer.request_id),
        None if answer is None else escaped(answer.sent),
        None if answer is None else escaped(answer.say),
        [escaped(effect.id) for effect in effects],
        [escaped(effect.name) for effect in effects],
        [escaped(effect.arguments) for effect in effects],
        [escaped(service) for service in commit.services],
        commit.owner,
        float(commit.seconds),
        json.dumps(commit.news),
        None if commit.timer_at is None else float(commit.timer_at),
        commit.fence,
        escaped(commit.caller),
        escaped(commit.run),
        _escaped(commit.ends),
        limits.ttl * 1000,
        limits.sessions_per_caller,
        limits.history,
        ANSWERS_KEPT_OVER,
    ]


def _escaped(text: str | None) -> str | None:
    return None if text is None else escaped(text)


def _unescaped(text: str | None) -> str | None:
    return None if text is None else unescaped(text)


def _past(row: Any) -> PastEvent:
    event = Event(
        row["seq"],
        unescaped(row["name"]),
        json.loads(row["source"]),
        json.loads(row["target"]),
        _unescaped(row["request_id"]),
        unescaped(row["principal"]),
        _unescaped(row["version"]),
        unescaped(row["arguments"]),
        _unescaped(row["audit"]),
    )
    return PastEvent(row["at"], event, _unescaped(row["say"]))
