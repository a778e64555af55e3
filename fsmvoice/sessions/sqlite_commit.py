"""The writes of the SQLite store, as jobs for its writer. Each is done completely or not at all."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from fsmvoice.sessions.sqlite_writer import Writer
from fsmvoice.sessions.store import (
    ANSWERS_KEPT_OVER,
    Commit,
    Committed,
    Lease,
    Limits,
    Outgoing,
    Overdue,
    StoreFull,
)

NEXT = "SELECT wake_at FROM sessions WHERE machine = ? AND wake_at IS NOT NULL AND expires > ? ORDER BY wake_at LIMIT 1"
_BELONGINGS = ("events", "answers", "effects", "services")
_WAKE = """UPDATE sessions SET wake_at = (SELECT min(t) FROM (
    SELECT sessions.timer_at AS t
    UNION ALL SELECT min(until) FROM services v WHERE v.sid = sessions.sid
    UNION ALL SELECT due FROM (
        SELECT due FROM effects e WHERE e.sid = sessions.sid AND dead = 0 ORDER BY n LIMIT 1)))"""
_OLDEST = """SELECT e.n, e.id, name, arguments, attempt, due FROM effects e JOIN sessions USING (sid)
    WHERE key = ? AND dead = 0 AND expires > ? ORDER BY e.n LIMIT 1"""

Now = Callable[[], float]


def commit(writer: Writer, limits: Limits, given: Commit, now_of: Now, db: sqlite3.Connection) -> Committed:
    """`SessionStore.commit`, in a transaction of the only writer."""
    now = now_of()
    row = db.execute(
        "SELECT sid, revision, expires, fence, leased_until FROM sessions WHERE key = ?", (given.key,)
    ).fetchone()
    found: tuple[int, int, float, int, float] = row or (0, -1, 0.0, 0, 0.0)
    sid, revision, expires, fence, leased_until = found
    there = revision >= 0 and expires > now
    if (revision if there else None) != given.expected:
        return "conflict"
    if given.fence is None and leased_until > now:
        return "leased"
    if given.fence is not None and given.fence != fence:
        return "conflict"
    after = given.state.seq
    if there:
        db.execute(
            "UPDATE sessions SET revision = ?, document = ?, attempts = 0, news = ?, changed = ?, expires = ?,"
            " timer_at = ?, leased_until = 0 WHERE sid = ?",
            (after, given.document, _text(given.news), now, now + limits.ttl * 1000, given.timer_at, sid),
        )
    else:
        sid = _begin(db, limits, given, sid, now)
    last = 0
    for event in given.events:
        last = (
            db.execute(
                "INSERT INTO events (sid, seq, at, name, source, target, request_id,"
                " principal, version, arguments, audit) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (sid, event.seq, now, event.name, json.dumps(event.source), json.dumps(event.target), *event[4:]),
            ).lastrowid
            or 0
        )
    if after >= limits.history:
        db.execute("DELETE FROM events WHERE sid = ? AND seq <= ?", (sid, after - limits.history))
    if given.answer is not None:
        db.execute("DELETE FROM answers WHERE sid = ? AND revision <= ?", (sid, after - ANSWERS_KEPT_OVER))
        db.execute(
            "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET sent = excluded.sent,"
            " say = excluded.say, revision = excluded.revision, at = excluded.at",
            (sid, *given.answer, after, now),
        )
    _follow(db, sid, given, now)
    if given.events:
        writer.committed(last, given.key, after)
    return "committed"


def _begin(db: sqlite3.Connection, limits: Limits, given: Commit, sid: int, now: float) -> int:
    """Insert the row of a new session, replacing what an expired one or a lease left behind. Its row id."""
    if given.caller:
        has = db.execute(
            "SELECT count(*) FROM (SELECT 1 FROM sessions WHERE caller = ? AND revision >= 0 AND expires > ? LIMIT ?)",
            (given.caller, now, limits.sessions_per_caller),
        ).fetchone()[0]
        if has >= limits.sessions_per_caller:
            raise StoreFull(f"the caller already has {has} sessions")
    if sid:
        for table in _BELONGINGS:
            db.execute(f"DELETE FROM {table} WHERE sid = ?", (sid,))  # noqa: S608 - a constant table name
    row = db.execute(
        "INSERT INTO sessions"
        " (key, machine, revision, document, news, caller, run, created, changed, expires, timer_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET machine = excluded.machine,"
        " revision = excluded.revision, document = excluded.document, news = excluded.news, attempts = 0,"
        " caller = excluded.caller, run = excluded.run, created = excluded.created, changed = excluded.changed,"
        " expires = excluded.expires, timer_at = excluded.timer_at, wake_at = NULL, leased_until = 0 RETURNING sid",
        (
            given.key,
            given.machine,
            given.state.seq,
            given.document,
            _text(given.news),
            given.caller,
            given.run,
            now,
            now,
            now + limits.ttl * 1000,
            given.timer_at,
        ),
    ).fetchone()
    return int(row[0])


def _follow(db: sqlite3.Connection, sid: int, given: Commit, now: float) -> None:
    """Update services, effects and the wake-up time to what the commit says."""
    if given.services:
        marks = ", ".join("?" * len(given.services))
        db.execute(
            f"DELETE FROM services WHERE sid = ? AND service NOT IN ({marks})",  # noqa: S608 - only question marks
            (sid, *given.services),
        )
        until = now + given.seconds * 1000
        db.executemany(
            "INSERT OR IGNORE INTO services (sid, service, owner, until) VALUES (?, ?, ?, ?)",
            [(sid, service, given.owner, until) for service in given.services],
        )
    else:
        db.execute("DELETE FROM services WHERE sid = ?", (sid,))
    if given.effects:
        db.executemany(
            "INSERT INTO effects (sid, id, name, arguments, due) VALUES (?, ?, ?, ?, ?)",
            [(sid, *call, now) for call in given.effects],
        )
    if given.ends is not None:
        db.execute("UPDATE effects SET dead = 1 WHERE sid = ? AND id = ?", (sid, given.ends))
    db.execute(f"{_WAKE} WHERE sid = ?", (sid,))


def delete(key: str, now_of: Now, db: sqlite3.Connection) -> bool:
    """`SessionStore.delete`."""
    row = db.execute("SELECT sid, revision, expires FROM sessions WHERE key = ?", (key,)).fetchone()
    if row is None:
        return False
    _remove(db, [row[0]])
    return bool(row[1] >= 0 and row[2] > now_of())


def _remove(db: sqlite3.Connection, sids: Sequence[int]) -> None:
    for table in ("sessions", *_BELONGINGS):
        db.executemany(f"DELETE FROM {table} WHERE sid = ?", [(sid,) for sid in sids])  # noqa: S608 - a constant table name


def lease(key: str, owner: str, seconds: float, now_of: Now, db: sqlite3.Connection) -> Lease | None:
    """`SessionStore.lease`."""
    now = now_of()
    until = now + seconds * 1000
    row = db.execute(
        "INSERT INTO sessions (key, machine, revision, created, changed, expires, fence, leased_until, owner)"
        " VALUES (?, '', -1, ?, ?, ?, 1, ?, ?) ON CONFLICT (key) DO UPDATE SET fence = fence + 1,"
        " leased_until = excluded.leased_until, owner = excluded.owner WHERE leased_until <= ?"
        " RETURNING fence, CASE WHEN revision >= 0 AND expires > ? THEN revision END",
        (key, now, now, until, until, owner, now, now),
    ).fetchone()
    return None if row is None else Lease(row[0], row[1])


def overdue(machine: str, limit: int, hold: float, now_of: Now, db: sqlite3.Connection) -> Overdue:
    """`SessionStore.overdue`."""
    now = now_of()
    db.execute(
        "UPDATE sessions SET wake_at = NULL WHERE machine = ? AND wake_at <= ? AND expires <= ?", (machine, now, now)
    )
    rows = db.execute(
        "SELECT sid, key FROM sessions WHERE machine = ? AND wake_at <= ? ORDER BY wake_at LIMIT ?",
        (machine, now, limit),
    ).fetchall()
    db.executemany("UPDATE sessions SET wake_at = ? WHERE sid = ?", [(now + hold * 1000, row[0]) for row in rows])
    following = db.execute(NEXT, (machine, now)).fetchone()
    return Overdue([row[1] for row in rows], None if following is None else max(0.0, following[0] - now))


def claim_service(
    which: tuple[str, str], owner: str, seconds: float, now_of: Now, db: sqlite3.Connection
) -> int | None:
    """`SessionStore.claim_service`. `which` is the session's key and the service."""
    key, service = which
    now = now_of()
    row = db.execute(
        "UPDATE services SET owner = ?, until = ?, times = times + 1 WHERE service = ? AND until <= ?"
        " AND sid = (SELECT sid FROM sessions WHERE key = ? AND revision >= 0 AND expires > ?) RETURNING times",
        (owner, now + seconds * 1000, service, now, key, now),
    ).fetchone()
    if row is None:
        return None
    db.execute(f"{_WAKE} WHERE key = ?", (key,))
    return int(row[0])


def extend(
    owner: str, services: Sequence[tuple[str, str]], seconds: float | None, now_of: Now, db: sqlite3.Connection
) -> Sequence[tuple[str, str]]:
    """`SessionStore.keep_services`, or `give_up_services` if `seconds` is None."""
    now, lost = now_of(), list[tuple[str, str]]()
    until = 0.0 if seconds is None else now + seconds * 1000
    for key, service in services:
        changed = db.execute(
            "UPDATE services SET until = ? WHERE service = ? AND owner = ?"
            " AND sid = (SELECT sid FROM sessions WHERE key = ? AND expires > ?)",
            (until, service, owner, key, now),
        )
        if changed.rowcount:
            db.execute(f"{_WAKE} WHERE key = ?", (key,))
        else:
            lost.append((key, service))
    return lost


def claim_effect(key: str, seconds: float, now_of: Now, db: sqlite3.Connection) -> Outgoing | None:
    """`SessionStore.claim_effect`."""
    now = now_of()
    row = db.execute(_OLDEST, (key, now)).fetchone()
    if row is None or row[5] > now:
        return None
    n, effect, name, arguments, attempt = row[0], row[1], row[2], row[3], row[4] + 1
    db.execute("UPDATE effects SET due = ?, attempt = ? WHERE n = ?", (now + seconds * 1000, attempt, n))
    db.execute(f"{_WAKE} WHERE key = ?", (key,))
    return Outgoing(effect, name, arguments, attempt)


def finish_effect(key: str, effect: str, db: sqlite3.Connection) -> None:
    """`SessionStore.finish_effect`."""
    db.execute(
        "DELETE FROM effects WHERE id = ? AND dead = 0 AND sid = (SELECT sid FROM sessions WHERE key = ?)",
        (effect, key),
    )
    db.execute(f"{_WAKE} WHERE key = ?", (key,))


def retry_effect(which: tuple[str, str], attempt: int, due: float, error: str, db: sqlite3.Connection) -> None:
    """`SessionStore.retry_effect`. `which` is the session's key and the effect."""
    key, effect = which
    db.execute(
        "UPDATE effects SET due = ?, error = ? WHERE id = ? AND attempt = ? AND dead = 0"
        " AND sid = (SELECT sid FROM sessions WHERE key = ?)",
        (due, error, effect, attempt, key),
    )
    db.execute(f"{_WAKE} WHERE key = ?", (key,))


def sweep(before: float, now: float, limit: int, db: sqlite3.Connection) -> int:
    """`SessionStore.sweep`."""
    rows: list[Any] = db.execute("SELECT sid FROM sessions WHERE expires <= ? LIMIT ?", (before, limit)).fetchall()
    if not rows:  # two statements, each with its own index: one with OR would scan all sessions
        sql = "SELECT sid FROM sessions WHERE revision < 0 AND leased_until <= ? LIMIT ?"
        rows = db.execute(sql, (now - 3_600_000, limit)).fetchall()
    _remove(db, [row[0] for row in rows])
    return len(rows)


def _text(news: tuple[str, ...]) -> str:
    return json.dumps(news) if news else "[]"
