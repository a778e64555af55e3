"""Copies of the package with one safeguard taken out, to see that the runs would notice.

A mutant is a folder with a copy of `fsmvoice` in which a text stands in place of another. The other must be there, just
once: whoever changes the code that it stands for is told so.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import fsmvoice

PACKAGE = Path(fsmvoice.__file__).parent


class Change(NamedTuple):
    """In a file of the package, `new` in place of `old`."""

    file: str
    old: str
    new: str


def make_mutant(name: str, folder: Path) -> Path:
    """A folder to import that mutant of the package from."""
    shutil.copytree(PACKAGE, folder / "fsmvoice", ignore=shutil.ignore_patterns("__pycache__"))
    for change in {**MUTANTS, **ELSEWHERE}[name]:
        file = folder / "fsmvoice" / change.file
        text = file.read_text()
        if text.count(change.old) != 1:
            raise LookupError(
                f"{change.file} has {change.old!r} {text.count(change.old)} times; the mutant {name!r} is out of date"
            )
        file.write_text(text.replace(change.old, change.new))
    return folder


MUTANTS: dict[str, tuple[Change, ...]] = {
    "no compare-and-set": (
        Change(
            "sessions/sqlite_commit.py",
            'if (revision if there else None) != given.expected:\n        return "conflict"',
            'if revision < 0 < (given.expected or 0):\n        return "conflict"',
        ),
        Change("sessions/sqlite_commit.py", '"INSERT INTO events (sid', '"INSERT OR REPLACE INTO events (sid'),
    ),
    "no dedupe": (
        Change(
            "sessions/turn.py",
            "                answer = stored.answer\n",
            "                answer = None\n",
        ),
    ),
    "acknowledged before the commit": (
        Change(
            "sessions/sqlite_writer.py",
            'connection.execute("COMMIT")\n        return done',
            "for item in done:\n"
            "            item.waiting.loop.call_soon_threadsafe(_wake, [item])\n"
            "        time.sleep(0.05)\n"
            '        connection.execute("COMMIT")\n'
            "        return []",
        ),
    ),
    "no fence": (
        Change(
            "sessions/sqlite_commit.py",
            'if given.fence is not None and given.fence != fence:\n        return "conflict"',
            "if fence < 0:\n        return 'conflict'",
        ),
    ),
    "no lease": (
        Change(
            "sessions/sqlite_commit.py",
            'if given.fence is None and leased_until > now:\n        return "leased"',
            'if leased_until < 0:\n        return "leased"',
        ),
    ),
    "step code that waits takes no lease": (
        Change(
            "sessions/gate.py",
            "if self.fence is not None:\n            return",
            "if self._key:\n            return",
        ),
    ),
    "a delay stays when its state is left": (
        Change("engine/kernel.py", "step.change_timers(stop=operation.event)", "step.change_timers(stop='')"),
    ),
    "a delay is not noted in the store": (Change("sessions/sqlite_commit.py", "given.timer_at, sid),", "None, sid),"),),
    "an effect is done once it is claimed": (
        Change(
            "sessions/sqlite_commit.py",
            "UPDATE effects SET due = ?, attempt = ? WHERE n = ?",
            "DELETE FROM effects WHERE ? > 0 AND ? > 0 AND n = ?",
        ),
    ),
    "a job that failed is not undone": (
        Change("sessions/sqlite_writer.py", 'connection.execute("ROLLBACK TO job")', "pass"),
    ),
}
"""Of what all stores have in common, and of the one in SQLite."""

ELSEWHERE: dict[str, tuple[Change, ...]] = {
    "no compare-and-set in memory": (
        Change(
            "sessions/memory.py",
            "if (None if entry is None else entry.state.seq) != commit.expected:",
            "if entry is None and commit.expected is not None:",
        ),
    ),
    "acknowledged before the commit in memory": (
        Change(
            "sessions/memory.py",
            "        key, state = commit.key, commit.state\n",
            "        if commit.owner and commit.expected is not None:\n"
            "            import asyncio\n"
            "            later = lambda: asyncio.ensure_future(self.commit(commit._replace(owner='')))\n"
            "            asyncio.get_running_loop().call_later(0.05, later)\n"
            "            return 'committed'\n"
            "        key, state = commit.key, commit.state\n",
        ),
    ),
    "no compare-and-set in PostgreSQL": (
        Change(
            "sessions/postgres_1.sql",
            "IF p_expected IS DISTINCT FROM (CASE WHEN live THEN there.revision END) THEN",
            "IF p_expected IS NULL AND live THEN",
        ),
        Change(
            "sessions/postgres_1.sql",
            "AS e (seq, name, source, target, request, principal, version, arguments, audit);",
            "AS e (seq, name, source, target, request, principal, version, arguments, audit) ON CONFLICT DO NOTHING;",
        ),
    ),
    "acknowledged before the commit in PostgreSQL": (
        Change(
            "sessions/postgres.py",
            "done = await self._pool.persistently(lambda: self._pool.once(_COMMIT, *values), lost=CommitUnknown)",
            "if commit.expected is None:\n"
            "            done = await self._pool.once(_COMMIT, *values)\n"
            "        else:\n"
            "            import asyncio\n"
            "            later = lambda: asyncio.ensure_future(self._pool.once(_COMMIT, *values))\n"
            "            asyncio.get_running_loop().call_later(0.05, later)\n"
            "            done = [['committed']]",
        ),
    ),
    "a delay is not noted in PostgreSQL": (
        Change(
            "sessions/postgres_1.sql",
            "timer_at = p_timer_at, wake_at = p_timer_at,",
            "timer_at = NULL, wake_at = NULL,",
        ),
    ),
    "no fence in PostgreSQL": (
        Change(
            "sessions/postgres_1.sql",
            "ELSIF p_fence IS NOT NULL AND held.fence <> p_fence THEN",
            "ELSIF p_fence < 0 THEN",
        ),
    ),
    "no lease in PostgreSQL": (
        Change("sessions/postgres_1.sql", "IF p_fence IS NULL AND held.until > t THEN", "IF held.until < 0 THEN"),
    ),
    "an effect is done once it is claimed in PostgreSQL": (
        Change(
            "sessions/postgres_1.sql",
            "RETURN QUERY UPDATE fsmvoice_effects e SET due = t + p_seconds * 1000, attempt = e.attempt + 1\n"
            "    WHERE e.key",
            "RETURN QUERY DELETE FROM fsmvoice_effects e\n    WHERE e.key",
        ),
    ),
}
"""Of the other stores."""
