"""`python -m tests.faults --store sqlite|postgres --kills N`: servers are killed under load, and nothing is lost."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from fsmvoice.sessions.open_store import open_store
from fsmvoice.sessions.store import SessionStore
from tests.faults.callers import Callers, Ledger
from tests.faults.database import Database, database
from tests.faults.judge import Verdict, judge
from tests.faults.replicas import Replica, receipts_in, some_time, two_replicas

MOST = 170
"""Seconds that a run of any length may take; kills that are left then are left out, and that is said."""


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults",
        description="Two real server processes share a store; callers repeat each request with the same id on the "
        "other one until it is answered; processes are killed at random moments. Then the store is read again.",
    )
    parser.add_argument("--store", choices=("sqlite", "postgres"), required=True)
    parser.add_argument("--kills", type=int, default=20, help="of a server; with postgres every fourth of the database")
    parser.add_argument("--callers", type=int, default=32)
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=None, help="for the moments and the victims")
    parser.add_argument("--mutant", default=None, help="take a safeguard out of the servers first; see mutants.py")
    options = parser.parse_args()
    seed = random.SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    sys.stdout.write(f"seed {seed}\n")
    with _storage(options.store) as (url, folder, killable):
        verdict = asyncio.run(
            faults(
                url,
                folder,
                killable,
                kills=options.kills,
                callers=options.callers,
                sessions=options.sessions,
                seed=seed,
                mutant=options.mutant,
            )
        )
    for note in verdict.notes[:20]:
        sys.stdout.write(f"  {note}\n")
    if verdict.missing:
        sys.stdout.write(f"receipts missing: {verdict.missing}\n")
    sys.stdout.write(f"{verdict.line}\n")
    return 0 if verdict.clean else 1


@contextmanager
def _storage(kind: str) -> Generator[tuple[str, Path, Database | None]]:
    """A new store: its URL, a folder for the run's files, and the database if it can be killed by itself."""
    with tempfile.TemporaryDirectory(prefix="faults-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if kind == "sqlite":
            yield f"sqlite:///{folder / 'sessions.db'}", folder, None
        else:
            with database() as found:
                yield found.url, folder, found


async def faults(
    url: str,
    folder: Path,
    killable: Database | None,
    *,
    kills: int,
    callers: int,
    sessions: int,
    seed: int,
    mutant: str | None = None,
) -> Verdict:
    """One run: load, kills, quiet, and the verdict."""
    began = time.monotonic()
    chance = random.Random(seed)
    replicas = two_replicas(url, folder, mutant=mutant)
    calling = Callers(replicas, callers=callers, sessions=sessions, seed=seed)
    try:
        for replica in replicas:
            replica.start()
        await asyncio.gather(*(replica.reachable() for replica in replicas))
        load = asyncio.create_task(calling.run())
        done = await _kill(replicas, calling, killable, chance, kills, until=began + MOST - 40)
        await asyncio.gather(*(replica.reachable() for replica in replicas))
        await asyncio.sleep(1)
        calling.stop()
        await asyncio.wait_for(load, 60)
        ledger = calling.ledger
        store = await open_store(url)
        try:
            verdict = await _settled(store, ledger, receipts_in(folder))
        finally:
            await store.aclose()
    finally:
        for replica in replicas:
            replica.kill()
    told = ", ".join(f"{count} {what}" for what, count in sorted(ledger.retries.items()))
    sys.stdout.write(
        f"{done} kills in {time.monotonic() - began:.0f} s; {sum(ledger.retries.values())} retries ({told}), "
        f"{ledger.replays} replays, refused {dict(ledger.refused)}\n"
    )
    return verdict


async def _kill(  # noqa: PLR0917 - what a run has
    replicas: Sequence[Replica],
    calling: Callers,
    killable: Database | None,
    chance: random.Random,
    kills: int,
    until: float,
) -> int:
    """Kill, and start again, so many times; how many it were. On a busy computer the load gets the time to be one."""
    for number in range(kills):
        if time.monotonic() > until:
            return number
        await calling.more(20, within=5)
        await asyncio.sleep(some_time(chance))
        if killable is not None and number % 4 == 3:
            await asyncio.to_thread(killable.kill)
            continue
        victim = chance.choice(replicas)
        victim.kill()
        victim.start()
        other = next(replica for replica in replicas if replica is not victim)
        await other.reachable()
    return kills


async def _settled(store: SessionStore, ledger: Ledger, receipts: Path) -> Verdict:
    """The verdict, once the outbox has had time to be emptied."""
    verdict = await judge(store, ledger, receipts)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(40):
            while verdict.missing:
                await asyncio.sleep(0.5)
                verdict = await judge(store, ledger, receipts)
    return verdict


if __name__ == "__main__":
    sys.exit(main())
